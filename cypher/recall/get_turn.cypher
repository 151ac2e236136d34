// NAME     recall/get_turn
// DOES     One turn with its exact messages and all facts that it states, whatever their status.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING  memory scope
//          turn_id  STRING  id of the turn
// RETURNS  turn MAP, facts LIST<MAP>; no row when there is no such turn
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
    .id, .session_id, .agent_id, .project, .at, .seq, .text, .summary, .outcome, .intent,
    .extraction, .extracted_by, .attempts, .error, .is_partial, .status, .validated_count,
    .recall_count, .last_accessed_at, .reward_sum, .reward_count, .importance, .pinned, .tier,
    messages: COLLECT {
      MATCH (t)-[e:EVIDENCE]->(m:Message)
      WHERE m.scope = $scope
      RETURN m {.role, .name, .content, .agent_id, .at}
      ORDER BY e.ord
    }
  } AS turn,
  COLLECT {
    MATCH (t)-[:STATES]->(f:Fact)
    WHERE f.scope = $scope
    RETURN f {
      .id, .text, .subject, .predicate, .object, .confidence, .origin, .valid_from, .valid_to,
      .recorded_at, .status, .validated_count,
      .recall_count, .last_accessed_at, .reward_sum, .reward_count, .importance, .pinned, .tier,
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
