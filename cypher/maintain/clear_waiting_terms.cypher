// NAME     maintain/clear_waiting_terms
// DOES     Let a batch of Terms wait no longer to be put into a community: all are, next; what is
//          written from now on lets them wait again. What is told no longer leaves the one that it
//          was in.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  Terms of one transaction, >= 1
// RETURNS  cleared INTEGER
// SOURCE   graphmem, docs/maintain.md
// COST     the Terms that wait
// TRY      :param scope => 'demo';
//          :param limit => 1000;
CYPHER 25
MATCH (term:Term {scope: $scope, needs_community: true})
USING INDEX term:Term(scope, needs_community)
WITH term
LIMIT $limit
// Locks are taken in the order of the keys, as in graph/write_terms. Ordered before the cut, all
// that wait would be read for each batch.
WITH term
ORDER BY term.key
SET term.needs_community = false
WITH term
CALL (term) {
  WITH term
  WHERE term.status <> 'active'
  MATCH (term)-[old:IN_COMMUNITY]->(:Community)
  DELETE old
}
RETURN count(*) AS cleared
