// NAME     maintain/page_facts
// DOES     What the next Facts of a scope are about.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          after  STRING   id of the last one of the page before, '' for the first page
//          limit  INTEGER  Facts of a page, >= 1
// RETURNS  facts LIST<LIST>: in order, of each [id, keys of its subjects, keys of its objects]
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND fact.id > $after AND fact.status IN ['active', 'pending']
WITH fact
ORDER BY fact.scope, fact.id
LIMIT $limit
RETURN
  // One row: the driver takes longer for a row than for what stands in it.
  collect([
    fact.id,
    COLLECT {
      MATCH (fact)-[:SUBJECT]->(term:Term)
      WHERE term.scope = $scope AND term.status = 'active'
      RETURN DISTINCT term.key
    },
    COLLECT {
      MATCH (fact)-[:OBJECT]->(term:Term)
      WHERE term.scope = $scope AND term.status = 'active'
      RETURN DISTINCT term.key
    }
  ]) AS facts
