// NAME     maintain/take_waiting_terms
// DOES     Take up a batch of Terms that wait to be put into a community: they wait no longer, and
//          what is written from now on lets them wait again.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  Terms of one transaction, >= 1
// RETURNS  key STRING, is_live BOOLEAN, community_id STRING: null where it is in none
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
RETURN
  term.key AS key,
  term.status = 'active' AS is_live,
  head(COLLECT {
    MATCH (term)-[:IN_COMMUNITY]->(c:Community)
    RETURN c.id
  }) AS community_id
