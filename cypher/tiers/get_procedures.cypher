// NAME     tiers/get_procedures
// DOES     Procedures with all that is said of them, the Intent that they serve, and their turns.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope          STRING        memory scope
//          procedure_ids  LIST<STRING>  procedures wanted; an id that is not there is passed over
// RETURNS  procedure MAP
// SOURCE   Mnemosyne, "Procedural"
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param procedure_ids => COLLECT {
//            MATCH (p:Procedure) WHERE p.scope = 'demo' RETURN p.id LIMIT 5
//          };
CYPHER 25
UNWIND $procedure_ids AS procedure_id
MATCH (p:Procedure)
WHERE p.scope = $scope AND p.id = procedure_id
RETURN p {
  .id, .instruction, .condition, .expected_outcome, .return_score, .priority, .activation,
  .origin, .agent_id, .status, .recorded_at, .retired_at, .retired_reason, .deprecated_at,
  .deprecated_by, .recall_count, .last_accessed_at, .validated_count, .reward_sum, .reward_count,
  .importance, .pinned, .tier,
  // Of what is told no longer the Intent may be gone: who defines it anew has to know the words.
  intents: COLLECT {
    MATCH (p)-[:SERVES]->(i:Intent|Tombstone)
    WHERE i.scope = $scope
    RETURN [i.id, i.description]
    ORDER BY i:Tombstone, i.id
  },
  turn_ids: COLLECT {
    MATCH (p)-[:DERIVED_FROM]->(t:Turn)
    WHERE t.scope = $scope
    RETURN t.id
    ORDER BY t.at DESC, t.id
  }
} AS procedure
