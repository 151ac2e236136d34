// NAME     tiers/list_open_decisions
// DOES     Ids of the decisions that wait for a judge: the least tried first, then the oldest.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  the most decisions, >= 0
// RETURNS  id STRING
// SOURCE   Graphorin, conflict_check_pending
// COST     reads the waiting decisions of the scope
// TRY      :param scope => 'demo';
//          :param k => 20;
CYPHER 25
MATCH (d:Decision)
WHERE d.scope = $scope AND d.state = 'open' AND d.at IS NOT NULL
WITH d
ORDER BY d.attempts, d.at, d.id
LIMIT $k
RETURN d.id AS id
