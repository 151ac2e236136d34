// NAME     maintain/end_run
// DOES     Write down how a run ended, and let go of the lock where it held it; parts that are
//          under way still are broken off.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          id      STRING          of the run
//          owner   STRING          which process it ran in
//          state   STRING          'done', 'failed' or 'broken'
//          counts  STRING          what it counted, as JSON
//          ids     LIST<STRING>    what it changed, the first of them
//          errors  LIST<STRING>    what went wrong
//          now     ZONED DATETIME  when it ended
// RETURNS  id STRING
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param owner => '';
//          :param state => 'done';
//          :param counts => '{}';
//          :param ids => [];
//          :param errors => [];
//          :param now => datetime();
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $id})
// One that was taken over meanwhile, and broken off or undone, stays as it is.
WHERE run.owner = $owner AND run.state = 'running'
SET
  run.state = $state,
  run.counts = $counts,
  run.ids = $ids,
  run.errors = $errors,
  run.ended_at = $now
REMOVE run.lock, run.due_at
WITH run
CALL (run) {
  // A part of which the end could not be written.
  MATCH (part:MaintenanceRun)
  // The time lets the index find them.
  WHERE part.scope = $scope AND part.at >= run.at AND part.part_of = $id
    AND part.state = 'running'
  SET
    part.state = 'broken',
    part.ended_at = $now
}
RETURN run.id AS id
