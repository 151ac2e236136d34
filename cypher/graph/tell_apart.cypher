// NAME     graph/tell_apart
// DOES     Take back that facts ended what is said of somebody else by now: it is told again, or
//          holds until what followed on it of the same subject.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          now    ZONED DATETIME  when that is taken back
//          key    STRING          of the Term that facts moved to; it is locked
//          rest   STRING          of the one that they moved from; locked as well
// RETURNS  id STRING, is_back BOOLEAN: the facts that changed, and whether each is told again
// SOURCE   graphmem, docs/terms.md
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param key => 'mara (potter)';
//          :param rest => 'mara';
CYPHER 25
MATCH (moved:Fact)
WHERE moved.scope = $scope AND moved.subject_key = $key AND moved.predicate_key >= ''
  AND moved.valid_from IS NOT NULL
MATCH (moved)-[link:SUPERSEDES]-(other:Fact)
WHERE other.subject_key = $rest
WITH link, startNode(link) AS later, endNode(link) AS before
// What somebody superseded by hand stays so.
WHERE NOT EXISTS {
  MATCH (later)<-[:ABOUT]-(decision:Decision)-[:AGAINST]->(before)
  WHERE decision.stage = 'explicit'
}
WITH link, before, COLLECT {
  MATCH (later)<-[:SUPERSEDES]-{0,20}(next:Fact)
  WHERE next.scope = $scope AND next.subject_key = before.subject_key
    AND next.status IN ['active', 'pending', 'superseded']
  RETURN next
  ORDER BY next.valid_from, next.id
  LIMIT 1
}[0] AS next
ORDER BY before.id
WITH collect([link, before, next]) AS found
UNWIND found AS row
WITH row[0] AS link, row[1] AS before, row[2] AS next
CALL (link) {
  // In no chain any more, they may go for others: they are compared again.
  UNWIND [startNode(link), endNode(link)] AS fact
  SET
    fact.needs_comparison = true,
    fact.comparison_revision = coalesce(fact.comparison_revision, 0) + 1
}
DELETE link
WITH before, next
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
  before.version_valid_to = coalesce(before.version_valid_to, [before.valid_to]) + [end],
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
CALL (before, next) {
  WITH before, next
  WHERE next IS NOT NULL
  MERGE (next)-[after:SUPERSEDES]->(before)
    ON CREATE SET
      after.reason = 'what was between them is said of somebody else',
      after.at = $now
}
RETURN before.id AS id, before.status IN ['active', 'pending'] AS is_back
