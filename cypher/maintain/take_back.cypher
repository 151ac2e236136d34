// NAME     maintain/take_back
// DOES     Take from Facts what they were handed for others that are told again: usage, evidence and
//          Tags. What it has by another one that stands for it as well, it keeps, as that one's.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          rows   LIST<MAP>  {from, has, run_id, ends, unturned, recall_count, reward_sum,
//                            reward_count}: run_id handed over what `from` had to `has`, both element
//                            ids; ends are the keys of the Tags and the ids of the Turns of it;
//                            unturned is how often it was stated without a Turn
// RETURNS  the same columns, for each that handed it on in its turn: to be taken back there, too
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param rows => [];
CYPHER 25
UNWIND $rows AS row
MATCH (from:Fact|Tombstone)
WHERE elementId(from) = row.from AND from.scope = $scope
MATCH (has:Fact|Tombstone)
WHERE elementId(has) = row.has AND has.scope = $scope
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET has.text = has.text
WITH row, from, has
CALL (row, from, has) {
  MATCH (has)-[handed:TAGGED|STATES]-(end:Tag|Turn|Tombstone)
  WHERE handed.handed_by = row.run_id AND handed.handed_from = from.id
    // A Tag may have been made anew since.
    AND coalesce(end.key, end.id) IN row.ends
  OPTIONAL CALL (has, end) {
    MATCH (has)<-[same:SAME_AS]-(heir:Fact|Tombstone)<-[change:CHANGED]-(run:MaintenanceRun)
    WHERE run.id = same.handed_by AND change.survivor_id IS NOT NULL
      AND EXISTS {
        (heir)-[:TAGGED|STATES]-(it:Tag|Turn|Tombstone)
        WHERE coalesce(it.key, it.id) = coalesce(end.key, end.id)
      }
    RETURN run.id AS by, heir, change
    ORDER BY heir.id
    LIMIT 1
  }
  WITH handed, by, heir, change, coalesce(end.key, end.id) AS place, type(handed) = 'STATES' AS is_turn
  FOREACH (_ IN CASE WHEN heir IS NULL THEN [1] ELSE [] END | DELETE handed)
  FOREACH (_ IN CASE WHEN heir IS NULL THEN [] ELSE [1] END |
    SET
      handed.handed_by = by,
      handed.handed_from = heir.id,
      change.validated_count = change.validated_count + CASE WHEN is_turn THEN 1 ELSE 0 END
  )
  WITH CASE WHEN heir IS NULL THEN place END AS gone, is_turn
  RETURN
    collect(gone) AS ends,
    count(CASE WHEN is_turn THEN 1 END) AS turns,
    count(CASE WHEN is_turn THEN gone END) AS turns_gone
}
CALL (row, from, turns) {
  // What is undone itself is told as it was.
  MATCH (from)<-[change:CHANGED]-(run:MaintenanceRun)
  WHERE run.id = row.run_id AND change.survivor_id IS NOT NULL AND change.undone_at IS NULL
  SET
    change.validated_count = change.validated_count - row.unturned - turns,
    change.recall_count = change.recall_count - row.recall_count,
    change.reward_sum = change.reward_sum - row.reward_sum,
    change.reward_count = change.reward_count - row.reward_count
}
WITH row, has, ends, row.unturned + turns_gone AS stated
SET
  has.validated_count = CASE
    WHEN has.validated_count > stated THEN has.validated_count - stated
    ELSE 0
  END,
  has.recall_count = CASE
    WHEN has.recall_count > row.recall_count THEN has.recall_count - row.recall_count
    ELSE 0
  END,
  has.reward_sum = CASE
    WHEN has.reward_count > row.reward_count THEN has.reward_sum - row.reward_sum
    ELSE 0.0
  END,
  has.reward_count = CASE
    WHEN has.reward_count > row.reward_count THEN has.reward_count - row.reward_count
    ELSE 0
  END
WITH row, has, ends
MATCH (has)-[same:SAME_AS]->(next:Fact|Tombstone)
WHERE same.handed_by IS NOT NULL
  // What it handed on before it got this, it handed on without it. One that was stated again may
  // have got something since, even from the one that it had gone for: without end, otherwise.
  AND EXISTS {
    MATCH (run:MaintenanceRun {scope: $scope, id: row.run_id})
    MATCH (later:MaintenanceRun {scope: $scope, id: same.handed_by})
    WHERE later.at > run.at
  }
RETURN
  elementId(has) AS from,
  elementId(next) AS has,
  same.handed_by AS run_id,
  ends,
  row.unturned AS unturned,
  row.recall_count AS recall_count,
  row.reward_sum AS reward_sum,
  row.reward_count AS reward_count