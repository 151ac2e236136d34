// NAME     maintain/order_communities
// DOES     Number communities whose members stay, by their size.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          rows   LIST<MAP>  {id, ordinal}, sorted by id
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param rows => [];
CYPHER 25
UNWIND $rows AS row
MATCH (c:Community {scope: $scope, id: row.id})
SET c.ordinal = row.ordinal
