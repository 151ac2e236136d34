// NAME     tiers/list_decisions
// DOES     Ids of the decisions of a scope, the latest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING        memory scope
//          states  LIST<STRING>  of 'open', 'unchecked' and 'settled', those that are wanted
//          kinds   LIST<STRING>  what became of the statement, as far as it is wanted
//          k       INTEGER       the most decisions, >= 0
// RETURNS  id STRING
// SOURCE   Graphorin, fact_conflicts
// COST     reads the decisions of the scope in these states
// TRY      :param scope => 'demo';
//          :param states => ['open', 'unchecked', 'settled'];
//          :param kinds => ['admit', 'dedup', 'supersede', 'pending'];
//          :param k => 20;
CYPHER 25
MATCH (d:Decision)
WHERE d.scope = $scope AND d.state IN $states AND d.at IS NOT NULL AND d.kind IN $kinds
WITH d
ORDER BY d.at DESC, d.id
LIMIT $k
RETURN d.id AS id
