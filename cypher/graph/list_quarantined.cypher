// NAME     graph/list_quarantined
// DOES     List the turns whose extraction was refused, newest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  1..10000
// RETURNS  turn_id STRING, session_id STRING, at ZONED DATETIME, reason STRING, attempts INTEGER, reply_length INTEGER, reply_hash STRING, text STRING
// SOURCE   Graph Memory, "Quarantine"
// COST     the quarantined turns of the scope
// TRY      :param scope => 'demo';
//          :param limit => 25;
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'quarantined'})
USING INDEX turn:Turn(scope, extraction)
RETURN
  turn.id AS turn_id,
  turn.session_id AS session_id,
  turn.at AS at,
  turn.error AS reason,
  turn.attempts AS attempts,
  coalesce(turn.reply_length, 0) AS reply_length,
  coalesce(turn.reply_hash, '') AS reply_hash,
  turn.text AS text
ORDER BY at DESC, turn_id
LIMIT $limit
