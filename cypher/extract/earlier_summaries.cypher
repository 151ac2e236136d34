// NAME     extract/earlier_summaries
// DOES     Summaries of the turns of a session before one, the latest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING          memory scope
//          session_id  STRING          the session
//          before      ZONED DATETIME  time of the turn that is to be extracted
//          limit       INTEGER         the most summaries, 1..20
// RETURNS  summary STRING
// SOURCE   Graph Memory, "Turn path"
// TRY      :param scope => 'demo';
//          :param session_id => 's1';
//          :param before => datetime();
//          :param limit => 5;
CYPHER 25
MATCH (turn:Turn)
WHERE
  turn.scope = $scope AND
  turn.session_id = $session_id AND
  turn.at < $before AND
  // Holds for each: only with all of its properties the index is used.
  turn.seq >= 1 AND
  turn.summary <> ''
RETURN turn.summary AS summary
ORDER BY turn.scope DESC, turn.session_id DESC, turn.at DESC, turn.seq DESC
LIMIT $limit
