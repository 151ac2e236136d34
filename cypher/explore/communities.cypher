// NAME     explore/communities
// DOES     The largest communities with their first members, and the facts among those.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many communities, 1..100
// RETURNS  community, paths to draw
// SOURCE   Graph Memory, communities; graphmem, docs/maintain.md
// COST     reads each community of the scope
// TRY      :param scope => 'demo';
//          :param k => 5;
CYPHER 25
MATCH (community:Community)
WHERE community.scope = $scope AND community.id >= ''
WITH community
ORDER BY community.size DESC, community.id
LIMIT $k
CALL (community) {
  MATCH (community)<-[:IN_COMMUNITY]-(term:Term)
  WHERE term.scope = $scope AND term.status = 'active'
  WITH term
  ORDER BY coalesce(term.rank, 0.0) DESC, term.key
  LIMIT 12
  RETURN collect(term) AS first
}
CALL (community, first) {
  MATCH member = (community)<-[:IN_COMMUNITY]-(term:Term)
  WHERE term.scope = $scope AND term IN first
  RETURN member AS path
  UNION ALL
  MATCH told = (one:Term)<-[:SUBJECT]-(fact:Fact)-[:OBJECT]->(other:Term)
  WHERE one.scope = $scope AND fact.scope = $scope AND other.scope = $scope
    AND one IN first AND other IN first AND fact.status IN ['active', 'pending']
    AND coalesce(fact.sensitivity, '') <> 'secret'
  RETURN told AS path
  LIMIT 50
}
RETURN community, path
