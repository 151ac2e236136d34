// NAME     maintain/rank_projected_terms
// DOES     PageRank of the Terms of a copied graph (maintain/project_terms), with the labels that
//          they got (maintain/label_projected_terms).
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING   memory scope
//          graph       STRING   name of the copy
//          damping     FLOAT    share that walks on, 0..1
//          max_rounds  INTEGER  the most rounds, >= 1
//          tolerance   FLOAT    it ends where no score changes by more, > 0
// RETURNS  terms LIST<LIST>: of some Terms a row, of each [key, label, rank: not scaled, rank before
//          or null]
// SOURCE   Page et al., "The PageRank Citation Ranking"; Graph Data Science, "PageRank";
//          graphmem/maintain/communities/ranks.py is its twin
// COST     max_rounds at most over the whole copy
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param damping => 0.85;
//          :param max_rounds => 20;
//          :param tolerance => 1.0e-4;
CYPHER 25
CALL gds.pageRank.stream($graph, {
  // Without the weight, which takes back how often each is spoken of: that is what a rank tells.
  relationshipWeightProperty: 'share',
  dampingFactor: $damping,
  maxIterations: $max_rounds,
  tolerance: $tolerance,
  concurrency: 1
}) YIELD nodeId, score
WITH
  gds.util.asNode(nodeId) AS term,
  gds.util.nodeProperty($graph, nodeId, 'label') AS label,
  score,
  // A row each, or one of each label, takes the driver longer than all that stands in it; a single
  // one would be a message without bounds.
  nodeId % 16 AS part
WHERE term:Term AND term.scope = $scope
WITH part, collect([term.key, label, score, term.rank]) AS terms
RETURN terms
