// NAME     maintain/break_run
// DOES     Let go of the lock that a run holds whose process ended in the middle, and mark its parts.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          id      STRING          of the run
//          owner   STRING          which process it ran in
//          due_at  ZONED DATETIME  until when it held the lock, as it was seen: one that was
//                                  renewed meanwhile keeps it
//          now     ZONED DATETIME  when it was found
// RETURNS  broken INTEGER: how many runs were broken off
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param owner => '';
//          :param due_at => datetime();
//          :param now => datetime();
CYPHER 25
MATCH (held:MaintenanceRun {scope: $scope, id: $id})
SET held.owner = held.owner
WITH held
WHERE held.lock = 'held' AND held.owner = $owner AND held.due_at = $due_at
CALL (held) {
  MATCH (part:MaintenanceRun)
  WHERE part.scope = $scope AND part.at >= held.at AND part.part_of = held.id
    AND part.state = 'running'
  RETURN collect(part) AS parts
}
UNWIND parts + [held] AS run
SET
  run.state = 'broken',
  run.ended_at = $now
REMOVE run.lock, run.due_at
RETURN count(run) AS broken
