// NAME     graph/count_failing
// DOES     Count the turns that wait after an attempt that failed, with one of the reasons.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  turns INTEGER, error STRING ('' for none): one row
// SOURCE   Graph Memory, "Turn path"
// COST     the pending turns of the scope
// TRY      :param scope => 'demo';
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'pending'})
USING INDEX turn:Turn(scope, extraction)
WHERE turn.error <> ''
RETURN count(*) AS turns, coalesce(max(turn.error), '') AS error
