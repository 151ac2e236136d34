// NAME     tiers/get_facts
// DOES     Facts by their ids, whatever their status, with their tags and the turns that state them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          fact_ids  LIST<STRING>  facts wanted; an id that is not there is passed over
// RETURNS  fact MAP, one row a fact
// SOURCE   Graphorin, semantic tier
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param fact_ids => COLLECT {
//            MATCH (f:Fact) WHERE f.scope = 'demo' RETURN f.id LIMIT 3
//          };
CYPHER 25
UNWIND $fact_ids AS fact_id
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id = fact_id
RETURN f {
  .id, .text, .subject, .predicate, .object, .confidence, .origin, .agent_id, .sensitivity,
  .valid_from, .valid_to, .recorded_at, .retired_at, .retired_reason, .status, .validated_count,
  .recall_count, .last_accessed_at, .reward_sum, .reward_count, .importance, .pinned, .tier,
  tags: COLLECT {
    MATCH (f)-[:TAGGED]->(tag:Tag)
    WHERE tag.scope = $scope
    RETURN tag.label
    ORDER BY tag.key
  },
  turn_ids: COLLECT {
    MATCH (turn:Turn)-[:STATES]->(f)
    WHERE turn.scope = $scope AND turn.status IN ['active', 'pending']
    RETURN turn.id
    ORDER BY turn.at DESC, turn.id
    LIMIT 100
  }
} AS fact
