// NAME     maintain/renew_run
// DOES     Hold the lock of a scope for longer, and write down what a run did so far.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          id      STRING          of the run
//          holder  STRING          of the run that holds the lock: itself, or the one that it is a
//                                  part of
//          owner   STRING          which process they run in
//          due_at  ZONED DATETIME  until when from now on
//          counts  STRING          what it counted, as JSON
//          ids     LIST<STRING>    what it changed, the first of them
// RETURNS  id STRING: where the lock is held still
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param holder => 'r1';
//          :param owner => '';
//          :param due_at => datetime();
//          :param counts => '{}';
//          :param ids => [];
CYPHER 25
MATCH (holder:MaintenanceRun {scope: $scope, id: $holder})
WHERE holder.lock = 'held' AND holder.owner = $owner
SET holder.due_at = $due_at
WITH holder
MATCH (run:MaintenanceRun {scope: $scope, id: $id})
SET
  run.counts = $counts,
  run.ids = $ids
RETURN run.id AS id
