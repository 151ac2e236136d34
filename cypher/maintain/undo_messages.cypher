// NAME     maintain/undo_messages
// DOES     Take back what a run did to a batch of Messages.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          run_id  STRING          the run that is undone
//          batch   INTEGER         the most messages, >= 1
//          now     ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING: as of maintain/undo_facts
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param batch => 500;
//          :param now => datetime();
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})-[change:CHANGED]->(n:Tombstone)
WHERE change.undone_at IS NULL AND n.was = 'Message'
WITH run, change, n
ORDER BY n.id
LIMIT $batch
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
