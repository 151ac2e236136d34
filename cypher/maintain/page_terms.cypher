// NAME     maintain/page_terms
// DOES     The next Terms of a scope by their keys, each with how often it is told of.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          after  STRING   key of the last one of the page before, '' for the first page
//          limit  INTEGER  Terms of a page, >= 1
// RETURNS  terms LIST<LIST>: in order, of each [key, links: turns that mention it and facts about it,
//          rank: null where it has none]
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
  // One row: the driver takes longer for a row than for what stands in it.
  collect([
    term.key,
    COUNT { (term)<-[:MENTIONS]-() }
      + COUNT { (term)<-[:SUBJECT]-() }
      + COUNT { (term)<-[:OBJECT]-() },
    term.rank
  ]) AS terms
