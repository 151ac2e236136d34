// NAME     graph/write_procedure
// DOES     Make a Procedure with its Intent where they are missing, or count that it was defined again.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          embedder_id  STRING          whose vectors the maps hold; '' where they hold none
//          now          ZONED DATETIME  when it is recorded
//          intent       MAP             {id, key, description, vector}; vector may be null
//          procedure    MAP             {id, instruction, search_text, condition,
//                                       expected_outcome, return_score, priority, origin,
//                                       agent_id, reward_sum, reward_count, vector};
//                                       return_score and vector may be null
//          turn_ids     LIST<STRING>    turns that it was learned from, sorted
// RETURNS  turns LIST<STRING>: those of the turns that are there; is_gone BOOLEAN: whether the
//          Intent went meanwhile: the procedure would have lost it
// SOURCE   Mnemosyne, "Intent" and "Procedural"
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param embedder_id => '';
//          :param now => datetime();
//          :param intent => {id: 'i1', key: 'deploy', description: 'deploy'};
//          :param procedure => {
//            id: 'p1', instruction: 'Tag it, then push.', search_text: 'tag push deploy',
//            condition: '', expected_outcome: '', priority: 0, origin: 'defined', agent_id: '',
//            reward_sum: 0.0, reward_count: 0
//          };
//          :param turn_ids => [];
CYPHER 25
MERGE (intent:Intent {scope: $scope, key: $intent.key})
  ON CREATE SET
    intent.scope_token = $scope_token,
    intent.id = $intent.id,
    intent.description = $intent.description,
    intent.needs_vector = true
// One that upkeep let go is back with its first child. Writing takes the lock, so that what is
// read of its procedures below was committed before.
SET intent.status = 'active'
MERGE (procedure:Procedure {scope: $scope, id: $procedure.id})
  ON CREATE SET
    procedure.scope_token = $scope_token,
    procedure.instruction = $procedure.instruction,
    procedure.activation = 'intent',
    procedure.origin = $procedure.origin,
    procedure.agent_id = $procedure.agent_id,
    procedure.recorded_at = $now,
    procedure.status = 'new',
    procedure.needs_vector = true,
    procedure.recall_count = 0,
    procedure.validated_count = 0,
    procedure.reward_sum = $procedure.reward_sum,
    procedure.reward_count = $procedure.reward_count,
    procedure.importance = 0.5,
    procedure.pinned = false,
    procedure.tier = 'working'
SET procedure.validated_count = procedure.validated_count + 1
MERGE (procedure)-[:SERVES]->(intent)
WITH intent, procedure
// What was removed begins anew, with what is said now; what decayed is told again as it was.
FOREACH (_ IN CASE WHEN procedure.status IN ['new', 'forgotten'] THEN [1] ELSE [] END |
  SET
    procedure.search_text = $procedure.search_text,
    procedure.condition = $procedure.condition,
    procedure.expected_outcome = $procedure.expected_outcome,
    procedure.return_score = $procedure.return_score,
    procedure.priority = $procedure.priority
)
SET
  procedure.stated_at = $now,
  // Told again, it is as if it had been used now: decay does not take it at once.
  procedure.last_accessed_at = CASE procedure.status
    WHEN 'deprecated' THEN $now
    ELSE procedure.last_accessed_at
  END
SET
  procedure.status = 'active',
  procedure.retired_at = null,
  procedure.retired_reason = '',
  procedure.deprecated_at = null,
  procedure.deprecated_by = null
WITH intent, procedure
CALL (procedure) {
  UNWIND $turn_ids AS turn_id
  MATCH (turn:Turn {scope: $scope, id: turn_id})
  MERGE (procedure)-[:DERIVED_FROM]->(turn)
  RETURN collect(turn.id) AS turns
}
CALL (intent) {
  WITH intent
  WHERE $intent.vector IS NOT NULL
    AND (intent.needs_vector OR intent.embedder_id <> $embedder_id)
  CALL db.create.setNodeVectorProperty(intent, 'embedding_{slot}', $intent.vector)
  SET
    intent.embedder_id = $embedder_id,
    intent.needs_vector = false
}
CALL (procedure) {
  WITH procedure
  WHERE $procedure.vector IS NOT NULL
    AND (procedure.needs_vector OR procedure.embedder_id <> $embedder_id)
  CALL db.create.setNodeVectorProperty(procedure, 'embedding_{slot}', $procedure.vector)
  SET
    procedure.embedder_id = $embedder_id,
    procedure.needs_vector = false
}
// Found as an Intent, and cleaned up by upkeep while this waited for its lock.
RETURN turns, NOT intent:Intent AS is_gone
