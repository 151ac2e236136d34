// NAME     graph/hand_over
// DOES     Give a Fact the evidence, Tags and counts of another one that says the same, which leads
//          to it from then on.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING  memory scope
//          from_id   STRING  the Fact that gives, and keeps its own links
//          to_id     STRING  the Fact that stays
// RETURNS  turns INTEGER: evidence that is new to it
// SOURCE   Mnemosyne, "Consolidation"; graphmem, docs/facts.md
// TRY      :param scope => 'demo';
//          :param from_id => 'f1';
//          :param to_id => 'f2';
CYPHER 25
MATCH (gives:Fact {scope: $scope, id: $from_id})
MATCH (stays:Fact {scope: $scope, id: $to_id})
CALL (gives, stays) {
  OPTIONAL MATCH (gives)-[old:SAME_AS]->(:Fact)
  DELETE old
}
MERGE (gives)-[:SAME_AS]->(stays)
WITH gives, stays
CALL (gives, stays) {
  MATCH (gives)-[:TAGGED]->(tag:Tag)
  MERGE (stays)-[:TAGGED]->(tag)
    ON CREATE SET
      stays.needs_comparison = true,
      stays.comparison_revision = coalesce(stays.comparison_revision, 0) + 1
}
CALL (gives, stays) {
  MATCH (turn:Turn)-[:STATES]->(gives)
  WHERE NOT EXISTS { (turn)-[:STATES]->(stays) }
  CREATE (turn)-[:STATES]->(stays)
  RETURN count(*) AS turns
}
CALL (gives, stays) {
  // What it had ended, the other one has ended.
  MATCH (gives)-[link:SUPERSEDES]->(ended:Fact)
  WHERE ended <> stays
  MERGE (stays)-[new:SUPERSEDES]->(ended)
    ON CREATE SET
      new.reason = link.reason,
      new.at = link.at
  DELETE link
}
CALL (gives) {
  MATCH (turn:Turn)-[:STATES]->(gives)
  RETURN count(*) AS stated
}
SET
  // What was stated without a turn counts as well.
  stays.validated_count = stays.validated_count + turns + gives.validated_count - stated,
  stays.recall_count = stays.recall_count + gives.recall_count,
  // Whichever was stated last: what is of an earlier time comes before that.
  stays.stated_at = CASE
    WHEN
      coalesce(gives.stated_at, gives.valid_from) > coalesce(stays.stated_at, stays.valid_from)
    THEN coalesce(gives.stated_at, gives.valid_from)
    ELSE coalesce(stays.stated_at, stays.valid_from)
  END,
  stays.reward_sum = stays.reward_sum + gives.reward_sum,
  stays.reward_count = stays.reward_count + gives.reward_count,
  stays.sensitivity = CASE gives.sensitivity
    WHEN 'secret' THEN 'secret'
    ELSE stays.sensitivity
  END,
  stays.confidence =
    CASE WHEN gives.confidence > stays.confidence THEN gives.confidence ELSE stays.confidence END
WITH stays, turns
CALL (stays) {
  WITH stays
  WHERE stays.sensitivity = 'secret'
  // What it says may stand in their summaries.
  MATCH (stays)-[:SUBJECT|OBJECT]->(:Term)-[:IN_COMMUNITY]->(c:Community)
  WITH DISTINCT c
  SET
    c.summary = '',
    c.needs_summary = true,
    c.needs_vector = false,
    c.revision = c.revision + 1
  REMOVE c.embedding_a, c.embedding_b, c.embedder_id
}
RETURN turns
