// NAME     maintain/mark_communities
// DOES     Let communities whose members stay wait for a new summary: what is told of them changed.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  of communities, sorted
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (c:Community {scope: $scope, id: id})
SET
  c.needs_summary = true,
  c.revision = c.revision + 1
