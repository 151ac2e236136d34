// NAME     maintain/label_projection
// DOES     Which Terms of a copied graph (maintain/project_terms) belong together.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING   memory scope
//          graph       STRING   name of the copy
//          max_rounds  INTEGER  the most rounds, >= 1
// RETURNS  key STRING, label INTEGER: of each Term; rounds INTEGER, converged BOOLEAN: of the whole
// SOURCE   Graph Data Science, "Label Propagation"; Graph Memory, communities;
//          graphmem/maintain/label_propagation.py is its twin
// COST     some ten rounds over the whole copy
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param max_rounds => 50;
CYPHER 25
CALL gds.labelPropagation.mutate($graph, {
  mutateProperty: 'label',
  relationshipWeightProperty: 'weight',
  maxIterations: $max_rounds,
  // One after the other: the same graph gives the same labels.
  concurrency: 1
}) YIELD ranIterations, didConverge
CALL gds.graph.nodeProperty.stream($graph, 'label') YIELD nodeId, propertyValue
WITH gds.util.asNode(nodeId) AS term, propertyValue, ranIterations, didConverge
WHERE term:Term AND term.scope = $scope
RETURN
  term.key AS key,
  propertyValue AS label,
  ranIterations AS rounds,
  didConverge AS converged
ORDER BY key
