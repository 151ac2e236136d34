// NAME     maintain/undo_facts
// DOES     Take back what a run did to a batch of Facts: those it deleted or deprecated are as they
//          were, and what was handed over for them goes back.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_id   STRING          the run that is undone
//          changes  LIST<STRING>    what it did to them, as of maintain/list_changes
//          now      ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING: 'restored'; 'taken' where the same was learned again
//          meanwhile; 'changed' where it is not as the run left it; is_cut_off BOOLEAN: it is told
//          again, and what leads to it was cleaned up; handed MAP: a row of maintain/take_back, null
//          where nothing was handed over for it
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param changes => COLLECT {
//            MATCH (r:MaintenanceRun {scope: 'demo', id: 'r1'})-[c:CHANGED]->(n:Fact|Tombstone)
//            RETURN elementId(c)
//          };
//          :param now => datetime();
CYPHER 25
UNWIND $changes AS place
MATCH (run:MaintenanceRun)-[change:CHANGED]->(n:Fact|Tombstone)
WHERE elementId(change) = place AND run.scope = $scope AND run.id = $run_id
WITH run, change, n
ORDER BY n.id
SET n.text = n.text
WITH run, change, n,
  CASE
    WHEN change.how = 'delete' AND n:Tombstone AND n.run_id = run.id
    THEN CASE
      WHEN EXISTS { MATCH (again:Fact {scope: $scope, id: n.id}) } THEN 'taken'
      ELSE 'restored'
    END
    WHEN change.how = 'deprecate' AND n:Fact AND n.status = 'deprecated'
      // Revived since, and deprecated by another run: that one has it.
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
WITH run, change, n, outcome
CALL (change, n, outcome) {
  WITH change, n, outcome
  WHERE outcome = 'restored' AND change.how = 'delete'
  SET
    n:Fact,
    // One that decay had deprecated has its time before it again.
    n.deprecated_at = CASE WHEN n.deprecated_at IS NOT NULL THEN $now END
  REMOVE n:Tombstone, n.was, n.run_id, n.deleted_at, n.purge_after
}
CALL (change, n, outcome) {
  WITH change, n, outcome
  WHERE outcome = 'restored' AND change.how = 'deprecate'
  SET
    n.version_at = n.version_at + [$now],
    n.version_valid_from = n.version_valid_from + [n.valid_from],
    n.version_valid_to = n.version_valid_to + [n.valid_to],
    n.version_status = n.version_status + [change.before],
    n.status = change.before,
    n.retired_at = CASE
      WHEN change.before IN ['active', 'pending'] THEN null
      ELSE n.retired_at
    END,
    n.retired_reason = CASE
      WHEN change.before IN ['active', 'pending'] THEN ''
      ELSE n.retired_reason
    END
  REMOVE n.deprecated_at, n.deprecated_by
}
CALL (change, n, outcome) {
  WITH change, n, outcome
  WHERE outcome = 'restored'
  // What came meanwhile was not compared with it. Where it had gone for another one, somebody says
  // that they are two: no tick is to say again at once that they are not.
  SET
    n.needs_comparison = change.survivor_id IS NULL,
    n.comparison_revision = coalesce(n.comparison_revision, 0) + 1
}
CALL (n, outcome) {
  WITH n, outcome
  WHERE outcome = 'restored'
  MATCH (n)-[:SUBJECT|OBJECT]->(term:Term)
  SET term.needs_community = true
}
OPTIONAL CALL (run, change, n, outcome) {
  WITH run, change, n, outcome
  WHERE outcome = 'restored' AND change.survivor_id IS NOT NULL
  // Also one that is gone itself by now: it may come back, and one of its id that was learned since
  // got nothing.
  MATCH (n)-[link:SAME_AS]->(stays:Fact|Tombstone)
  WHERE link.handed_by = run.id
  // All were told alike. What became secret since was told by the words of any.
  SET n.sensitivity = CASE
    WHEN EXISTS {
      (n)-[:SAME_AS]->{1,20}(told:Fact|Tombstone)
      WHERE told.sensitivity = 'secret'
    }
    THEN 'secret'
    ELSE n.sensitivity
  END
  DELETE link
  WITH run, change, n, stays, COLLECT {
    MATCH (stays)-[handed:TAGGED|STATES]-(end:Tag|Turn|Tombstone)
    WHERE handed.handed_by = run.id AND handed.handed_from = n.id
    RETURN {id: coalesce(end.key, end.id), is_turn: type(handed) = 'STATES'}
  } AS ends
  RETURN {
    from: elementId(n),
    has: elementId(stays),
    run_id: run.id,
    ends: [end IN ends | end.id],
    unturned: change.validated_count - size([end IN ends WHERE end.is_turn]),
    recall_count: change.recall_count,
    reward_sum: change.reward_sum,
    reward_count: change.reward_count
  } AS handed
}
RETURN
  n.id AS id,
  outcome,
  outcome = 'restored' AND n.status IN ['active', 'pending']
    AND EXISTS { (n)-[:TAGGED|SUBJECT|OBJECT]->(:Tombstone) } AS is_cut_off,
  handed