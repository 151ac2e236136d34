// NAME     graph/set_vectors
// DOES     Give vectors to nodes that wait for one and still say what was embedded.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          embedder_id  STRING     whose vectors they are
//          turns        LIST<MAP>  {id, summary, extraction, vector}
//          facts        LIST<MAP>  {id, vector}
//          terms        LIST<MAP>  {id, vector}
//          tags         LIST<MAP>  {id, vector}
//          intents      LIST<MAP>  {id, vector}
//          procedures   LIST<MAP>  {id, vector}
//          communities  LIST<MAP>  {id, summary, vector}
// RETURNS  nodes INTEGER
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param turns => [];
//          :param facts => [];
//          :param terms => [];
//          :param tags => [];
//          :param intents => [];
//          :param procedures => [];
//          :param communities => [];
CYPHER 25
CALL () {
  UNWIND $turns AS row
  MATCH (node:Turn {scope: $scope, id: row.id})
  // Extracted meanwhile: the write has set a vector of its own, or asks for another one.
  WHERE node.summary = row.summary AND node.extraction = row.extraction
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $facts AS row
  MATCH (node:Fact {scope: $scope, id: row.id})
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $terms AS row
  MATCH (node:Term {scope: $scope, id: row.id})
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $tags AS row
  MATCH (node:Tag {scope: $scope, id: row.id})
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $intents AS row
  MATCH (node:Intent {scope: $scope, id: row.id})
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $procedures AS row
  MATCH (node:Procedure {scope: $scope, id: row.id})
  RETURN node, row.vector AS vector
  UNION ALL
  UNWIND $communities AS row
  MATCH (node:Community {scope: $scope, id: row.id})
  // Summarised anew meanwhile, or emptied.
  WHERE node.summary = row.summary
  RETURN node, row.vector AS vector
}
WITH node, vector
WHERE node.needs_vector
CALL db.create.setNodeVectorProperty(node, 'embedding_{slot}', vector)
SET
  node.embedder_id = $embedder_id,
  node.needs_vector = false,
  // To Terms that mean the same (graph/link_similar); other nodes have no such property.
  node.needs_links = CASE WHEN node:Term THEN true END
RETURN count(*) AS nodes
