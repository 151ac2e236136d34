// NAME     maintain/drop_empty_communities
// DOES     Delete communities of which no member is left.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  communities of one transaction, >= 1
// RETURNS  dropped INTEGER
// SOURCE   Mnemosyne, "Orphan Cleanup"
// COST     reads each community of the scope
// TRY      :param scope => 'demo';
//          :param limit => 1000;
CYPHER 25
MATCH (c:Community)
WHERE c.scope = $scope AND c.id >= '' AND NOT EXISTS {
  (c)<-[:IN_COMMUNITY]-(term:Term)
  WHERE term.status = 'active'
}
WITH c
LIMIT $limit
DETACH DELETE c
RETURN count(*) AS dropped
