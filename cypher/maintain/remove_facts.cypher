// NAME     maintain/remove_facts
// DOES     Delete or deprecate Facts that are not protected, hand what they have to those that stay
//          for them, and link the run to what it changed.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          run_id       STRING          the run that does it
//          how          STRING          'delete' (the label is swapped for Tombstone) or 'deprecate'
//          by           STRING          what it is deprecated by: 'decay', 'consolidation' …
//          statuses     LIST<STRING>    what has another one stays
//          now          ZONED DATETIME  when it is recorded
//          purge_after  ZONED DATETIME  from when on a Tombstone may be deleted for good
//          losses       LIST<MAP>       {id, survivor_id, reason}, one a fact, sorted by id;
//                                       survivor_id may be null: nobody stays for it
// RETURNS  id STRING: of each that was removed; others are protected, changed or gone meanwhile
// SOURCE   Mnemosyne, "Graph Maintenance"; graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param how => 'deprecate';
//          :param by => 'decay';
//          :param statuses => ['active'];
//          :param now => datetime();
//          :param purge_after => datetime() + duration('P7D');
//          :param losses => [];
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})
WITH run
UNWIND $losses AS row
MATCH (n:Fact {scope: $scope, id: row.id})
OPTIONAL MATCH (stays:Fact {scope: $scope, id: row.survivor_id})
// Nothing changes, but writing takes the locks: what is read below was committed before.
SET
  n.text = n.text,
  stays.text = stays.text
WITH run, row
MATCH (n:Fact {scope: $scope, id: row.id})
WHERE n.status IN $statuses
  AND NOT n.pinned AND n.tier <> 'core'
  AND NOT EXISTS { (n)-[:SUPERSEDES]-(:Fact) }
  AND NOT EXISTS { (n)<-[:ABOUT|AGAINST]-(d:Decision) WHERE d.state IN ['open', 'unchecked'] }
OPTIONAL MATCH (stays:Fact {scope: $scope, id: row.survivor_id})
WHERE stays.status IN ['active', 'pending']
WITH run, row, n, stays
WHERE row.survivor_id IS NULL OR stays IS NOT NULL
CALL (n) {
  MATCH (turn:Turn)-[:STATES]->(n)
  RETURN count(turn) AS stated
}
CALL (run, n, stays) {
  WITH run, n, stays
  WHERE stays IS NOT NULL
  MATCH (n)-[:TAGGED]->(tag:Tag)
  WHERE NOT EXISTS { (stays)-[:TAGGED]->(tag) }
  CREATE (stays)-[:TAGGED {handed_by: run.id, handed_from: n.id}]->(tag)
}
CALL (run, n, stays) {
  WITH run, n, stays
  WHERE stays IS NOT NULL
  MATCH (turn:Turn)-[:STATES]->(n)
  WHERE NOT EXISTS { (turn)-[:STATES]->(stays) }
  CREATE (turn)-[:STATES {handed_by: run.id, handed_from: n.id}]->(stays)
  RETURN count(*) AS turns
}
CALL (run, n, stays) {
  WITH run, n, stays
  WHERE stays IS NOT NULL
  // Stated again, it counts there.
  CREATE (n)-[:SAME_AS {handed_by: run.id, handed_from: n.id}]->(stays)
}
CREATE (run)-[change:CHANGED]->(n)
SET
  change.how = $how,
  change.before = n.status,
  change.survivor_id = row.survivor_id,
  change.reason = row.reason,
  // What was stated without a turn counts as well.
  change.validated_count = turns + n.validated_count - stated,
  change.recall_count = n.recall_count,
  change.reward_sum = n.reward_sum,
  change.reward_count = n.reward_count
WITH row, run, n, stays, change
CALL (n, stays, change) {
  WITH n, stays, change
  WHERE stays IS NOT NULL
  SET
    stays.validated_count = stays.validated_count + change.validated_count,
    stays.recall_count = stays.recall_count + change.recall_count,
    stays.reward_sum = stays.reward_sum + change.reward_sum,
    stays.reward_count = stays.reward_count + change.reward_count,
    stays.last_accessed_at = CASE
      WHEN n.last_accessed_at > coalesce(stays.last_accessed_at, stays.recorded_at)
      THEN n.last_accessed_at
      ELSE stays.last_accessed_at
    END,
    stays.confidence = CASE
      WHEN n.confidence > stays.confidence THEN n.confidence
      ELSE stays.confidence
    END
}
CALL (n) {
  // What is said of them is another thing now: they are put into communities anew.
  MATCH (n)-[:SUBJECT|OBJECT]->(term:Term)
  SET term.needs_community = true
}
CALL (n) {
  // What it said may stand in their summaries.
  MATCH (n)-[:SUBJECT|OBJECT]->(:Term)-[:IN_COMMUNITY]->(c:Community)
  WITH DISTINCT c
  SET
    c.summary = '',
    c.needs_summary = true,
    c.needs_vector = false,
    c.revision = c.revision + 1
  REMOVE c.embedding_a, c.embedding_b, c.embedder_id
}
CALL (n, row) {
  WITH n, row
  WHERE $how = 'deprecate'
  // One entry is what was said from that time on; the first is the fact as it was recorded.
  SET
    n.version_at = coalesce(n.version_at, [n.recorded_at]) + [$now],
    n.version_valid_from = coalesce(n.version_valid_from, [n.valid_from]) + [n.valid_from],
    n.version_valid_to = coalesce(n.version_valid_to, [n.valid_to]) + [n.valid_to],
    n.version_status = coalesce(n.version_status, [n.status]) + ['deprecated'],
    n.status = 'deprecated',
    n.retired_at = $now,
    n.retired_reason = row.reason,
    n.deprecated_at = $now,
    n.deprecated_by = $by
}
CALL (n, run) {
  WITH n, run
  WHERE $how = 'delete'
  SET
    n:Tombstone,
    n.was = 'Fact',
    n.run_id = run.id,
    n.deleted_at = $now,
    n.purge_after = $purge_after
  REMOVE n:Fact
}
RETURN n.id AS id
