// NAME     capture/lock_sessions
// DOES     Make the sessions of a batch where they are missing, lock them until the end of the transaction, and tell which of its turns are there already.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          scope_token  STRING     its full-text token
//          sessions     LIST<MAP>  {id, project, first_at, last_at, turn_ids}, sorted by id
// RETURNS  id STRING, seq INTEGER, extraction STRING, content_hash STRING: turns that are there
// SOURCE   graphmem, docs/capture.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param sessions => [{id: 's1', project: '', first_at: datetime(), last_at: datetime(), turn_ids: []}];
CYPHER 25
UNWIND $sessions AS row
MERGE (session:Session {scope: $scope, id: row.id})
  ON CREATE SET
    session.scope_token = $scope_token,
    session.project = '',
    session.started_at = row.first_at,
    session.last_turn_at = row.last_at,
    session.last_seq = 0
// Writing takes the lock, always in the order of the ids: whoever adds to the same session
// waits here, and reads what the other has committed.
SET
  session.project = CASE session.project WHEN '' THEN row.project ELSE session.project END,
  session.started_at = CASE
    WHEN row.first_at < session.started_at THEN row.first_at
    ELSE session.started_at
  END,
  session.last_turn_at = CASE
    WHEN row.last_at > session.last_turn_at THEN row.last_at
    ELSE session.last_turn_at
  END
WITH row
UNWIND row.turn_ids AS turn_id
MATCH (turn:Turn {scope: $scope, id: turn_id})
RETURN
  turn.id AS id,
  turn.seq AS seq,
  turn.extraction AS extraction,
  turn.content_hash AS content_hash
