// NAME     explore/session_path
// DOES     A conversation as one path, from its first turn on.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING   memory scope
//          session_id  STRING   the session
//          k           INTEGER  the most turns, 1..300
// RETURNS  paths to draw
// SOURCE   Graph Memory, turn navigation
// TRY      :param scope => 'demo';
//          :param session_id => COLLECT {
//            MATCH (s:Session) WHERE s.scope = 'demo' RETURN s.id ORDER BY s.id LIMIT 1
//          }[0];
//          :param k => 100;
CYPHER 25
MATCH (turn:Turn)
WHERE turn.scope = $scope AND turn.session_id = $session_id
WITH turn
ORDER BY turn.at, turn.seq
LIMIT $k
OPTIONAL MATCH step = (turn)-[:NEXT]->(later:Turn)
WHERE later.scope = $scope
RETURN turn, step
