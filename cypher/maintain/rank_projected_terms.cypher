// NAME     maintain/rank_projected_terms
// DOES     PageRank of the Terms of a copied graph (maintain/project_terms).
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING   memory scope
//          graph       STRING   name of the copy
//          damping     FLOAT    share that walks on, 0..1
//          max_rounds  INTEGER  the most rounds, >= 1
//          tolerance   FLOAT    it ends where no score changes by more, > 0
// RETURNS  key STRING, score FLOAT: of each Term, not scaled
// SOURCE   Page et al., "The PageRank Citation Ranking"; Graph Data Science, "PageRank";
//          graphmem/maintain/ranks.py is its twin
// COST     some thirty rounds over the whole copy
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param damping => 0.85;
//          :param max_rounds => 100;
//          :param tolerance => 1.0e-7;
CYPHER 25
CALL gds.pageRank.stream($graph, {
  // Not the weight, which takes back how often each is spoken of: that is what a rank tells.
  relationshipWeightProperty: 'share',
  dampingFactor: $damping,
  maxIterations: $max_rounds,
  tolerance: $tolerance,
  concurrency: 1
}) YIELD nodeId, score
WITH gds.util.asNode(nodeId) AS term, score
WHERE term:Term AND term.scope = $scope
RETURN term.key AS key, score
