// NAME     explore/latest_turns
// DOES     The latest turns of a scope with what they mention and state.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many turns, 1..200
// RETURNS  paths to draw
// SOURCE   Graph Memory, navigation graph
// TRY      :param scope => 'demo';
//          :param k => 20;
CYPHER 25
MATCH (turn:Turn)
WHERE turn.scope = $scope
WITH turn
ORDER BY turn.at DESC, turn.seq DESC
LIMIT $k
OPTIONAL MATCH said = (turn)<-[:HAS_TURN]-(session:Session)
WHERE session.scope = $scope
OPTIONAL MATCH about = (turn)-[:MENTIONS|STATES]->(thing:Term|Fact)
WHERE thing.scope = $scope
RETURN turn, said, about
