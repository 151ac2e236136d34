// NAME     recall/get_trace
// DOES     A kept answer with what it held, as far as that is still told.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING  memory scope
//          trace_id  STRING  id of the kept answer
// RETURNS  trace MAP, turns LIST<MAP {id, session_id, at, text, recalled}>,
//          facts LIST<MAP {id, text, turn_ids, recalled}>,
//          procedures LIST<MAP {id, instruction, intent, recalled}>; no row when there is no such answer
// SOURCE   Mnemosyne, "RecallTrace"
// TRY      :param scope => 'demo';
//          :param trace_id => COLLECT {
//            MATCH (r:RecallTrace) WHERE r.scope = 'demo' RETURN r.id ORDER BY r.at DESC LIMIT 1
//          }[0];
CYPHER 25
MATCH (r:RecallTrace)
WHERE r.scope = $scope AND r.id = $trace_id
RETURN
  r {
    .id, .query, .at, .as_of, .turns, .facts, .confident, .best_rejected, .degraded, .details,
    procedures: coalesce(r.procedures, 0)
  } AS trace,
  COLLECT {
    MATCH (r)-[link:RECALLED]->(t:Turn)
    WHERE t.scope = $scope
    RETURN t {.id, .session_id, .at, .text, recalled: properties(link)}
    ORDER BY link.rank
  } AS turns,
  COLLECT {
    MATCH (r)-[link:RECALLED]->(f:Fact)
    // What was forgotten, fell silent or became secret since is told by no answer of then either.
    WHERE f.scope = $scope AND f.status IN ['active', 'pending', 'superseded']
      AND coalesce(f.sensitivity, '') <> 'secret'
    RETURN f {
      .id, .text, recalled: properties(link),
      turn_ids: COLLECT {
        MATCH (s:Turn)-[:STATES]->(f)
        WHERE s.scope = $scope
        RETURN s.id
        ORDER BY s.at DESC, s.id
        LIMIT 20
      }
    }
    ORDER BY link.rank
  } AS facts,
  COLLECT {
    MATCH (r)-[link:RECALLED]->(p:Procedure)
    WHERE p.scope = $scope AND p.status IN ['active', 'pending']
    RETURN p {
      .id, .instruction, recalled: properties(link),
      intent: head(COLLECT {
        MATCH (p)-[:SERVES]->(i:Intent)
        WHERE i.scope = $scope
        RETURN i.description
        LIMIT 1
      })
    }
    ORDER BY link.rank
  } AS procedures
