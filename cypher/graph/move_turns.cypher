// NAME     graph/move_turns
// DOES     Move turns from one extraction state to another, such as quarantined ones back to pending.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          from_state  STRING        extraction state they are in
//          to_state    STRING        extraction state they get
//          ids         LIST<STRING>  only these turns; [] = all
//          limit       INTEGER       the most turns, oldest first
// RETURNS  id STRING, in order of time
// SOURCE   Graph Memory, "Quarantine"
// COST     the turns of that state
// TRY      :param scope => 'demo';
//          :param from_state => 'quarantined';
//          :param to_state => 'pending';
//          :param ids => [];
//          :param limit => 25;
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: $from_state})
USING INDEX turn:Turn(scope, extraction)
WHERE $ids = [] OR turn.id IN $ids
WITH turn
ORDER BY turn.at, turn.seq, turn.id
LIMIT $limit
SET
  turn.extraction = $to_state,
  turn.error = ''
REMOVE turn.reply_length, turn.reply_hash
RETURN turn.id AS id
ORDER BY turn.at, turn.seq, turn.id
