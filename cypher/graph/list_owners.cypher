// NAME     graph/list_owners
// DOES     Tell which processes have taken up turns of a scope that still wait.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  owner STRING
// SOURCE   Graph Memory, "Turn path"
// COST     the pending turns of the scope
// TRY      :param scope => 'demo';
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'pending'})
USING INDEX turn:Turn(scope, extraction)
WHERE turn.taken_by <> ''
RETURN DISTINCT turn.taken_by AS owner
