// NAME     maintain/rank_projected_terms
// DOES     PageRank of the Terms of a copied graph (maintain/project_terms), over the highest of
//          them; and with the labels that they got (maintain/label_projected_terms) all that is
//          known of them.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING   memory scope
//          graph       STRING   name of the copy
//          damping     FLOAT    share that walks on, 0..1
//          max_rounds  INTEGER  the most rounds, >= 1
//          tolerance   FLOAT    it ends where no score changes by more, > 0
// RETURNS  terms LIST<LIST>: of each label, [key, rank, community id or null, rank before or null]
// SOURCE   Page et al., "The PageRank Citation Ranking"; Graph Data Science, "PageRank";
//          graphmem/maintain/communities/ranks.py is its twin
// COST     some thirty rounds over the whole copy
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param damping => 0.85;
//          :param max_rounds => 100;
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
WITH gds.util.asNode(nodeId) AS term, gds.util.nodeProperty($graph, nodeId, 'label') AS label, score
WHERE term:Term AND term.scope = $scope
RETURN
  // A row each would be a hundred thousand.
  collect([
    term.key,
    score,
    head(COLLECT {
      MATCH (term)-[:IN_COMMUNITY]->(c:Community)
      RETURN c.id
    }),
    term.rank
  ]) AS terms,
  label
