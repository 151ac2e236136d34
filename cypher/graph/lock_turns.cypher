// NAME     graph/lock_turns
// DOES     Lock the turns of a write, stamp those whose extraction it may replace, and take away what was derived for them earlier.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING          memory scope
//          write_id  STRING          stamp of this transaction; graph/write_turns takes it off again
//          now       ZONED DATETIME  when facts that nobody states any more are retired
//          turns     LIST<MAP>       {id, replaces, fact_ids}, sorted by id
// RETURNS  id STRING: the turns that were stamped
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param write_id => 'w1';
//          :param now => datetime();
//          :param turns => [];
CYPHER 25
UNWIND $turns AS row
MATCH (turn:Turn {scope: $scope, id: row.id})
// The first SET takes the lock, so that the second one reads what another writer committed.
SET turn.write_id = $write_id
SET turn.write_id = CASE WHEN turn.extraction IN row.replaces THEN $write_id END
WITH turn, row
WHERE turn.write_id = $write_id
CALL (turn) {
  MATCH (turn)-[old:MENTIONS]->(:Term)
  DELETE old
}
CALL (turn, row) {
  MATCH (turn)-[old:STATES]->(fact:Fact)
  WHERE NOT fact.id IN row.fact_ids
  DELETE old
  SET fact.validated_count = fact.validated_count - 1
  WITH fact
  WHERE fact.status IN ['active', 'pending'] AND NOT EXISTS { (:Turn)-[:STATES]->(fact) }
  SET
    fact.status = 'forgotten',
    fact.retired_at = $now
}
RETURN turn.id AS id
