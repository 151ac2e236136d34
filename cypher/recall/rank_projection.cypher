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
//          now         ZONED DATETIME  facts must hold at this instant
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
//          :param damping => 0.5;
//          :param found => 30;
CYPHER 25
CALL () {
  UNWIND $turn_seeds AS seed
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id = seed.id AND n.status IN ['active', 'pending']
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $term_seeds AS seed
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.id = seed.id AND n.status IN ['active', 'pending']
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $tag_seeds AS seed
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.id = seed.id AND n.status IN ['active', 'pending']
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $fact_seeds AS seed
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id = seed.id AND n.status IN $fact_statuses
    AND n.valid_from <= $now AND n.valid_to > $now
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $fact_seeds AS seed
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = seed.id AND f.status IN $fact_statuses
  MATCH (f)-[:SUBJECT|OBJECT]->(n:Term)
  WHERE n.scope = $scope AND n.status IN ['active', 'pending']
  RETURN n, seed.ends / (1.0 + COUNT { (n)<-[:MENTIONS]-() }) AS weight
}
WITH n, sum(weight) AS weight
WHERE weight > 0
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
WHERE t:Turn AND t.scope = $scope AND mass > 0
RETURN t.id AS id, mass
ORDER BY mass DESC, id
LIMIT $found
