// NAME     graph/lock_decision
// DOES     Lock a Decision that waits, with the Fact that it is about; none where it waits no more.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          id     STRING  the Decision
//          state  STRING  'open' or 'unchecked': what it waits in
// RETURNS  fact_id STRING
// SOURCE   Graphorin, conflict_check_pending
// TRY      :param scope => 'demo';
//          :param id => 'd1';
//          :param state => 'open';
CYPHER 25
MATCH (decision:Decision {scope: $scope, id: $id})
// Nothing changes, but writing takes the lock: another process may have settled it meanwhile.
SET decision.text = decision.text
WITH decision.id AS id
MATCH (decision:Decision {scope: $scope, id: id})-[:ABOUT]->(fact:Fact)
WHERE decision.state = $state
RETURN fact.id AS fact_id
