// NAME     tiers/list_procedures
// DOES     Ids of Procedures, the latest defined first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          statuses    LIST<STRING>  of the procedures that are wanted
//          intent_key  STRING        key of the Intent that they serve; '' = any
//          agent_id    STRING        who defined them; '' = anybody
//          k           INTEGER       the most procedures, >= 0
// RETURNS  id STRING
// SOURCE   Graphorin, procedural memory
// COST     the procedures of the scope until there are enough
// TRY      :param scope => 'demo';
//          :param statuses => ['active'];
//          :param intent_key => '';
//          :param agent_id => '';
//          :param k => 20;
CYPHER 25
MATCH (p:Procedure)
// The time is always there; named, the index finds the latest.
WHERE p.scope = $scope AND p.recorded_at IS NOT NULL
  AND p.status IN $statuses
  AND ($agent_id = '' OR p.agent_id = $agent_id)
  AND ($intent_key = '' OR EXISTS {
    (p)-[:SERVES]->(i:Intent|Tombstone)
    WHERE i.scope = $scope AND i.key = $intent_key
  })
WITH p
ORDER BY p.recorded_at DESC, p.id
LIMIT $k
RETURN p.id AS id
