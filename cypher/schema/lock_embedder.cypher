// NAME     schema/lock_embedder
// DOES     Lock the store to an embedder unless another one was first; tell which it is.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   id          STRING          provider:model@dimensions
//          provider    STRING          who serves it
//          model       STRING          its name there
//          dimensions  INTEGER         width of its vectors, 1..4096
//          now         ZONED DATETIME  UTC
// RETURNS  id STRING, dimensions INTEGER, slot STRING, calibration null
// SOURCE   Graphorin, "Embedder lock"
// TRY      :param id => 'local:all-minilm-l6-v2@384';
//          :param provider => 'local';
//          :param model => 'all-minilm-l6-v2';
//          :param dimensions => 384;
//          :param now => datetime();
CYPHER 25
// On the constrained slot, so that of two first starts one wins and both read the winner.
MERGE (e:Embedder {slot: 'a'})
ON CREATE SET
  e.id = $id,
  e.provider = $provider,
  e.model = $model,
  e.dimensions = $dimensions,
  e.state = 'active',
  e.locked_at = $now
RETURN e.id AS id, e.dimensions AS dimensions, e.slot AS slot, null AS calibration
