// NAME     maintain/close_communities
// DOES     Write down which members make up communities, and that their summaries are due.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          rows   LIST<MAP>  {id, key, size, ordinal}, sorted by id
// RETURNS  nothing
// SOURCE   Graph Memory, communities
// TRY      :param scope => 'demo';
//          :param rows => [];
CYPHER 25
UNWIND $rows AS row
MATCH (c:Community {scope: $scope, id: row.id})
SET
  c.key = row.key,
  c.size = row.size,
  c.ordinal = row.ordinal,
  c.needs_summary = true,
  c.revision = c.revision + 1
