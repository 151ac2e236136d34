// NAME     graph/find_scopes
// DOES     List the scopes in which turns of some extraction states lie.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   states  LIST<STRING>  extraction states
// RETURNS  scope STRING
// SOURCE   graphmem, docs/graph.md
// COST     one step a session of the store, one index probe a scope
// TRY      :param states => ['pending'];
CYPHER 25
MATCH (session:Session)
WITH DISTINCT session.scope AS scope
WHERE EXISTS {
  MATCH (turn:Turn)
  USING INDEX turn:Turn(scope, extraction)
  WHERE turn.scope = scope AND turn.extraction IN $states
}
RETURN scope
ORDER BY scope
