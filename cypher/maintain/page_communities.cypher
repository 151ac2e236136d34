// NAME     maintain/page_communities
// DOES     The next communities of a scope by their ids, and how many Terms are in them now.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          after  STRING   id of the last one of the page before, '' for the first page
//          limit  INTEGER  communities of a page, >= 1
// RETURNS  id STRING, key STRING: null where it was left half written; size INTEGER: as it was
//          written; ordinal INTEGER, members INTEGER
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
CYPHER 25
MATCH (c:Community)
WHERE c.scope = $scope AND c.id > $after
WITH c
ORDER BY c.scope, c.id
LIMIT $limit
RETURN
  c.id AS id,
  c.key AS key,
  c.size AS size,
  c.ordinal AS ordinal,
  COUNT {
    MATCH (c)<-[:IN_COMMUNITY]-(term:Term)
    WHERE term.status = 'active'
  } AS members
