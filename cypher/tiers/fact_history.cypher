// NAME     tiers/fact_history
// DOES     What was said of a fact over time, what it superseded and what superseded it, and the
//          decisions about it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING   memory scope
//          fact_id  STRING   the fact
//          k        INTEGER  the most decisions, >= 0
// RETURNS  one row where there is such a fact: versions MAP {at, status, valid_from, valid_to} of
//          lists that are null until the first change; chain LIST<STRING>, ids of facts;
//          decisions LIST<STRING>, ids, the oldest first
// SOURCE   Graphorin, supersede chains
// TRY      :param scope => 'demo';
//          :param fact_id => COLLECT {
//            MATCH (f:Fact) WHERE f.scope = 'demo' RETURN f.id LIMIT 1
//          }[0];
//          :param k => 100;
CYPHER 25
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id = $fact_id
CALL (f) {
  MATCH (f)-[:SUPERSEDES*1..1000]->(earlier:Fact)
  WHERE earlier.scope = $scope
  RETURN collect(DISTINCT earlier.id) AS before
}
CALL (f) {
  MATCH (f)<-[:SUPERSEDES*1..1000]-(later:Fact)
  WHERE later.scope = $scope
  RETURN collect(DISTINCT later.id) AS after
}
CALL (f) {
  MATCH (f)<-[:ABOUT|AGAINST]-(decision:Decision)
  WHERE decision.scope = $scope
  WITH DISTINCT decision
  ORDER BY decision.at, decision.id
  LIMIT $k
  RETURN collect(decision.id) AS decisions
}
RETURN {
  at: f.version_at, status: f.version_status,
  valid_from: f.version_valid_from, valid_to: f.version_valid_to
} AS versions, before + f.id + after AS chain, decisions
