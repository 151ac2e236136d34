// NAME     explore/scope_graph
// DOES     The turns of a scope with their facts, terms and tags, for the graph view of Browser.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  most turns, the newest first, > 0
// RETURNS  path PATH, one for each way from a turn to a term, a fact or a tag
// SOURCE   Graph Memory, "Query-first recall": a turn is reached through what it speaks of
// COST     the links of `limit` turns
// TRY      :param scope => 'demo';
//          :param limit => 50;
CYPHER 25
MATCH (turn:Turn {scope: $scope})
WITH turn ORDER BY turn.at DESC LIMIT $limit
CALL (turn) {
  MATCH path = (turn)-[:STATES]->(:Fact {scope: $scope})-[:SUBJECT|OBJECT]->(:Term {scope: $scope})
  RETURN path
  UNION ALL
  MATCH path = (turn)-[:STATES]->(:Fact {scope: $scope})-[:TAGGED]->(:Tag {scope: $scope})
  RETURN path
  UNION ALL
  MATCH path = (turn)-[:MENTIONS]->(:Term {scope: $scope})
  RETURN path
  UNION ALL
  MATCH path = (turn)-[:NEXT]->(:Turn {scope: $scope})
  RETURN path
}
RETURN path
