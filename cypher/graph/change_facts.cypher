// NAME     graph/change_facts
// DOES     Change what Facts say of themselves: status and time, with a version of each change;
//          link what superseded them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          now      ZONED DATETIME  when it is recorded
//          changes  LIST<MAP>       {id, seen, status, valid_from, valid_to, reason, is_withdrawn,
//                                   superseded_by}, one a fact, sorted by id; all but id may be
//                                   null = stays as it is; superseded_by is the id of the fact
//                                   that holds since; one whose status is not as it was seen stays
//                                   as it is, null = whatever it is
// RETURNS  id STRING, status STRING, is_back BOOLEAN: of the facts that are there and as they were
//          seen; whether they were told no longer before, and are again
// SOURCE   Graphorin, supersede chains; graphmem, docs/facts.md
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param changes => [];
CYPHER 25
UNWIND $changes AS row
MATCH (fact:Fact {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET fact.text = fact.text
WITH row
MATCH (fact:Fact {scope: $scope, id: row.id})
WHERE row.seen IS NULL OR fact.status = row.seen
WITH fact, row,
  coalesce(row.status, fact.status) AS status,
  coalesce(row.valid_from, fact.valid_from) AS valid_from,
  coalesce(row.valid_to, fact.valid_to) AS valid_to,
  NOT fact.status IN ['active', 'pending', 'superseded'] AS was_gone
CALL (fact, status) {
  WITH fact
  WHERE status <> fact.status
  MATCH (fact)-[:SUBJECT|OBJECT]->(term:Term)
  // Only where it does not wait yet: writers take locks of Terms in another order.
  WHERE NOT coalesce(term.needs_community, false)
  SET term.needs_community = true
}
CALL (fact, status) {
  WITH fact
  WHERE status <> fact.status AND fact.status IN ['active', 'pending']
    AND NOT status IN ['active', 'pending']
  // What it said may stand in their summaries.
  MATCH (fact)-[:SUBJECT|OBJECT]->(:Term)-[:IN_COMMUNITY]->(c:Community)
  WITH DISTINCT c
  SET
    c.summary = '',
    c.needs_summary = true,
    c.needs_vector = false,
    c.revision = c.revision + 1
  REMOVE c.embedding_a, c.embedding_b, c.embedder_id
}
CALL (fact, row, status, valid_from, valid_to) {
  WITH fact, row, status, valid_from, valid_to
  WHERE status <> fact.status OR valid_from <> fact.valid_from OR valid_to <> fact.valid_to
    // Withdrawn, and now forgotten on purpose.
    OR (row.status = 'forgotten' AND fact.is_withdrawn AND NOT coalesce(row.is_withdrawn, false))
  // One entry is what was said from that time on; the first is the fact as it was recorded.
  SET
    fact.version_at = coalesce(fact.version_at, [fact.recorded_at]) + [$now],
    fact.version_valid_from = coalesce(fact.version_valid_from, [fact.valid_from]) + [valid_from],
    fact.version_valid_to = coalesce(fact.version_valid_to, [fact.valid_to]) + [valid_to],
    fact.version_status = coalesce(fact.version_status, [fact.status]) + [status]
  SET
    fact.retired_at = CASE
      WHEN status IN ['active', 'pending'] THEN null
      WHEN status = fact.status AND (row.status IS NULL OR NOT fact.is_withdrawn)
      THEN fact.retired_at
      ELSE $now
    END,
    fact.retired_reason = CASE
      WHEN status IN ['active', 'pending'] THEN ''
      ELSE coalesce(row.reason, fact.retired_reason, '')
    END,
    fact.is_withdrawn = CASE
      WHEN row.status IS NULL THEN fact.is_withdrawn
      ELSE status = 'forgotten' AND coalesce(row.is_withdrawn, false)
    END
  SET
    // Told again, it is as if it had been used now: decay does not take it at once.
    fact.last_accessed_at = CASE
      WHEN fact.status = 'deprecated' AND status IN ['active', 'pending'] THEN $now
      ELSE fact.last_accessed_at
    END,
    fact.deprecated_at = CASE status WHEN 'deprecated' THEN fact.deprecated_at END,
    fact.deprecated_by = CASE status WHEN 'deprecated' THEN fact.deprecated_by END
  SET
    fact.status = status,
    fact.valid_from = valid_from,
    fact.valid_to = valid_to,
    // What came meanwhile was not compared with it.
    fact.needs_comparison = true,
    fact.comparison_revision = coalesce(fact.comparison_revision, 0) + 1
}
CALL (fact, row) {
  MATCH (successor:Fact {scope: $scope, id: row.superseded_by})
  // One that comes between two takes the place of the later one.
  CALL (fact, successor) {
    MATCH (later:Fact)-[old:SUPERSEDES]->(fact)
    WHERE later <> successor
    DELETE old
  }
  MERGE (successor)-[link:SUPERSEDES]->(fact)
    ON CREATE SET
      link.reason = coalesce(row.reason, ''),
      link.at = $now
  SET successor.sensitivity = CASE
    // What follows on a secret is one, unless it was said how far it may be told.
    WHEN fact.sensitivity = 'secret' AND NOT coalesce(successor.has_own_sensitivity, false)
    THEN 'secret'
    ELSE successor.sensitivity
  END
  WITH successor
  WHERE successor.sensitivity = 'secret'
  MATCH (successor)-[:SUBJECT|OBJECT]->(:Term)-[:IN_COMMUNITY]->(c:Community)
  WITH DISTINCT c
  SET
    c.summary = '',
    c.needs_summary = true,
    c.needs_vector = false,
    c.revision = c.revision + 1
  REMOVE c.embedding_a, c.embedding_b, c.embedder_id
}
RETURN
  fact.id AS id,
  fact.status AS status,
  was_gone AND fact.status IN ['active', 'pending', 'superseded'] AS is_back
