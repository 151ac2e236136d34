// NAME     graph/release_turns
// DOES     Let go of the turns that a process has taken up and not finished, so that others may at once.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          owner  STRING          who took them
//          ids    LIST<STRING>    only these turns; [] = all
//          now    ZONED DATETIME  from when on anybody may
// RETURNS  turns INTEGER
// SOURCE   Graph Memory, "Turn path"
// COST     the pending turns of the scope
// TRY      :param scope => 'demo';
//          :param owner => 'me';
//          :param ids => [];
//          :param now => datetime();
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'pending'})
USING INDEX turn:Turn(scope, extraction)
WHERE turn.taken_by = $owner AND ($ids = [] OR turn.id IN $ids)
SET
  turn.taken_by = '',
  turn.due_at = $now
RETURN count(*) AS turns
