// NAME     maintain/mark_uncompared
// DOES     Mark Facts of which nobody knows whether they were compared: they are of an older version's
//          store.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  Facts of one transaction, >= 1
// RETURNS  facts INTEGER
// SOURCE   graphmem, docs/maintain.md
// COST     reads each Fact of the scope
// TRY      :param scope => 'demo';
//          :param limit => 1000;
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND fact.id >= '' AND fact.needs_comparison IS NULL
WITH fact
LIMIT $limit
SET fact.needs_comparison = true
RETURN count(*) AS facts
