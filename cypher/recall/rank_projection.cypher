// NAME     recall/rank_projection
// DOES     Personalised PageRank of the turns of a copied graph (recall/project_scope).
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING     memory scope
//          graph       STRING     name of the copy
//          turn_seeds  LIST<MAP>  {id, weight}, weight > 0; an id that is not there is passed over
//          term_seeds  LIST<MAP>  as above
//          tag_seeds   LIST<MAP>  as above
//          fact_seeds  LIST<MAP>  {id, weight, ends}, as in recall/walk_graph
//          fact_statuses LIST<STRING>  of the Facts that it may begin at
//          now         ZONED DATETIME  facts of a Tag must hold at this instant
//          link_weights MAP       what facts and Tags give by a link of each type, >= 0
//          hub_links   INTEGER    what has more links gives nothing, >= 1
//          damping     FLOAT      share that walks on, 0..1
//          found       INTEGER    turns returned, >= 0
// RETURNS  id STRING, mass FLOAT: best first; masses of all nodes sum to 1
// SOURCE   HippoRAG 2, "Personalized PageRank"; Graph Data Science, "PageRank"
// COST     some thirty rounds over the whole copy
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param turn_seeds => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN {id: t.id, weight: 1.0} LIMIT 3
//          };
//          :param term_seeds => [];
//          :param tag_seeds => [];
//          :param fact_seeds => [];
//          :param fact_statuses => ['active', 'pending'];
//          :param now => datetime();
//          :param link_weights => {STATES: 1.0, SUBJECT: 1.0, OBJECT: 1.0, TAGGED: 0.1};
//          :param hub_links => 100;
//          :param damping => 0.5;
//          :param found => 30;
CYPHER 25
CALL () {
  UNWIND $turn_seeds AS seed
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id = seed.id
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $term_seeds AS seed
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.id = seed.id
  RETURN n, seed.weight AS weight
  UNION ALL
  // Facts and Tags are where a walk begins, not where it passes: the turns that state a fact
  // mention what it is about anyway.
  UNWIND $fact_seeds AS seed
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = seed.id AND f.status IN $fact_statuses
    AND COUNT { (f)<-[:STATES]-() } <= $hub_links
  MATCH (f)<-[:STATES]-(n:Turn)
  RETURN n, seed.weight * $link_weights.STATES / COUNT { (f)<-[:STATES]-() } AS weight
  UNION ALL
  UNWIND $tag_seeds AS seed
  MATCH (g:Tag)
  WHERE g.scope = $scope AND g.id = seed.id AND g.status IN ['active', 'pending']
    AND COUNT { (g)<-[:TAGGED]-() } <= $hub_links
  MATCH (g)<-[:TAGGED]-(f:Fact)
  WHERE f.status IN $fact_statuses AND f.valid_from <= $now AND f.valid_to > $now
    AND COUNT { (f)<-[:STATES]-() } <= $hub_links
  MATCH (f)<-[:STATES]-(n:Turn)
  RETURN n,
    seed.weight * $link_weights.TAGGED
      / COUNT { (g)<-[:TAGGED]-() } / COUNT { (f)<-[:STATES]-() } AS weight
  UNION ALL
  // What a fact is about: the less is said of it elsewhere, the more it tells.
  UNWIND $fact_seeds AS seed
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = seed.id AND f.status IN $fact_statuses
  MATCH (f)-[r:SUBJECT|OBJECT]->(n:Term)
  RETURN n,
    seed.ends * $link_weights[type(r)] / (1.0 + COUNT { (n)<-[:MENTIONS]-() }) AS weight
}
WITH n, sum(weight) AS weight
WHERE weight > 0 AND n.status IN ['active', 'pending']
WITH collect([n, weight]) AS seeds
UNWIND CASE WHEN size(seeds) = 0 THEN [] ELSE [seeds] END AS sources
CALL gds.pageRank.stream($graph, {
  sourceNodes: sources,
  dampingFactor: $damping,
  relationshipWeightProperty: 'weight',
  maxIterations: 50,
  tolerance: 1.0e-9
}) YIELD nodeId, score
WITH collect([nodeId, score]) AS rows, sum(score) AS total
UNWIND rows AS row
WITH gds.util.asNode(row[0]) AS t, row[1] / total AS mass
// Mass without a way out is lost there: shared out over the sum it is back where it began.
WHERE t:Turn AND t.scope = $scope AND t.status IN ['active', 'pending'] AND mass > 0
RETURN t.id AS id, mass
ORDER BY mass DESC, id
LIMIT $found
