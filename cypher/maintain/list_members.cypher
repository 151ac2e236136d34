// NAME     maintain/list_members
// DOES     Which Terms are in some communities.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  of communities
// RETURNS  id STRING, keys LIST<STRING>: sorted
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param ids => COLLECT {
//            MATCH (c:Community) WHERE c.scope = 'demo' RETURN c.id LIMIT 3
//          };
CYPHER 25
UNWIND $ids AS id
MATCH (c:Community {scope: $scope, id: id})
RETURN
  id,
  COLLECT {
    MATCH (c)<-[:IN_COMMUNITY]-(term:Term)
    WHERE term.status = 'active'
    RETURN term.key AS key
    ORDER BY key
  } AS keys
