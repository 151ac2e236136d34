// NAME     maintain/get_said
// DOES     What Facts say, as the guards that keep statements apart read it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  the Facts
// RETURNS  id STRING, text STRING, canonical_hash STRING, subject_key STRING, predicate_key STRING,
//          object_key STRING, predicate STRING, is_negated BOOLEAN, valid_from ZONED DATETIME,
//          valid_to ZONED DATETIME, recorded_at ZONED DATETIME, status STRING
// SOURCE   graphmem, docs/decisions/conflicts.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
RETURN
  id,
  fact.text AS text,
  fact.canonical_hash AS canonical_hash,
  coalesce(fact.subject_key, '') AS subject_key,
  coalesce(fact.predicate_key, '') AS predicate_key,
  coalesce(fact.object_key, '') AS object_key,
  coalesce(fact.predicate, '') AS predicate,
  coalesce(fact.is_negated, false) AS is_negated,
  fact.valid_from AS valid_from,
  fact.valid_to AS valid_to,
  fact.recorded_at AS recorded_at,
  fact.status AS status
