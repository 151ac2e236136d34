// NAME     graph/settle_unchecked
// DOES     Log how Decisions that waited for a vector came out.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING     memory scope
//          decisions  LIST<MAP>  {id, state} and, where the vector told something, {kind, stage,
//                                zone, similarity, reason, against}; against are ids of Facts
// RETURNS  nothing
// SOURCE   Graphorin, fact_conflicts
// TRY      :param scope => 'demo';
//          :param decisions => [{id: 'd1', state: 'settled'}];
CYPHER 25
UNWIND $decisions AS row
MATCH (decision:Decision {scope: $scope, id: row.id})
SET
  decision.state = row.state,
  decision.kind = coalesce(row.kind, decision.kind),
  decision.stage = coalesce(row.stage, decision.stage),
  decision.zone = coalesce(row.zone, decision.zone),
  decision.similarity = coalesce(row.similarity, decision.similarity),
  decision.reason = coalesce(row.reason, decision.reason)
WITH decision, row
CALL (decision) {
  WITH decision
  WHERE NOT decision.state IN ['open', 'unchecked']
  // Protected no longer, they may go for others: they are compared again.
  MATCH (decision)-[:ABOUT|AGAINST]->(fact:Fact)
  WITH fact
  ORDER BY fact.id
  SET
    fact.needs_comparison = true,
    fact.comparison_revision = coalesce(fact.comparison_revision, 0) + 1
}
WITH decision, row
WHERE row.against IS NOT NULL
CALL (decision) {
  MATCH (decision)-[old:AGAINST]->(:Fact)
  DELETE old
}
CALL (decision, row) {
  UNWIND range(0, size(row.against) - 1) AS ord
  MATCH (fact:Fact {scope: $scope, id: row.against[ord]})
  CREATE (decision)-[:AGAINST {ord: ord}]->(fact)
}
