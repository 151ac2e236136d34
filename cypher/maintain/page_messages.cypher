// NAME     maintain/page_messages
// DOES     The next Messages of a scope, and those of them that nothing needs.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          after         STRING          id of the last one of the page before, '' for the first
//          limit         INTEGER         Messages of a page, >= 1
//          recent_turns  INTEGER         those of so many newest turns of a session stay, >= 0
//          since         ZONED DATETIME  those from then on stay
// RETURNS  last STRING: id of the last one that was looked at, null where there is none;
//          looked INTEGER; reasons LIST<MAP>: {id, content, stays}: what lets each stay,
//          'referenced', 'unextracted' or 'recent', '' where nothing does
// SOURCE   Graph Memory, message retention
// COST     one index probe a Message that no Turn refers to
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 500;
//          :param recent_turns => 0;
//          :param since => datetime();
CYPHER 25
MATCH (message:Message)
WHERE message.scope = $scope AND message.id > $after
WITH message
ORDER BY message.scope, message.id
LIMIT $limit
WITH message,
  CASE
    WHEN EXISTS { (:Turn)-[:EVIDENCE]->(message) } THEN 'referenced'
    WHEN EXISTS {
      MATCH (turn:Turn {scope: $scope, id: message.turn_id})
      WHERE turn.extraction IN ['pending', 'quarantined']
    }
    THEN 'unextracted'
    WHEN message.at >= $since THEN 'recent'
    WHEN COUNT {
      MATCH (newer:Turn)
      WHERE newer.scope = $scope AND newer.session_id = message.session_id
        AND newer.at > message.at
      WITH newer
      LIMIT $recent_turns
      RETURN newer
    } < $recent_turns
    THEN 'recent'
    ELSE ''
  END AS stays
WITH collect({
  id: message.id,
  content: CASE stays WHEN '' THEN left(message.content, 200) ELSE '' END,
  stays: stays
}) AS reasons
RETURN reasons[-1].id AS last, size(reasons) AS looked, reasons
