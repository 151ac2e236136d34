// NAME     maintain/renew_run
// DOES     Hold the lock of a scope for longer.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          id      STRING          of the run that holds it
//          owner   STRING          which process it runs in
//          due_at  ZONED DATETIME  until when from now on
// RETURNS  id STRING: where the run holds it still
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param owner => '';
//          :param due_at => datetime();
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $id})
WHERE run.lock = 'held' AND run.owner = $owner
SET run.due_at = $due_at
RETURN run.id AS id
