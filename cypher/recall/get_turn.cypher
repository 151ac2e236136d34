// NAME     recall/get_turn
// DOES     One turn with its exact messages and all facts that it states, whatever their status.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING  memory scope
//          turn_id  STRING  id of the turn
// RETURNS  turn MAP, facts LIST<MAP>; no row when there is no such turn; a time in them is a
//          list [seconds since 1970, microseconds]
// SOURCE   Graph Memory, "the payload is the exact source Q/A"
// TRY      :param scope => 'demo';
//          :param turn_id => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN t.id LIMIT 1
//          }[0];
CYPHER 25
MATCH (t:Turn)
WHERE t.scope = $scope AND t.id = $turn_id
RETURN
  t {
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
    }
  } AS turn,
  COLLECT {
    MATCH (t)-[:STATES]->(f:Fact)
    WHERE f.scope = $scope
    RETURN f {
      .id, .text, .subject, .predicate, .object, .confidence, .origin, .status,
      .validated_count, .recall_count, .reward_sum, .reward_count, .importance, .pinned, .tier,
      valid_from: [f.valid_from.epochSeconds, f.valid_from.microsecond],
      valid_to: [f.valid_to.epochSeconds, f.valid_to.microsecond],
      recorded_at: [f.recorded_at.epochSeconds, f.recorded_at.microsecond],
      last_accessed_at: [f.last_accessed_at.epochSeconds, f.last_accessed_at.microsecond],
      turn_ids: COLLECT {
        MATCH (s:Turn)-[:STATES]->(f)
        WHERE s.scope = $scope
        RETURN s.id
        ORDER BY s.at DESC, s.id
        LIMIT 20
      }
    }
    ORDER BY f.recorded_at, f.id
  } AS facts
