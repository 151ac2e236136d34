// NAME     explore/procedures_by_intent
// DOES     What a scope knows how to do: Intents with the procedures that serve them, and the turns
//          that these were learned from.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many Intents, those with the most procedures first, 1..200
// RETURNS  paths to draw
// SOURCE   Mnemosyne, routing nodes
// TRY      :param scope => 'demo';
//          :param k => 25;
CYPHER 25
MATCH (intent:Intent)
WHERE intent.scope = $scope
WITH intent
ORDER BY COUNT { (intent)<-[:SERVES]-() } DESC, intent.description
LIMIT $k
MATCH served = (intent)<-[:SERVES]-(way:Procedure)
WHERE way.scope = $scope AND way.status IN ['active', 'pending']
OPTIONAL MATCH learned = (way)-[:DERIVED_FROM]->(turn:Turn)
WHERE turn.scope = $scope
RETURN served, learned
