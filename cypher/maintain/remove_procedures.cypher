// NAME     maintain/remove_procedures
// DOES     Delete or deprecate Procedures that are not protected, and link the run to them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          run_id       STRING          the run that does it
//          how          STRING          'delete' (the label is swapped for Tombstone) or 'deprecate'
//          by           STRING          what it is deprecated by: 'decay' …
//          statuses     LIST<STRING>    what has another one stays
//          now          ZONED DATETIME  when it is recorded
//          purge_after  ZONED DATETIME  from when on a Tombstone may be deleted for good
//          losses       LIST<MAP>       {id, survivor_id, reason}, one a procedure, sorted by id;
//                                       survivor_id is null: nobody stays for one
// RETURNS  id STRING: of each that was removed; others are protected, changed or gone meanwhile
// SOURCE   Mnemosyne, "Node Decay"; graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param how => 'deprecate';
//          :param by => 'decay';
//          :param statuses => ['active'];
//          :param now => datetime();
//          :param purge_after => datetime() + duration('P7D');
//          :param losses => [];
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})
WITH run
UNWIND $losses AS row
MATCH (n:Procedure {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET n.instruction = n.instruction
WITH run, row
MATCH (n:Procedure {scope: $scope, id: row.id})
WHERE n.status IN $statuses AND NOT n.pinned AND n.tier <> 'core'
CREATE (run)-[change:CHANGED]->(n)
SET
  change.how = $how,
  change.before = n.status,
  change.reason = row.reason
WITH row, run, n
CALL (n) {
  WITH n
  WHERE $how = 'deprecate'
  SET
    n.status = 'deprecated',
    n.deprecated_at = $now,
    n.deprecated_by = $by
}
CALL (n, run) {
  WITH n, run
  WHERE $how = 'delete'
  SET
    n:Tombstone,
    n.was = 'Procedure',
    n.run_id = run.id,
    n.deleted_at = $now,
    n.purge_after = $purge_after
  REMOVE n:Procedure
}
RETURN n.id AS id
