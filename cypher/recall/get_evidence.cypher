// NAME     recall/get_evidence
// DOES     Turns with their exact messages, the facts that are asked for or that they state and
//          that hold, and procedures.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING          memory scope
//          turn_ids  LIST<STRING>    turns wanted; an id that is not there is passed over
//          fact_ids  LIST<STRING>    facts wanted besides those that the turns state
//          procedure_ids LIST<STRING>  procedures wanted
//          now       ZONED DATETIME  the instant at which facts must hold
//          fact_statuses LIST<STRING>  of the facts that may be told
//          known_by  ZONED DATETIME  turns and procedures that were stored later are passed over
//          stated    INTEGER         the most facts of one turn, >= 0
// RETURNS  one row: turns LIST<MAP>, facts LIST<MAP>, procedures LIST<MAP>; a time in them is a list [seconds since
//          1970, microseconds]
// SOURCE   Graph Memory, "the payload is the exact source Q/A"
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param turn_ids => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN t.id LIMIT 3
//          };
//          :param fact_ids => [];
//          :param procedure_ids => [];
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
//          :param known_by => datetime('9999-12-31T00:00:00Z');
//          :param stated => 20;
CYPHER 25
CALL () {
  UNWIND $turn_ids AS turn_id
  MATCH (t:Turn)
  // Of a turn from before it was noted when it came, the time when it was said.
  WHERE t.scope = $scope AND t.id = turn_id AND coalesce(t.recorded_at, t.at) <= $known_by
  RETURN collect(t {
    .id, .session_id, .agent_id, .project, .seq, .text, .summary, .outcome, .intent,
    .extraction, .extracted_by, .attempts, .error, .is_partial, .status, .validated_count,
    .recall_count, .reward_sum, .reward_count, .importance, .pinned, .tier,
    at: [t.at.epochSeconds, t.at.microsecond],
    recorded_at: [t.recorded_at.epochSeconds, t.recorded_at.microsecond],
    last_accessed_at: [t.last_accessed_at.epochSeconds, t.last_accessed_at.microsecond],
    messages: COLLECT {
      MATCH (t)-[e:EVIDENCE]->(m:Message)
      WHERE m.scope = $scope
      RETURN m {.role, .name, .content, .agent_id, at: [m.at.epochSeconds, m.at.microsecond]}
      ORDER BY e.ord
    },
    fact_ids: COLLECT {
      MATCH (t)-[:STATES]->(f:Fact)
      WHERE f.scope = $scope AND f.status IN $fact_statuses
        AND f.valid_from <= $now AND f.valid_to > $now
        // Who wants a secret fact asks for facts.
        AND coalesce(f.sensitivity, '') <> 'secret'
      RETURN f.id
      ORDER BY f.recorded_at, f.id
      LIMIT $stated
    }
  }) AS turns
}
CALL (turns) {
  UNWIND $fact_ids + reduce(ids = [], turn IN turns | ids + turn.fact_ids) AS fact_id
  WITH DISTINCT fact_id
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = fact_id AND f.status IN $fact_statuses
    AND f.valid_from <= $now AND f.valid_to > $now
  RETURN collect(f {
    .id, .text, .subject, .predicate, .object, .confidence, .origin, .status,
    .validated_count, .recall_count, .reward_sum, .reward_count, .importance, .pinned, .tier,
    valid_from: [f.valid_from.epochSeconds, f.valid_from.microsecond],
    valid_to: [f.valid_to.epochSeconds, f.valid_to.microsecond],
    recorded_at: [f.recorded_at.epochSeconds, f.recorded_at.microsecond],
    last_accessed_at: [f.last_accessed_at.epochSeconds, f.last_accessed_at.microsecond],
    turn_ids: COLLECT {
      MATCH (s:Turn)-[:STATES]->(f)
      WHERE s.scope = $scope AND s.status IN ['active', 'pending']
      RETURN s.id
      ORDER BY s.at DESC, s.id
      LIMIT 20
    }
  }) AS facts
}
CALL () {
  UNWIND $procedure_ids AS procedure_id
  MATCH (p:Procedure)
  WHERE p.scope = $scope AND p.id = procedure_id AND p.status IN ['active', 'pending']
    AND p.recorded_at <= $known_by
  RETURN collect(p {
    .id, .instruction, .condition, .expected_outcome, .return_score, .priority, .activation,
    .origin, .agent_id, .status, .validated_count, .recall_count, .reward_sum, .reward_count,
    .importance, .pinned, .tier,
    recorded_at: [p.recorded_at.epochSeconds, p.recorded_at.microsecond],
    last_accessed_at: [p.last_accessed_at.epochSeconds, p.last_accessed_at.microsecond],
    intents: COLLECT {
      MATCH (p)-[:SERVES]->(i:Intent)
      WHERE i.scope = $scope
      RETURN [i.id, i.description]
      ORDER BY i.id
    },
    turn_ids: COLLECT {
      MATCH (p)-[:DERIVED_FROM]->(s:Turn)
      WHERE s.scope = $scope AND s.status IN ['active', 'pending']
      RETURN s.id
      ORDER BY s.at DESC, s.id
      LIMIT 20
    }
  }) AS procedures
}
RETURN turns, facts, procedures
