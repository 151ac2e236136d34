// NAME     maintain/write_summaries
// DOES     Write summaries of communities; one that says something else waits for its vector.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          rows   LIST<MAP>  {id, revision, summary, by}, sorted by id; one whose revision is
//                            another by now waits further: what it may tell changed meanwhile
// RETURNS  changed INTEGER: how many say something else now
// SOURCE   Graph Memory, communities
// TRY      :param scope => 'demo';
//          :param rows => [];
CYPHER 25
UNWIND $rows AS row
MATCH (c:Community {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET c.size = c.size
WITH row
MATCH (c:Community {scope: $scope, id: row.id})
WHERE c.revision = row.revision
SET
  c.needs_summary = false,
  c.summary_by = row.by
WITH c, row
WHERE c.summary <> row.summary
SET
  c.summary = row.summary,
  // Without a summary there is nothing to embed; of one Term the Term itself has a vector.
  c.needs_vector = row.summary <> '' AND c.size > 1
REMOVE c.embedding_a, c.embedding_b, c.embedder_id
RETURN count(*) AS changed
