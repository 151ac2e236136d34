// NAME     maintain/find_recorded
// DOES     The live Facts of a scope that were recorded since a time and have a vector.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          since        ZONED DATETIME  the earliest time
//          embedder_id  STRING          whose vectors can be compared
// RETURNS  id STRING
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param since => datetime() - duration('P1D');
//          :param embedder_id => '';
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND fact.recorded_at >= $since
  AND fact.status IN ['active', 'pending']
  AND NOT fact.needs_vector AND fact.embedder_id = $embedder_id
RETURN fact.id AS id
ORDER BY id
