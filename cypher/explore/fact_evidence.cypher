// NAME     explore/fact_evidence
// DOES     Where facts come from: the turns that state them, and the exact messages.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          word   STRING   what the fact's text contains, in any case; '' = any fact
//          k      INTEGER  how many facts, 1..50
// RETURNS  paths to draw
// SOURCE   Graph Memory, "the payload is the exact source Q/A"
// COST     reads the text of each fact of the scope
// TRY      :param scope => 'demo';
//          :param word => '';
//          :param k => 10;
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND toLower(fact.text) CONTAINS toLower($word)
WITH fact
ORDER BY fact.valid_from DESC
LIMIT $k
OPTIONAL MATCH evidence = (fact)<-[:STATES]-(turn:Turn)-[:EVIDENCE]->(message:Message)
WHERE turn.scope = $scope AND message.scope = $scope
RETURN fact, evidence
