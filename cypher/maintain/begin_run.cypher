// NAME     maintain/begin_run
// DOES     Take the lock of a scope and write down the run that holds it, or tell which run does.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING          memory scope
//          id         STRING          of the run
//          operation  STRING          such as 'decay'
//          params     STRING          what it was called with, as JSON
//          owner      STRING          which process it runs in
//          due_at     ZONED DATETIME  until when it holds the lock without renewing it
//          now        ZONED DATETIME  when it begins
//          undo_until ZONED DATETIME  until when it can be undone
// RETURNS  id STRING, owner STRING, due_at ZONED DATETIME, operation STRING: of the run that holds
//          the lock now, this one or another
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param operation => 'orphans';
//          :param params => '{}';
//          :param owner => '';
//          :param due_at => datetime();
//          :param now => datetime();
//          :param undo_until => datetime() + duration('P7D');
CYPHER 25
// The constraint on (scope, lock) lets one of two who come at once make it.
MERGE (run:MaintenanceRun {scope: $scope, lock: 'held'})
  ON CREATE SET
    run.id = $id,
    run.operation = $operation,
    run.params = $params,
    run.state = 'running',
    run.owner = $owner,
    run.due_at = $due_at,
    run.at = $now,
    run.undo_until = $undo_until,
    run.part_of = '',
    run.counts = '{}',
    run.ids = [],
    run.errors = []
RETURN run.id AS id, run.owner AS owner, run.due_at AS due_at, run.operation AS operation
