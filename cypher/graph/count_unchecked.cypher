// NAME     graph/count_unchecked
// DOES     Count the facts that were admitted without a vector, and are decided about when it comes.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  facts INTEGER
// SOURCE   graphmem, docs/facts.md
// COST     the facts that wait
// TRY      :param scope => 'demo';
CYPHER 25
MATCH (decision:Decision)
USING INDEX decision:Decision(scope, state, at)
WHERE decision.scope = $scope AND decision.state = 'unchecked'
  // Any time: an index is used by all of its properties.
  AND decision.at >= datetime('0001-01-01T00:00:00Z')
RETURN count(*) AS facts
