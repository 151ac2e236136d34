// NAME     maintain/label_projected_terms
// DOES     Label the Terms of a copied graph (maintain/project_terms): those that belong together
//          get the same number.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   graph       STRING   name of the copy
//          max_rounds  INTEGER  the most rounds, >= 1
// RETURNS  rounds INTEGER, converged BOOLEAN
// SOURCE   Graph Data Science, "Label Propagation"; Graph Memory, communities;
//          graphmem/maintain/communities/label_propagation.py is its twin
// COST     some ten rounds over the whole copy
// TRY      :param graph => 'try';
//          :param max_rounds => 50;
CYPHER 25
CALL gds.labelPropagation.mutate($graph, {
  mutateProperty: 'label',
  relationshipWeightProperty: 'share',
  nodeWeightProperty: 'weight',
  maxIterations: $max_rounds,
  // One after the other: the same graph gives the same labels.
  concurrency: 1
}) YIELD ranIterations, didConverge
RETURN ranIterations AS rounds, didConverge AS converged
