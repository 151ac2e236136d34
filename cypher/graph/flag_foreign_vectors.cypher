// NAME     graph/flag_foreign_vectors
// DOES     Mark the nodes of a scope whose vector is of another embedder as waiting for a new one.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING  memory scope
//          embedder_id  STRING  the active embedder
// RETURNS  nodes INTEGER
// SOURCE   graphmem, docs/graph.md
// COST     the nodes of the scope
// TRY      :param scope => 'demo';
//          :param embedder_id => 'local:minilm@384';
CYPHER 25
CALL () {
  MATCH (node:Turn {scope: $scope})
  WHERE node.embedder_id <> $embedder_id AND NOT node.needs_vector
  RETURN node
  UNION ALL
  MATCH (node:Fact {scope: $scope})
  WHERE node.embedder_id <> $embedder_id AND NOT node.needs_vector
  RETURN node
  UNION ALL
  MATCH (node:Term {scope: $scope})
  WHERE node.embedder_id <> $embedder_id AND NOT node.needs_vector
  RETURN node
  UNION ALL
  MATCH (node:Tag {scope: $scope})
  WHERE node.embedder_id <> $embedder_id AND NOT node.needs_vector
  RETURN node
}
SET node.needs_vector = true
RETURN count(*) AS nodes
