// NAME     maintain/open_communities
// DOES     Take the keys of communities away that do not stay as they are, so that others may get
//          them.
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
REMOVE c.key
