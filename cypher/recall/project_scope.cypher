// NAME     recall/project_scope
// DOES     Copy what a walk may pass of one scope into a graph of the Graph Data Science library.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope         STRING          memory scope
//          graph         STRING          name of the copy, used once; recall/drop_projection ends it
//          link_weights  MAP             what a link of each type carries, >= 0
//          hub_links     INTEGER         a node with more links passes nothing on, >= 1
// RETURNS  nodes INTEGER, links INTEGER: of the copy; no row where the scope is empty
// SOURCE   graphmem, docs/recall.md
// COST     reads every node and link of the scope
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param link_weights => {MENTIONS: 1.0, NEXT: 0.5};
//          :param hub_links => 100;
CYPHER 25
MATCH (n:Turn|Term|Session)
WHERE n.scope = $scope
// Both directions are links of their own, so that a hub can be reached and passes nothing on.
OPTIONAL MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
WHERE m.scope = $scope
  AND COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } <= $hub_links
  AND coalesce(r.weight, r.cosine, 1.0) * $link_weights[type(r)] > 0
  // What is not live is reached, too, and passes nothing on.
  AND (n:Session OR n.status IN ['active', 'pending'])
WITH gds.graph.project(
  $graph,
  n,
  m,
  {
    relationshipProperties:
      CASE
        WHEN m IS NULL THEN null
        ELSE {weight: coalesce(r.weight, r.cosine, 1.0) * $link_weights[type(r)]}
      END
  }
) AS made
RETURN made.nodeCount AS nodes, made.relationshipCount AS links
