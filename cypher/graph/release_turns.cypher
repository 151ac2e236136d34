// NAME     graph/release_turns
// DOES     Let go of the turns that a process has taken up and not finished, so that others may at once.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          owner  STRING          who took them
//          now    ZONED DATETIME  from when on anybody may
// RETURNS  turns INTEGER
// SOURCE   Graph Memory, "Turn path"
// COST     the pending turns of the scope
// TRY      :param scope => 'demo';
//          :param owner => 'me';
//          :param now => datetime();
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'pending'})
WHERE turn.taken_by = $owner
SET
  turn.taken_by = '',
  turn.due_at = $now
RETURN count(*) AS turns
