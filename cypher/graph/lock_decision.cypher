// NAME     graph/lock_decision
// DOES     Lock a Decision that waits for a judge; none where it waits no more.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          id     STRING  the Decision
// RETURNS  fact_id STRING: what it is about
// SOURCE   Graphorin, conflict_check_pending
// TRY      :param scope => 'demo';
//          :param id => 'd1';
CYPHER 25
MATCH (decision:Decision {scope: $scope, id: $id})
// Nothing changes, but writing takes the lock: another process may have settled it meanwhile.
SET decision.text = decision.text
WITH decision.id AS id
MATCH (decision:Decision {scope: $scope, id: id})-[:ABOUT]->(fact:Fact)
WHERE decision.state = 'open'
RETURN fact.id AS fact_id
