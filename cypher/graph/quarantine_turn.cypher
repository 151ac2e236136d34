// NAME     graph/quarantine_turn
// DOES     Set a turn apart whose extraction was refused; of the reply only its measure is kept.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING   memory scope
//          id            STRING   the turn
//          reason        STRING   why, such as 'truncated'
//          extracted_by  STRING   the route that answered
//          reply_length  INTEGER  characters, >= 0
//          reply_hash    STRING   of the reply, '' for none
// RETURNS  id STRING: nothing when the turn is gone or extracted by now
// SOURCE   Graph Memory, "Quarantine"
// TRY      :param scope => 'demo';
//          :param id => 't1';
//          :param reason => 'truncated';
//          :param extracted_by => 'model@host';
//          :param reply_length => 0;
//          :param reply_hash => '';
CYPHER 25
MATCH (turn:Turn {scope: $scope, id: $id})
WHERE turn.extraction IN ['pending', 'quarantined', 'local']
SET
  turn.extraction = 'quarantined',
  turn.error = $reason,
  turn.extracted_by = $extracted_by,
  turn.reply_length = $reply_length,
  turn.reply_hash = $reply_hash,
  turn.attempts = turn.attempts + 1
REMOVE turn.taken_by, turn.due_at
RETURN turn.id AS id
