// NAME     graph/find_successor
// DOES     The Fact that follows when one ends that still holds: it waits for that already.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING  memory scope
//          fact_id  STRING  the Fact that holds
// RETURNS  id STRING, valid_from ZONED DATETIME: one row, or none where nothing waits
// SOURCE   Graphorin, supersede chains
// TRY      :param scope => 'demo';
//          :param fact_id => 'f1';
CYPHER 25
MATCH (fact:Fact {scope: $scope, id: $fact_id})<-[:SUPERSEDES]-(successor:Fact)
WHERE successor.scope = $scope AND successor.status IN ['active', 'pending']
RETURN successor.id AS id, successor.valid_from AS valid_from
ORDER BY valid_from, id
LIMIT 1
