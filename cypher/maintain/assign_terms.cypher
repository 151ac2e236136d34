// NAME     maintain/assign_terms
// DOES     Put a batch of Terms into communities, and write down their ranks.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          rows   LIST<MAP>  {key, community_id, moves, rank}, sorted by key: with moves it leaves
//                            the community that it is in for the one named, null = for none; a rank
//                            that is null stays as it is
// RETURNS  moved INTEGER
// SOURCE   Graph Memory, communities
// TRY      :param scope => 'demo';
//          :param rows => [];
CYPHER 25
UNWIND $rows AS row
MATCH (term:Term {scope: $scope, key: row.key})
SET term.rank = coalesce(row.rank, term.rank)
WITH term, row
WHERE row.moves
CALL (term) {
  MATCH (term)-[old:IN_COMMUNITY]->(:Community)
  DELETE old
}
CALL (term, row) {
  // Merged meanwhile: it is in none.
  WITH term, row
  WHERE term.status = 'active'
  MATCH (c:Community {scope: $scope, id: row.community_id})
  CREATE (term)-[:IN_COMMUNITY]->(c)
}
RETURN count(*) AS moved
