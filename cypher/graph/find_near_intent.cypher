// NAME     graph/find_near_intent
// DOES     Find the Intents that a description may mean: the one of its key, then those nearest to it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING  memory scope
//          key          STRING  of the description
//          vector       VECTOR  of the description
//          embedder_id  STRING  whose vector it is
//          identity     FLOAT   raw cosine from which two descriptions mean the same
// RETURNS  key STRING, description STRING, best first; no row where there is none
// SOURCE   Mnemosyne, "intent identity"
// COST     one index probe and one vector probe
// TRY      :param scope => 'demo';
//          :param key => 'deploy the web app';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param embedder_id => '';
//          :param identity => 0.95;
CYPHER 25
CALL () {
  MATCH (same:Intent {scope: $scope, key: $key})
  RETURN same AS intent, 2.0 AS cosine
  UNION ALL
  MATCH (near:Intent)
  SEARCH near IN (
    VECTOR INDEX intent_embedding_{slot}
    FOR $vector
    WHERE near.scope = $scope AND near.status = 'active'
    LIMIT 3
  ) SCORE AS score
  WITH near, 2 * score - 1 AS cosine
  WHERE cosine >= $identity AND near.embedder_id = $embedder_id
  RETURN near AS intent, cosine
}
RETURN intent.key AS key, intent.description AS description
ORDER BY cosine DESC, intent.id
