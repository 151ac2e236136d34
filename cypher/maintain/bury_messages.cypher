// NAME     maintain/bury_messages
// DOES     Delete Messages that no Turn refers to and none waits for, and link the run to them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          run_id       STRING          the run that does it
//          ids          LIST<STRING>    of Messages, sorted
//          reason       STRING          why they go
//          now          ZONED DATETIME  when it is recorded
//          purge_after  ZONED DATETIME  from when on a Tombstone may be deleted for good
// RETURNS  id STRING: of each that went
// SOURCE   Graph Memory, message retention; graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param ids => [];
//          :param reason => '';
//          :param now => datetime();
//          :param purge_after => datetime() + duration('P7D');
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})
UNWIND $ids AS id
MATCH (message:Message {scope: $scope, id: id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET message.role = message.role
WITH run, id
MATCH (message:Message {scope: $scope, id: id})
WHERE NOT EXISTS { (:Turn)-[:EVIDENCE]->(message) }
  AND NOT EXISTS {
    MATCH (turn:Turn {scope: $scope, id: message.turn_id})
    WHERE turn.extraction IN ['pending', 'quarantined']
  }
CREATE (run)-[:CHANGED {how: 'delete', before: '', reason: $reason}]->(message)
SET
  message:Tombstone,
  message.was = 'Message',
  message.run_id = run.id,
  message.deleted_at = $now,
  message.purge_after = $purge_after
REMOVE message:Message
RETURN id
