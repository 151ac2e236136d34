// NAME     graph/settle_decision
// DOES     Log what a judge said of a Decision that waited, or why it failed at it.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING          memory scope
//          id        STRING          the Decision
//          now       ZONED DATETIME  when
//          settled   MAP             {state, error, attempts} and, where it said something,
//                                    {judged_kind, judged_reason, judged_by}; attempts are added;
//                                    {owner}: only while it is taken up by that one
// RETURNS  id STRING
// SOURCE   Graphorin, fact_conflicts
// TRY      :param scope => 'demo';
//          :param id => 'd1';
//          :param now => datetime();
//          :param settled => {state: 'settled', attempts: 0, error: ''};
CYPHER 25
MATCH (decision:Decision {scope: $scope, id: $id})
WHERE $settled.owner IS NULL OR decision.taken_by = $settled.owner
SET
  decision.tried_at = CASE $settled.attempts WHEN 0 THEN decision.tried_at ELSE $now END,
  decision.state = $settled.state,
  decision.error = $settled.error,
  decision.attempts = decision.attempts + $settled.attempts,
  decision.judged_kind = $settled.judged_kind,
  decision.judged_reason = $settled.judged_reason,
  decision.judged_by = $settled.judged_by,
  decision.judged_at = CASE WHEN $settled.judged_kind IS NULL THEN null ELSE $now END
REMOVE decision.taken_by, decision.due_at
WITH decision
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
RETURN decision.id AS id
