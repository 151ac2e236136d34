// NAME     schema/calibrate_embedder
// DOES     Keeps what was measured of the embedder that the store is locked to.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   id                STRING          provider:model@dimensions
//          same_median       FLOAT           cosine of half a turn and the whole
//          different_median  FLOAT           cosine of half a turn and another turn
//          different_p90     FLOAT           the same, exceeded by a tenth
//          threshold         FLOAT           from which a turn counts as near to a question
//          sample            INTEGER         turns that were measured
//          at                ZONED DATETIME  UTC
// RETURNS  id STRING
// SOURCE   graphmem, docs/embed.md
// TRY      :param id => 'local:all-minilm-l6-v2-int8@384';
//          :param same_median => 0.82;
//          :param different_median => 0.43;
//          :param different_p90 => 0.61;
//          :param threshold => 0.53;
//          :param sample => 200;
//          :param at => datetime();
CYPHER 25
MATCH (e:Embedder {state: 'active', id: $id})
SET
  e.same_median = $same_median,
  e.different_median = $different_median,
  e.different_p90 = $different_p90,
  e.threshold = $threshold,
  e.sample = $sample,
  e.calibrated_at = $at
RETURN e.id AS id
