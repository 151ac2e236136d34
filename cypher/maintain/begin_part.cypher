// NAME     maintain/begin_part
// DOES     Write down a run that is a part of another one, which holds the lock of the scope.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING          memory scope
//          id         STRING          of the run
//          part_of    STRING          the run that holds the lock
//          ordinal    INTEGER         1 for the first part of it
//          operation  STRING          such as 'decay'
//          params     STRING          what it was called with, as JSON
//          owner      STRING          which process it runs in
//          now        ZONED DATETIME  when it begins
//          undo_until ZONED DATETIME  until when it can be undone
// RETURNS  id STRING: where the other one holds the lock still
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r2';
//          :param part_of => 'r1';
//          :param ordinal => 1;
//          :param operation => 'orphans';
//          :param params => '{}';
//          :param owner => '';
//          :param now => datetime();
//          :param undo_until => datetime() + duration('P7D');
CYPHER 25
MATCH (whole:MaintenanceRun {scope: $scope, id: $part_of})
WHERE whole.lock = 'held' AND whole.owner = $owner
CREATE (run:MaintenanceRun {scope: $scope, id: $id})
SET
  run.operation = $operation,
  run.params = $params,
  run.state = 'running',
  run.owner = $owner,
  run.due_at = whole.due_at,
  run.at = $now,
  run.undo_until = $undo_until,
  run.part_of = $part_of,
  run.ordinal = $ordinal,
  run.counts = '{}',
  run.ids = [],
  run.errors = []
RETURN run.id AS id
