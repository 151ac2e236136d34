// NAME     maintain/mark_undone
// DOES     Write down that a run and its parts were undone.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_ids  LIST<STRING>    the runs
//          now      ZONED DATETIME  when
// RETURNS  runs INTEGER
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_ids => ['r1'];
//          :param now => datetime();
CYPHER 25
UNWIND $run_ids AS run_id
MATCH (run:MaintenanceRun {scope: $scope, id: run_id})
SET
  run.state = 'undone',
  run.undone_at = $now
RETURN count(run) AS runs
