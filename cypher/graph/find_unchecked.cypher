// NAME     graph/find_unchecked
// DOES     Facts that were admitted before they had a vector, and have one now; the oldest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING   memory scope
//          embedder_id  STRING   the active embedder
//          limit        INTEGER  the most, >= 1
// RETURNS  decision_id STRING, fact MAP as in graph/find_neighbours, vector
// SOURCE   graphmem, docs/facts.md
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param limit => 10;
CYPHER 25
MATCH (decision:Decision)
USING INDEX decision:Decision(scope, state, at)
WHERE decision.scope = $scope AND decision.state = 'unchecked'
  // Any time: an index is used by all of its properties.
  AND decision.at >= datetime('0001-01-01T00:00:00Z')
MATCH (decision)-[:ABOUT]->(f:Fact)
WHERE f.embedder_id = $embedder_id AND NOT f.needs_vector
WITH decision, f
ORDER BY f.valid_from, decision.at, decision.id
LIMIT $limit
RETURN
  decision.id AS decision_id,
  f {
    .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
    .is_negated, .valid_from, .valid_to, .status, .recorded_at,
    .stated_at, .retired_at, .is_withdrawn, .subject_via, .object_via
  } AS fact,
  f.embedding_{slot} AS vector
