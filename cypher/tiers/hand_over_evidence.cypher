// NAME     tiers/hand_over_evidence
// DOES     Give one fact the turns, tags and counts of another one that says the same.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING  memory scope
//          from_id    STRING  the fact that is told no longer; it keeps its own links
//          to_id      STRING  the fact that says the same and stays
// RETURNS  nothing
// SOURCE   Graphorin, deep judge: a dedup forgets, it never purges
// TRY      :param scope => 'demo';
//          :param from_id => '';
//          :param to_id => '';
CYPHER 25
MATCH (gone:Fact {scope: $scope, id: $from_id})
MATCH (stays:Fact {scope: $scope, id: $to_id})
// Turns that state both were counted for both.
WITH gone, stays, COUNT {
  MATCH (gone)<-[:STATES]-(turn:Turn)-[:STATES]->(stays)
  WHERE turn.scope = $scope
} AS shared
SET
  stays.validated_count =
    stays.validated_count
    + CASE WHEN gone.validated_count > shared THEN gone.validated_count - shared ELSE 0 END,
  stays.confidence = CASE
    WHEN gone.confidence > stays.confidence THEN gone.confidence
    ELSE stays.confidence
  END,
  stays.recall_count = coalesce(stays.recall_count, 0) + coalesce(gone.recall_count, 0),
  stays.reward_sum = coalesce(stays.reward_sum, 0.0) + coalesce(gone.reward_sum, 0.0),
  stays.reward_count = coalesce(stays.reward_count, 0) + coalesce(gone.reward_count, 0)
WITH gone, stays
CALL (gone, stays) {
  MATCH (turn:Turn)-[:STATES]->(gone)
  WHERE turn.scope = $scope
  MERGE (turn)-[:STATES]->(stays)
}
CALL (gone, stays) {
  MATCH (gone)-[:TAGGED]->(tag:Tag)
  WHERE tag.scope = $scope
  MERGE (stays)-[:TAGGED]->(tag)
}
