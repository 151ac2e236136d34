// NAME     recall/find_paths
// DOES     For each turn of an answer the strongest ways of at most four links that lead to it
//          from the nodes where the walk began, as mass flows in the walk.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING           memory scope
//          turn_seeds    LIST<MAP>        {id, weight}, weight > 0; an id that is not there is
//                                         passed over
//          term_seeds    LIST<MAP>        as above
//          fact_seeds    LIST<MAP>        as above
//          tag_seeds     LIST<MAP>        as above
//          turn_ids      LIST<STRING>     turns of the answer
//          link_weights  MAP              what a link of each type carries; 0 = none leads on
//          hub_links     INTEGER          a node with more links leads nowhere, >= 1
//          kept          INTEGER          strongest ways kept a round, >= 1
//          paths         INTEGER          the most ways to a turn, >= 0
//          name_length   INTEGER          characters of a statement or a turn that are sent
//          now           ZONED DATETIME   facts must hold at this instant
//          fact_statuses LIST<STRING>     of the Facts that a way may pass
// RETURNS  one row a turn that is reached: turn_id, paths; a path is [nodes, links], a node
//          [label, id, name], a link [type, id of the node that it leaves]
// SOURCE   HippoRAG 2, "Personalized PageRank": mass comes by such ways; recall/walk_graph pushes it
// COST     about 4 * kept nodes with their links
// TRY      :param scope => 'demo';
//          :param turn_seeds => [];
//          :param term_seeds => COLLECT {
//            MATCH (x:Term) WHERE x.scope = 'demo' RETURN {id: x.id, weight: 1.0} LIMIT 5
//          };
//          :param fact_seeds => [];
//          :param tag_seeds => [];
//          :param turn_ids => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN t.id LIMIT 20
//          };
//          :param link_weights => {
//            MENTIONS: 1.0, NEXT: 0.5, HAS_TURN: 0.1, STATES: 1.0, SUBJECT: 1.0, OBJECT: 1.0,
//            TAGGED: 1.0, SIMILAR: 1.0
//          };
//          :param hub_links => 200;
//          :param kept => 400;
//          :param paths => 3;
//          :param name_length => 200;
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
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
  UNWIND $fact_seeds AS seed
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id = seed.id
  RETURN n, seed.weight AS weight
  UNION ALL
  UNWIND $tag_seeds AS seed
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.id = seed.id AND n.status IN ['active', 'pending']
  RETURN n, seed.weight AS weight
}
// A way is [its end, its strength, its nodes, its links].
WITH collect(n) AS starts, collect([n, weight, [n], []]) AS ways_0
// Link 1.
CALL (ways_0, starts) {
  UNWIND ways_0 AS way
  WITH starts, way, way[0] AS n
  // As in the walk: a hub passes nothing on, and half the mass stays behind at each link.
  WITH starts, way, n, COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } AS links
  WHERE links <= $hub_links
  MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|STATES|SUBJECT|OBJECT|TAGGED|SIMILAR]-(m:Turn|Term|Fact|Session)
  WHERE NOT m IN way[2] AND (NOT m IN starts OR m.id IN $turn_ids)
    // As in the walk, which begins at facts and Tags and passes none: from a Tag to its facts alone.
    AND (NOT m:Fact OR n:Tag)
  WITH way, r, m,
    0.5 * way[1] * $link_weights[type(r)] * coalesce(r.weight, r.cosine, 1.0) / links AS strength
  WHERE strength > 0
  ORDER BY strength DESC
  WITH way[2][0] AS seed, m, head(collect([m, strength, way[2] + m, way[3] + r])) AS best
  // Once a node, not once a link: reading these is what a round costs.
  WHERE m.scope = $scope
    AND CASE
      WHEN m:Session THEN true
      WHEN m:Fact THEN m.status IN $fact_statuses AND m.valid_from <= $now AND m.valid_to > $now
      ELSE m.status IN ['active', 'pending']
    END
  ORDER BY best[1] DESC, m.id, seed.id
  LIMIT $kept
  RETURN collect(best) AS ways_1
}
// Link 2.
CALL (ways_1, starts) {
  UNWIND ways_1 AS way
  WITH starts, way, way[0] AS n
  // As in the walk: a hub passes nothing on, and half the mass stays behind at each link.
  WITH starts, way, n, COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } AS links
  WHERE links <= $hub_links
    // A way through another seed says no more than that one's own, shorter way does.
    AND NOT n IN starts
  MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|STATES|SIMILAR]-(m:Turn|Term|Session)
  WHERE NOT m IN way[2] AND (NOT m IN starts OR m.id IN $turn_ids)
  WITH way, r, m,
    0.5 * way[1] * $link_weights[type(r)] * coalesce(r.weight, r.cosine, 1.0) / links AS strength
  WHERE strength > 0
  ORDER BY strength DESC
  WITH way[2][0] AS seed, m, head(collect([m, strength, way[2] + m, way[3] + r])) AS best
  // Once a node, not once a link: reading these is what a round costs.
  WHERE m.scope = $scope
    AND (m:Session OR m.status IN ['active', 'pending'])
  ORDER BY best[1] DESC, m.id, seed.id
  LIMIT $kept
  RETURN collect(best) AS ways_2
}
// Link 3.
CALL (ways_2, starts) {
  UNWIND ways_2 AS way
  WITH starts, way, way[0] AS n
  // As in the walk: a hub passes nothing on, and half the mass stays behind at each link.
  WITH starts, way, n, COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } AS links
  WHERE links <= $hub_links
    // A way through another seed says no more than that one's own, shorter way does.
    AND NOT n IN starts
  MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
  WHERE NOT m IN way[2] AND (NOT m IN starts OR m.id IN $turn_ids)
  WITH way, r, m,
    0.5 * way[1] * $link_weights[type(r)] * coalesce(r.weight, r.cosine, 1.0) / links AS strength
  WHERE strength > 0
  ORDER BY strength DESC
  WITH way[2][0] AS seed, m, head(collect([m, strength, way[2] + m, way[3] + r])) AS best
  // Once a node, not once a link: reading these is what a round costs.
  WHERE m.scope = $scope
    AND (m:Session OR m.status IN ['active', 'pending'])
  ORDER BY best[1] DESC, m.id, seed.id
  LIMIT $kept
  RETURN collect(best) AS ways_3
}
// Link 4.
CALL (ways_3, starts) {
  // The walk has three rounds, after the links that lead from a fact or a Tag to its turns.
  UNWIND [way IN ways_3 WHERE NOT way[2][0]:Turn AND NOT way[2][0]:Term] AS way
  WITH starts, way, way[0] AS n
  // As in the walk: a hub passes nothing on, and half the mass stays behind at each link.
  WITH starts, way, n, COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } AS links
  WHERE links <= $hub_links
    // A way through another seed says no more than that one's own, shorter way does.
    AND NOT n IN starts
  MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
  WHERE NOT m IN way[2] AND (NOT m IN starts OR m.id IN $turn_ids)
  WITH way, r, m,
    0.5 * way[1] * $link_weights[type(r)] * coalesce(r.weight, r.cosine, 1.0) / links AS strength
  WHERE strength > 0
  ORDER BY strength DESC
  WITH way[2][0] AS seed, m, head(collect([m, strength, way[2] + m, way[3] + r])) AS best
  // Once a node, not once a link: reading these is what a round costs.
  WHERE m.scope = $scope
    AND (m:Session OR m.status IN ['active', 'pending'])
  ORDER BY best[1] DESC, m.id, seed.id
  LIMIT $kept
  RETURN collect(best) AS ways_4
}
CALL (ways_1, ways_2, ways_3, ways_4) {
  UNWIND ways_1 + ways_2 + ways_3 + ways_4 AS way
  WITH way, way[0] AS t
  WHERE t:Turn AND t.id IN $turn_ids
  ORDER BY way[1] DESC
  // One way from each seed, the strongest.
  WITH t, way[2][0] AS seed, head(collect(way)) AS best
  ORDER BY best[1] DESC, seed.id
  WITH t, collect(best)[..$paths] AS ways
  RETURN t.id AS turn_id, [
    way IN ways |
      [
        [
          node IN way[2] |
            [
              labels(node)[0],
              node.id,
              coalesce(node.name, node.label, left(node.text, $name_length), node.id)
            ]
        ],
        [link IN way[3] | [type(link), startNode(link).id]]
      ]
  ] AS paths
}
RETURN turn_id, paths
