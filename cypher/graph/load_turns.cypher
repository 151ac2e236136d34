// NAME     graph/load_turns
// DOES     Read turns by how far their extraction has come, in order of time, with their messages.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING          memory scope
//          states     LIST<STRING>    extraction states
//          ids        LIST<STRING>    only these turns; [] = all
//          from_at    ZONED DATETIME  turns after (from_at, from_id) in the order of (at, id)
//          from_id    STRING          '' = from from_at on
//          limit      INTEGER         1..10000
// RETURNS  turn MAP, given STRING (an extraction as JSON, or null), messages LIST<MAP>
// SOURCE   graphmem, docs/graph.md
// COST     the turns of these states
// TRY      :param scope => 'demo';
//          :param states => ['pending'];
//          :param ids => [];
//          :param from_at => datetime('0001-01-01T00:00:00Z');
//          :param from_id => '';
//          :param limit => 25;
CYPHER 25
MATCH (turn:Turn)
USING INDEX turn:Turn(scope, extraction)
WHERE
  turn.scope = $scope AND
  turn.extraction IN $states AND
  (turn.at > $from_at OR (turn.at = $from_at AND turn.id > $from_id)) AND
  ($ids = [] OR turn.id IN $ids)
WITH turn
ORDER BY turn.at, turn.id
LIMIT $limit
CALL (turn) {
  MATCH (turn)-[evidence:EVIDENCE]->(message:Message)
  WITH message
  ORDER BY evidence.ord
  RETURN
    collect(message { .role, .name, .content, .agent_id, .at }) AS messages
}
RETURN
  turn {
    .id, .session_id, .agent_id, .project, .at, .seq, .text, .summary, .outcome, .intent,
    .extraction, .extracted_by, .attempts, .error, .is_partial, .status
  } AS turn,
  turn.given AS given,
  messages
ORDER BY turn.at, turn.id
