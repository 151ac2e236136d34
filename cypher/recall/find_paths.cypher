// NAME     recall/find_paths
// DOES     For each turn of an answer the strongest ways of at most four links that lead to it
//          from the nodes where the walk began.
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
//          paths         INTEGER          the most paths to a turn, >= 0
//          name_length   INTEGER          characters of a statement or a turn that are sent
//          now           ZONED DATETIME   facts must hold at this instant
// RETURNS  one row a turn: turn_id, paths; a path is [nodes, links], a node [label, id, name],
//          a link [type, id of the node that it leaves]
// SOURCE   HippoRAG 2, "Personalized PageRank": mass comes by such ways; recall/walk_graph pushes it
// COST     a search of four links from each seed to each turn, which meets in the middle
// TRY      :param scope => 'demo';
//          :param turn_seeds => [];
//          :param term_seeds => COLLECT {
//            MATCH (x:Term) WHERE x.scope = 'demo' RETURN {id: x.id, weight: 1.0} LIMIT 5
//          };
//          :param fact_seeds => [];
//          :param tag_seeds => [];
//          :param turn_ids => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN t.id LIMIT 3
//          };
//          :param link_weights => {
//            MENTIONS: 1.0, NEXT: 0.5, HAS_TURN: 0.1, STATES: 1.0, SUBJECT: 1.0, OBJECT: 1.0,
//            TAGGED: 1.0, SIMILAR: 1.0
//          };
//          :param hub_links => 200;
//          :param paths => 3;
//          :param name_length => 200;
//          :param now => datetime();
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
WITH n, weight
// As in the walk: a hub passes nothing on, so nothing came by it.
WHERE COUNT { (n)-[:MENTIONS|NEXT|HAS_TURN|STATES|SUBJECT|OBJECT|TAGGED|SIMILAR]-() } <= $hub_links
WITH collect([n, weight]) AS seeds
UNWIND $turn_ids AS turn_id
MATCH (t:Turn)
WHERE t.scope = $scope AND t.id = turn_id
CALL (seeds, t) {
  UNWIND seeds AS entry
  WITH seeds, entry[0] AS seed, entry[1] AS weight, t
  WHERE seed <> t
  CALL (seed, t) {
    MATCH path = ANY SHORTEST (seed)
      (
        (a:Turn|Term|Fact|Tag)
        -[r:MENTIONS|NEXT|STATES|SUBJECT|OBJECT|TAGGED|SIMILAR]-
        (b:Turn|Term|Fact|Tag)
        WHERE b.scope = $scope
          AND $link_weights[type(r)] > 0
          AND (b = t OR b.status IN ['active', 'pending'])
          AND (NOT b:Fact OR (b.valid_from <= $now AND b.valid_to > $now))
          AND (
            b = t OR
            COUNT { (b)-[:MENTIONS|NEXT|HAS_TURN|STATES|SUBJECT|OBJECT|TAGGED|SIMILAR]-() }
              <= $hub_links
          )
      ){1,4}
      (t)
    RETURN path
    UNION ALL
    // Any two turns of a session are two links apart: a way of its own, or it would hide
    // the telling ones.
    MATCH path = (seed)<-[:HAS_TURN]-(s:Session)-[:HAS_TURN]->(t)
    WHERE seed:Turn AND s.scope = $scope AND $link_weights['HAS_TURN'] > 0
      AND COUNT { (s)-[:HAS_TURN]->() } <= $hub_links
    RETURN path
  }
  // A way through another seed says no more than that one's own, shorter way does.
  WITH seed, weight, path, [other IN seeds | other[0]] AS starts
  WHERE none(node IN nodes(path)[1..-1] WHERE node IN starts)
  // Half the mass is left after each link, and a link that weighs half counts as two.
  WITH seed, path, weight * 0.5 ^ reduce(
    cost = 0.0,
    link IN relationships(path) |
      cost + 1.0 / ($link_weights[type(link)] * coalesce(link.weight, link.cosine, 1.0))
  ) AS strength
  ORDER BY strength DESC, seed.id
  LIMIT $paths
  RETURN collect([
    [
      node IN nodes(path) |
        [
          labels(node)[0],
          node.id,
          coalesce(node.name, node.label, left(node.text, $name_length), node.id)
        ]
    ],
    [link IN relationships(path) | [type(link), startNode(link).id]]
  ]) AS paths
}
RETURN t.id AS turn_id, paths
