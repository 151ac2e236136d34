// NAME     graph/claim_turns
// DOES     Take up turns that are due, oldest first, so that no other process takes them too; they are pending then.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING          memory scope
//          state       STRING          'pending', 'quarantined' or 'local'
//          ids         LIST<STRING>    only these turns; [] = all
//          only_given  BOOLEAN         only turns that came with their extraction
//          now         ZONED DATETIME  turns that are due by then
//          owner       STRING          who takes them
//          until       ZONED DATETIME  from when on anybody else may
//          limit       INTEGER         the most turns
// RETURNS  turn MAP, given STRING (an extraction as JSON, or null), messages LIST<MAP>
// SOURCE   Graph Memory, "Turn path"
// COST     the turns of that state
// TRY      :param scope => 'demo';
//          :param state => 'pending';
//          :param ids => [];
//          :param only_given => false;
//          :param now => datetime();
//          :param owner => 'me';
//          :param until => datetime();
//          :param limit => 25;
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: $state})
USING INDEX turn:Turn(scope, extraction)
WHERE
  ($ids = [] OR turn.id IN $ids) AND
  (NOT $only_given OR turn.given IS NOT NULL) AND
  coalesce(turn.due_at, $now) <= $now
WITH turn
ORDER BY turn.at, turn.session_id, turn.seq
LIMIT $limit
// Nothing changes, but writing takes the lock. Then the turn is looked up again, by another
// name, since what was read under the first one is remembered: another process may have taken
// it meanwhile.
SET turn.text = turn.text
WITH collect(turn.id) AS locked
UNWIND locked AS id
MATCH (turn:Turn {scope: $scope, id: id})
WHERE turn.extraction = $state AND coalesce(turn.due_at, $now) <= $now
SET
  turn.extraction = 'pending',
  turn.taken_by = $owner,
  turn.due_at = $until
REMOVE turn.reply_length, turn.reply_hash
WITH turn
CALL (turn) {
  MATCH (turn)-[evidence:EVIDENCE]->(message:Message)
  WITH message
  ORDER BY evidence.ord
  RETURN
    collect(message { .role, .name, .content, .agent_id, .at }) AS messages
}
RETURN
  turn {
    .id, .session_id, .agent_id, .project, .at, .seq, .recorded_at, .text,
    .summary, .outcome, .intent,
    .extraction, .extracted_by, .attempts, .error, .is_partial, .status
  } AS turn,
  turn.given AS given,
  messages
ORDER BY turn.at, turn.session_id, turn.seq
