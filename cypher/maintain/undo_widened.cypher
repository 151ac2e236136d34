// NAME     maintain/undo_widened
// DOES     Let Facts hold from the time on from which they did before a run widened them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_id   STRING          the run that is undone
//          changes  LIST<STRING>    what it did to them, as of maintain/list_changes
//          now      ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING: 'widened' of each; one that was changed since stays as it is
// SOURCE   graphmem, docs/decisions/consolidation.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param changes => COLLECT {
//            MATCH (r:MaintenanceRun {scope: 'demo', id: 'r1'})-[c:CHANGED]->(n:Fact|Tombstone)
//            RETURN elementId(c)
//          };
//          :param now => datetime();
CYPHER 25
UNWIND $changes AS place
MATCH (run:MaintenanceRun)-[change:CHANGED]->(fact:Fact|Tombstone)
WHERE elementId(change) = place AND run.scope = $scope AND run.id = $run_id
WITH change, fact
ORDER BY fact.id
SET fact.text = fact.text
// Also one that is gone itself by now: it may come back.
WITH change, fact, fact.valid_from = change.valid_from AS is_same
SET
  change.undone_at = $now,
  change.outcome = CASE WHEN is_same THEN 'restored' ELSE 'changed' END
WITH change, fact, is_same
CALL (change, fact, is_same) {
  WITH change, fact, is_same
  WHERE is_same
  SET
    fact.version_at = fact.version_at + [$now],
    fact.version_valid_from = fact.version_valid_from + [change.before_valid_from],
    fact.version_valid_to = fact.version_valid_to + [fact.valid_to],
    fact.version_status = fact.version_status + [fact.status],
    fact.valid_from = change.before_valid_from
}
CALL (change, fact, is_same) {
  WITH change, fact, is_same
  WHERE NOT is_same
  // A later run let it hold from still earlier on: undone, that one goes back to before both.
  MATCH (fact)<-[later:CHANGED {how: 'widen'}]-(:MaintenanceRun)
  WHERE later.undone_at IS NULL AND later.before_valid_from = change.valid_from
  SET later.before_valid_from = change.before_valid_from
}
RETURN fact.id AS id, 'widened' AS outcome
