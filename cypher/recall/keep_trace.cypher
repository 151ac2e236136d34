// NAME     recall/keep_trace
// DOES     Keeps an answer: what was asked and how it arose, with links to what it held.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          hash of the scope
//          id           STRING          of the kept answer
//          properties   MAP             query, at, as_of, turns, facts, procedures, confident,
//                                       best_rejected, degraded, details
//          turns        LIST<MAP>       {id, recalled: MAP}; what a link holds: rank, score, …
//          facts        LIST<MAP>       as above
//          procedures   LIST<MAP>       as above
// RETURNS  id STRING
// SOURCE   Mnemosyne, "RecallTrace"
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param id => 'by-hand';
//          :param properties => {
//            query: 'kiln', at: datetime(), turns: 0, facts: 0, degraded: [], details: '{}'
//          };
//          :param turns => [];
//          :param facts => [];
//          :param procedures => [];
CYPHER 25
MERGE (r:RecallTrace {scope: $scope, id: $id})
SET r += $properties, r.scope_token = $scope_token
WITH r
CALL (r) {
  UNWIND $turns AS row
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id = row.id
  MERGE (r)-[link:RECALLED]->(t)
  SET link += row.recalled
}
CALL (r) {
  UNWIND $facts AS row
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = row.id
  MERGE (r)-[link:RECALLED]->(f)
  SET link += row.recalled
}
CALL (r) {
  UNWIND $procedures AS row
  MATCH (p:Procedure)
  WHERE p.scope = $scope AND p.id = row.id
  MERGE (r)-[link:RECALLED]->(p)
  SET link += row.recalled
}
RETURN r.id AS id
