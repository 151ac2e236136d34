// NAME     maintain/find_empty_communities
// DOES     The communities of which no member is left.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          after  STRING        id of the last one of the page before, '' for the first page
//          limit  INTEGER       communities of a page, >= 1
//          gone   LIST<STRING>  ids of Terms that count as gone already
// RETURNS  id STRING, text STRING: its summary, sorted by id
// SOURCE   Mnemosyne, "Orphan Cleanup"
// COST     reads each community of the scope
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param gone => [];
CYPHER 25
MATCH (c:Community)
WHERE c.scope = $scope AND c.id > $after AND NOT EXISTS {
  (c)<-[:IN_COMMUNITY]-(term:Term)
  WHERE term.status = 'active' AND NOT term.id IN $gone
}
WITH c
ORDER BY c.scope, c.id
LIMIT $limit
RETURN c.id AS id, coalesce(c.summary, '') AS text
