// NAME     maintain/undo_messages
// DOES     Take back what a run did to a batch of Messages.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_id   STRING          the run that is undone
//          changes  LIST<STRING>    what it did to them, as of maintain/list_changes
//          now      ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING: as of maintain/undo_facts
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param changes => COLLECT {
//            MATCH (r:MaintenanceRun {scope: 'demo', id: 'r1'})-[c:CHANGED]->(n:Tombstone)
//            RETURN elementId(c)
//          };
//          :param now => datetime();
CYPHER 25
UNWIND $changes AS place
MATCH (run:MaintenanceRun)-[change:CHANGED]->(n:Tombstone)
WHERE elementId(change) = place AND run.scope = $scope AND run.id = $run_id
WITH run, change, n
ORDER BY n.id
SET n.role = n.role
WITH change, n,
  CASE
    WHEN n.run_id <> run.id THEN 'changed'
    WHEN EXISTS { MATCH (again:Message {scope: $scope, id: n.id}) } THEN 'taken'
    ELSE 'restored'
  END AS outcome
SET
  change.undone_at = $now,
  change.outcome = outcome
WITH n, outcome
CALL (n, outcome) {
  WITH n, outcome
  WHERE outcome = 'restored'
  SET n:Message
  REMOVE n:Tombstone, n.was, n.run_id, n.deleted_at, n.purge_after
}
RETURN n.id AS id, outcome
