// NAME     tiers/get_decisions
// DOES     Decisions by their ids, with the facts that they are about.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING        memory scope
//          decision_ids  LIST<STRING>  decisions wanted; an id that is not there is passed over
// RETURNS  decision MAP, one row a decision
// SOURCE   Graphorin, fact_conflicts
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param decision_ids => COLLECT {
//            MATCH (d:Decision) WHERE d.scope = 'demo' RETURN d.id LIMIT 3
//          };
CYPHER 25
UNWIND $decision_ids AS decision_id
MATCH (d:Decision)
WHERE d.scope = $scope AND d.id = decision_id
RETURN d {
  .id, .kind, .stage, .zone, .similarity, .reason, .text, .at, .state, .attempts, .error,
  .judged_kind, .judged_reason, .judged_by, .judged_at,
  about: COLLECT {
    MATCH (d)-[:ABOUT]->(f:Fact)
    WHERE f.scope = $scope
    RETURN f.id
  },
  against: COLLECT {
    MATCH (d)-[against:AGAINST]->(f:Fact)
    WHERE f.scope = $scope
    RETURN f.id
    ORDER BY against.ord
  }
} AS decision
