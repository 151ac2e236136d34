// NAME     explore/recall_trace
// DOES     A kept answer: what was asked, the turns and facts that came, and what they share.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING  memory scope
//          trace_id  STRING  id of the kept answer
// RETURNS  paths to draw
// SOURCE   Mnemosyne, "RecallTrace"
// TRY      :param scope => 'demo';
//          :param trace_id => COLLECT {
//            MATCH (r:RecallTrace) WHERE r.scope = 'demo' RETURN r.id ORDER BY r.at DESC LIMIT 1
//          }[0];
CYPHER 25
MATCH (trace:RecallTrace)
WHERE trace.scope = $scope AND trace.id = $trace_id
OPTIONAL MATCH recalled = (trace)-[:RECALLED]->(thing:Turn|Fact|Procedure)
WHERE thing.scope = $scope
OPTIONAL MATCH about = (thing)-[:MENTIONS|STATES|SUBJECT|OBJECT]->(shared:Term|Fact)
WHERE shared.scope = $scope
  AND COUNT {
    (trace)-[:RECALLED]->(one:Turn|Fact)-[:MENTIONS|STATES|SUBJECT|OBJECT]->(shared)
    WHERE one.scope = $scope
  } > 1
RETURN trace, recalled, about
