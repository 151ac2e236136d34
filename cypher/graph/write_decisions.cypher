// NAME     graph/write_decisions
// DOES     Log what the conflict pipeline decided, one node a statement.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          now          ZONED DATETIME  when it was decided
//          decisions    LIST<MAP>       {id, kind, stage, zone, similarity, reason, text, state,
//                                       fact_id, against}; zone '' and similarity null where no
//                                       vector was compared; against are ids of Facts
// RETURNS  nothing
// SOURCE   Graphorin, fact_conflicts and conflict_check_pending
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param now => datetime();
//          :param decisions => [];
CYPHER 25
UNWIND $decisions AS row
CREATE (decision:Decision {
  scope: $scope,
  scope_token: $scope_token,
  id: row.id,
  kind: row.kind,
  stage: row.stage,
  zone: row.zone,
  similarity: row.similarity,
  reason: row.reason,
  text: row.text,
  state: row.state,
  at: $now,
  attempts: 0,
  error: ''
})
WITH decision, row
CALL (decision, row) {
  MATCH (fact:Fact {scope: $scope, id: row.fact_id})
  CREATE (decision)-[:ABOUT]->(fact)
}
CALL (decision, row) {
  UNWIND range(0, size(row.against) - 1) AS ord
  MATCH (fact:Fact {scope: $scope, id: row.against[ord]})
  CREATE (decision)-[:AGAINST {ord: ord}]->(fact)
}
