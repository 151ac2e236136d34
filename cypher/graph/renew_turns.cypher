// NAME     graph/renew_turns
// DOES     Keep the turns that a process has taken up and not finished from being taken by others.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          owner  STRING          who took them
//          until  ZONED DATETIME  from when on anybody else may
// RETURNS  turns INTEGER
// SOURCE   Graph Memory, "Turn path"
// COST     the pending turns of the scope
// TRY      :param scope => 'demo';
//          :param owner => 'me';
//          :param until => datetime();
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'pending'})
USING INDEX turn:Turn(scope, extraction)
WHERE turn.taken_by = $owner
SET turn.due_at = $until
RETURN count(*) AS turns
