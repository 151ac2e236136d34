// NAME     explore/pending_queue
// DOES     The decisions that wait for a judge, each with its fact, what that may contradict, and
//          the turns that state them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many decisions, 1..100
// RETURNS  paths to draw
// SOURCE   Graphorin, conflict_check_pending
// TRY      :param scope => 'demo';
//          :param k => 20;
CYPHER 25
MATCH (decision:Decision)
WHERE decision.scope = $scope AND decision.state = 'open'
WITH decision
ORDER BY decision.at
LIMIT $k
MATCH asked = (decision)-[:ABOUT|AGAINST]->(fact:Fact)
WHERE fact.scope = $scope
OPTIONAL MATCH stated = (fact)<-[:STATES]-(turn:Turn)
WHERE turn.scope = $scope
RETURN asked, stated
