// NAME     maintain/end_run
// DOES     Write down how a run ended, and let go of the lock where it held it.
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
WHERE run.owner = $owner
SET
  run.state = $state,
  run.counts = $counts,
  run.ids = $ids,
  run.errors = $errors,
  run.ended_at = $now
REMOVE run.lock, run.due_at
RETURN run.id AS id
