// NAME     tiers/lock_decision
// DOES     Lock a decision and tell whether it still waits.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING  memory scope
//          decision_id  STRING  the decision
// RETURNS  state STRING; no row where there is none
// SOURCE   Graphorin, deep judge
// TRY      :param scope => 'demo';
//          :param decision_id => '';
CYPHER 25
MATCH (d:Decision {scope: $scope, id: $decision_id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET d.attempts = d.attempts
WITH d
RETURN d.state AS state
