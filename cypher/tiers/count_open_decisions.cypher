// NAME     tiers/count_open_decisions
// DOES     How many decisions wait for a judge.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  waiting INTEGER
// SOURCE   Graphorin, conflict_check_pending
// TRY      :param scope => 'demo';
CYPHER 25
MATCH (d:Decision)
WHERE d.scope = $scope AND d.state = 'open' AND d.at IS NOT NULL
RETURN count(d) AS waiting
