// NAME     maintain/undo_procedures
// DOES     Take back what a run did to a batch of Procedures.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_id   STRING          the run that is undone
//          changes  LIST<STRING>    what it did to them, as of maintain/list_changes
//          now      ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING, is_cut_off BOOLEAN: as of maintain/undo_facts
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param changes => COLLECT {
//            MATCH (r:MaintenanceRun {scope: 'demo', id: 'r1'})-[c:CHANGED]->(n:Procedure|Tombstone)
//            RETURN elementId(c)
//          };
//          :param now => datetime();
CYPHER 25
UNWIND $changes AS place
MATCH (run:MaintenanceRun)-[change:CHANGED]->(n:Procedure|Tombstone)
WHERE elementId(change) = place AND run.scope = $scope AND run.id = $run_id
WITH run, change, n
ORDER BY n.id
SET n.instruction = n.instruction
WITH change, n,
  CASE
    WHEN change.how = 'delete' AND n:Tombstone AND n.run_id = run.id
    THEN CASE
      WHEN EXISTS { MATCH (again:Procedure {scope: $scope, id: n.id}) } THEN 'taken'
      ELSE 'restored'
    END
    WHEN change.how = 'deprecate' AND n:Procedure AND n.status = 'deprecated'
      // Defined again since, and deprecated by another run: that one has it.
      AND NOT EXISTS {
        MATCH (n)<-[other:CHANGED {how: 'deprecate'}]-(later:MaintenanceRun)
        WHERE later.at > run.at AND other.undone_at IS NULL
      }
    THEN 'restored'
    ELSE 'changed'
  END AS outcome
SET
  change.undone_at = $now,
  change.outcome = outcome
WITH change, n, outcome
CALL (change, n, outcome) {
  WITH change, n, outcome
  WHERE outcome = 'restored' AND change.how = 'delete'
  SET
    n:Procedure,
    // One that decay had deprecated has its time before it again.
    n.deprecated_at = CASE WHEN n.deprecated_at IS NOT NULL THEN $now END
  REMOVE n:Tombstone, n.was, n.run_id, n.deleted_at, n.purge_after
}
CALL (change, n, outcome) {
  WITH change, n, outcome
  WHERE outcome = 'restored' AND change.how = 'deprecate'
  SET
    n.status = change.before,
    // Decay does not take it at once again.
    n.restored_at = $now
  REMOVE n.deprecated_at, n.deprecated_by
}
RETURN
  n.id AS id,
  outcome,
  outcome = 'restored' AND n.status IN ['active', 'pending']
    AND EXISTS { (n)-[:SERVES]->(:Tombstone) } AS is_cut_off
