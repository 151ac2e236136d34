// NAME     maintain/page_uncompared
// DOES     The next Facts of a scope that wait to be compared with others; one without a vector, and
//          one whose time lies ahead, waits on.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          after        STRING          id of the last one of the page before, '' for the first page
//          limit        INTEGER         Facts of a page, >= 1
//          now          ZONED DATETIME  when they must have begun to hold
//          embedder_id  STRING          whose vectors can be compared
// RETURNS  id STRING, revision INTEGER: how often it was marked so
// SOURCE   graphmem, docs/maintain.md
// COST     the Facts that wait
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 100;
//          :param now => datetime();
//          :param embedder_id => '';
CYPHER 25
MATCH (fact:Fact)
USING INDEX fact:Fact(scope, needs_comparison, id)
WHERE fact.scope = $scope AND fact.needs_comparison = true AND fact.id > $after
  AND NOT fact.needs_vector AND fact.embedder_id = $embedder_id AND fact.valid_from <= $now
WITH fact
ORDER BY fact.scope, fact.needs_comparison, fact.id
LIMIT $limit
RETURN fact.id AS id, coalesce(fact.comparison_revision, 0) AS revision
