// NAME     graph/note_errors
// DOES     Note at turns that still wait why their last attempt failed.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          ids     LIST<STRING>    the turns
//          error   STRING          why
//          due_at  ZONED DATETIME  from when on they may be tried again
// RETURNS  id STRING
// SOURCE   Graph Memory, "Turn path"
// TRY      :param scope => 'demo';
//          :param ids => [];
//          :param error => 'rate limit';
//          :param due_at => datetime();
CYPHER 25
UNWIND $ids AS id
MATCH (turn:Turn {scope: $scope, id: id})
WHERE turn.extraction = 'pending'
SET
  turn.error = $error,
  turn.attempts = turn.attempts + 1,
  turn.taken_by = '',
  turn.due_at = $due_at
RETURN turn.id AS id
