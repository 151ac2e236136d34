// NAME     maintain/page_terms
// DOES     The next Terms of a scope by their keys, each with its community.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          after  STRING   key of the last one of the page before, '' for the first page
//          limit  INTEGER  Terms of a page, >= 1
// RETURNS  key STRING, links INTEGER: turns that mention it and facts about it; community_id STRING:
//          null where it is in none; rank FLOAT: null where it has none
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
CYPHER 25
MATCH (term:Term)
WHERE term.scope = $scope AND term.key > $after AND term.status = 'active'
WITH term
ORDER BY term.scope, term.key
LIMIT $limit
RETURN
  term.key AS key,
  COUNT { (term)<-[:MENTIONS]-() }
    + COUNT { (term)<-[:SUBJECT]-() }
    + COUNT { (term)<-[:OBJECT]-() } AS links,
  head(COLLECT {
    MATCH (term)-[:IN_COMMUNITY]->(c:Community)
    RETURN c.id
  }) AS community_id,
  term.rank AS rank
