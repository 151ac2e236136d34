// NAME     graph/find_doubles
// DOES     The Facts that say the same as others that were forgotten or deprecated for that reason.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          fact_ids  LIST<STRING>  those that were forgotten or deprecated
// RETURNS  double STRING, its id; fact MAP as in graph/find_known: what says the same, or what that
//          was found to say
// SOURCE   Graphorin, deep judge; graphmem, docs/facts.md
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param fact_ids => [];
CYPHER 25
UNWIND $fact_ids AS fact_id
MATCH (double:Fact {scope: $scope, id: fact_id})
CALL (double) {
  MATCH way = (double)-[:SAME_AS]->{1,10}(fact:Fact)
  WHERE fact.scope = $scope AND NOT coalesce(fact.is_withdrawn, false)
    AND NOT (fact.status = 'deprecated' AND EXISTS { (fact)-[:SAME_AS]->(:Fact) })
  RETURN fact
  ORDER BY length(way)
  LIMIT 1
}
RETURN double.id AS double, fact {
  .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
  .is_negated, .valid_from, .valid_to, .status, .recorded_at,
  .stated_at, .retired_at, .is_withdrawn,
  .subject_via, .object_via
} AS fact
