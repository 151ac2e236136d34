// NAME     capture/add_turns
// DOES     Store the turns of a batch that are not there yet, with their messages.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          sessions     LIST<MAP>       {id, token, turns}, sorted by id; a turn is {id, agent_id,
//                                       agent_token, project, at, text, search_text, content_hash,
//                                       turn_key, given, speakers, asks, messages}, a message {id, role,
//                                       name, content, agent_id, at, visible, search_text}
//          taken_by     STRING          process that will extract them, '' for none
//          due_at       ZONED DATETIME  from when on anybody else may
//          now          ZONED DATETIME  when they are recorded
// RETURNS  id STRING, seq INTEGER: the turns that are new
// SOURCE   graphmem, docs/capture.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param sessions => [];
//          :param taken_by => '';
//          :param due_at => datetime();
//          :param now => datetime();
CYPHER 25
UNWIND $sessions AS row
MATCH (session:Session {scope: $scope, id: row.id})
CALL (row) {
  UNWIND row.turns AS draft
  WITH draft
  WHERE NOT EXISTS { (:Turn {scope: $scope, id: draft.id}) }
  RETURN collect(draft) AS drafts
}
// The session is locked (capture/lock_sessions): nobody else numbers its turns meanwhile.
CALL (session, row, drafts) {
  UNWIND range(0, size(drafts) - 1) AS place
  WITH session, row, drafts[place] AS draft, session.last_seq + place + 1 AS seq
  CREATE (turn:Turn {
    scope: $scope,
    scope_token: $scope_token,
    session_token: row.token,
    agent_token: draft.agent_token,
    id: draft.id,
    session_id: row.id,
    agent_id: draft.agent_id,
    project: CASE draft.project WHEN '' THEN session.project ELSE draft.project END,
    at: draft.at,
    recorded_at: $now,
    seq: seq,
    text: draft.text,
    search_text: draft.search_text,
    content_hash: draft.content_hash,
    turn_key: draft.turn_key,
    speakers: draft.speakers,
    asks: draft.asks,
    summary: '',
    outcome: 'unknown',
    intent: '',
    extraction: 'pending',
    extracted_by: '',
    given: draft.given,
    taken_by: $taken_by,
    due_at: $due_at,
    attempts: 0,
    error: '',
    is_partial: false,
    needs_vector: true,
    status: 'active',
    recall_count: 0,
    validated_count: 0,
    reward_sum: 0.0,
    reward_count: 0,
    importance: 0.5,
    pinned: false,
    tier: 'working'
  })
  CREATE (session)-[:HAS_TURN]->(turn)
  WITH session, turn, draft
  CALL (session, turn, draft) {
    UNWIND range(0, size(draft.messages) - 1) AS ord
    WITH session, turn, draft.messages[ord] AS said, ord
    CREATE (message:Message {
      scope: $scope,
      scope_token: $scope_token,
      id: said.id,
      session_id: session.id,
      turn_id: turn.id,
      seq: ord,
      role: said.role,
      name: said.name,
      content: said.content,
      agent_id: said.agent_id,
      at: said.at,
      visible: said.visible,
      search_text: said.search_text
    })
    CREATE (session)-[:HAS_MESSAGE]->(message)
    CREATE (turn)-[:EVIDENCE {ord: ord}]->(message)
  }
  RETURN collect(turn) AS added
}
SET session.last_seq = session.last_seq + size(added)
WITH added
UNWIND added AS turn
RETURN turn.id AS id, turn.seq AS seq
