// NAME     graph/count_unlinked
// DOES     Count the Terms that are to be linked to similar ones, now or once they have a vector.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING  memory scope
//          embedder_id  STRING  whose vectors are compared
// RETURNS  terms INTEGER
// SOURCE   graphmem, docs/graph.md
// COST     the Terms that wait
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
CYPHER 25
CALL () {
  MATCH (waiting:Term {scope: $scope, needs_links: true})
  USING INDEX waiting:Term(scope, needs_links)
  WHERE waiting.needs_vector = false AND waiting.embedder_id = $embedder_id
    AND waiting.status = 'active'
  RETURN count(*) AS terms
  UNION ALL
  MATCH (bare:Term {scope: $scope, needs_vector: true})
  USING INDEX bare:Term(scope, needs_vector)
  WHERE bare.status = 'active'
  RETURN count(*) AS terms
}
RETURN sum(terms) AS terms
