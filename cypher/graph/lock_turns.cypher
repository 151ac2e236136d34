// NAME     graph/lock_turns
// DOES     Lock the turns of a write, stamp those whose extraction it may replace, and take away what was derived for them earlier.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING          memory scope
//          write_id  STRING          stamp of this transaction; graph/write_turns takes it off again
//          now       ZONED DATETIME  when facts that nobody states any more are retired
//          turns     LIST<MAP>       {id, replaces, fact_hashes}, sorted by id
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
  WHERE NOT fact.canonical_hash IN row.fact_hashes
  DELETE old
  SET fact.validated_count = fact.validated_count - 1
  WITH fact
  WHERE fact.status IN ['active', 'pending', 'superseded'] AND fact.validated_count < 1
  SET
    fact.version_at = coalesce(fact.version_at, [fact.recorded_at]) + [$now],
    fact.version_valid_from =
      coalesce(fact.version_valid_from, [fact.valid_from]) + [fact.valid_from],
    fact.version_valid_to = coalesce(fact.version_valid_to, [fact.valid_to]) + [fact.valid_to],
    fact.version_status = coalesce(fact.version_status, [fact.status]) + ['forgotten']
  SET
    fact.status = 'forgotten',
    fact.is_withdrawn = true,
    fact.retired_at = $now,
    fact.retired_reason = 'the turn that stated it was read again, and no longer does'
  WITH fact, COLLECT {
    MATCH (fact)<-[:SUPERSEDES]-{1,20}(later:Fact)
    WHERE later.scope = $scope AND later.status IN ['active', 'pending', 'superseded']
    RETURN later
    ORDER BY later.valid_from, later.id
    LIMIT 1
  }[0] AS next
  // What it had ended goes on: nobody says any more that it ended, or only what followed on it.
  MATCH (fact)-[link:SUPERSEDES]->(before:Fact)
  DELETE link
  WITH DISTINCT before, next
  // What was forgotten since stays so.
  WHERE before.status IN ['active', 'pending', 'superseded']
  WITH before, next, coalesce(before.version_valid_to[0], before.valid_to) AS told_end
  WITH before, next, CASE
    WHEN next.valid_from < told_end THEN next.valid_from
    ELSE told_end
  END AS end
  SET
    before.version_at = coalesce(before.version_at, [before.recorded_at]) + [$now],
    before.version_valid_from =
      coalesce(before.version_valid_from, [before.valid_from]) + [before.valid_from],
    before.version_valid_to =
      coalesce(before.version_valid_to, [before.valid_to]) + [end],
    before.version_status =
      coalesce(before.version_status, [before.status])
        + [CASE
          WHEN before.status = 'superseded' AND (next IS NULL OR end > $now) THEN 'active'
          ELSE before.status
        END]
  SET
    before.status = before.version_status[-1],
    before.valid_to = before.version_valid_to[-1],
    before.retired_at = CASE before.version_status[-1]
      WHEN 'superseded' THEN before.retired_at
    END,
    before.retired_reason = CASE before.version_status[-1]
      WHEN 'superseded' THEN before.retired_reason
      ELSE ''
    END
  WITH before, next
  WHERE next IS NOT NULL
  MERGE (next)-[after:SUPERSEDES]->(before)
    ON CREATE SET
      after.reason = 'what was between them is said by nobody any more',
      after.at = $now
}
RETURN turn.id AS id
