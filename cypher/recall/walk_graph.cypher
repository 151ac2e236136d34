// NAME     recall/walk_graph
// DOES     Personalised PageRank as a push of three rounds from the seeds; then the turns that
//          it reached and the nominated ones with their place in the conversation.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING           memory scope
//          turn_seeds    LIST<MAP>        {id, weight}, weight > 0; an id that is not there is
//                                         passed over
//          term_seeds    LIST<MAP>        as above
//          tag_seeds     LIST<MAP>        as above; shared among the turns that state its facts
//          fact_seeds    LIST<MAP>        {id, weight, ends}: weight is shared among the turns that
//                                         state it; ends goes to each Term that it is about, the
//                                         less the more turns mention it; both >= 0
//          link_weights  MAP              what a link of each type carries, >= 0
//          hub_links     INTEGER          what has more links passes nothing on, >= 1
//          kept          INTEGER          heaviest nodes that walk on in a round, >= 1
//          damping       FLOAT            share that walks on, 0..1
//          found         INTEGER          turns of the walk returned, >= 0
//          turn_ids      LIST<STRING>     nominated turns
//          vector        VECTOR?          of the question; null = no cosine is measured
//          known         LIST<STRING>     turns whose cosine is known already
//          session_from  STRING           session filter: '' for any, else the session
//          agent_from    STRING           agent filter, as session_from
//          project_from  STRING           project filter, as session_from
//          since         ZONED DATETIME   earliest time of a turn
//          until         ZONED DATETIME   latest time of a turn
//          now           ZONED DATETIME   facts of a Tag must hold at this instant
//          fact_statuses LIST<STRING>     of the Facts that it may begin at
//          narrow        BOOLEAN          whether Terms of other communities than the seeds' are closed
//          narrow_links  INTEGER          those that no more turns mention stay open, >= 0
// RETURNS  ranks, places, sessions, ends; each entry is a list: a rank [id, mass]; a place [id,
//          session_id, milliseconds since 1970, speakers, length of its analysed text, whether
//          it only asks, id of the next turn, cosine, whether the filters let it in, its use];
//          a session [id, turns]; of ends what a seed fact gave each Term that it is about; use is
//          null or [times recalled, the last time in milliseconds, sum of rewards, rewards]
// SOURCE   HippoRAG 2, "Personalized PageRank"; Graph Memory, "PPR"; tests/oracles/pagerank.py
//          is its twin
// COST     3 * kept nodes with their links, and 5 turns for each nominated one
// TRY      :param scope => 'demo';
//          :param turn_seeds => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN {id: t.id, weight: 1.0} LIMIT 3
//          };
//          :param term_seeds => [];
//          :param tag_seeds => [];
//          :param fact_seeds => [];
//          :param link_weights => {
//            MENTIONS: 1.0, NEXT: 0.5, HAS_TURN: 0.1, STATES: 1.0, SUBJECT: 1.0, OBJECT: 1.0,
//            TAGGED: 0.2, SIMILAR: 0.5
//          };
//          :param hub_links => 100;
//          :param kept => 24;
//          :param damping => 0.5;
//          :param found => 20;
//          :param turn_ids => [];
//          :param vector => null;
//          :param known => [];
//          :param session_from => '';
//          :param agent_from => '';
//          :param project_from => '';
//          :param since => datetime('0001-01-01T00:00:00Z');
//          :param until => datetime('9999-12-31T00:00:00Z');
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
//          :param narrow => true;
//          :param narrow_links => 5;
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
WITH collect([n, weight]) AS given, sum(weight) AS total
// An entry is [node, mass], a link [node, weight]: seeds are both.
WITH [seed IN given | [seed[0], seed[1] / total]] AS seeds
WITH seeds, seeds AS mass_0
CALL (seeds) {
  // The communities of what the question is about; none where they do not narrow.
  UNWIND CASE WHEN $narrow THEN seeds ELSE [] END AS seed
  WITH seed[0] AS n
  MATCH (n:Term)-[:IN_COMMUNITY]->(c:Community)
  WHERE c.scope = $scope
  RETURN collect(DISTINCT c) AS near
}
// Round 1.
CALL (mass_0, seeds, near) {
  UNWIND mass_0 AS entry
  WITH entry[0] AS n, entry[1] AS mass
  WHERE (n:Session OR n.status IN ['active', 'pending'])
    // A common Term of another community than those that the question is about ends it there.
    AND (
      size(near) = 0 OR NOT n:Term OR COUNT { (n)<-[:MENTIONS]-() } <= $narrow_links OR
      NOT EXISTS { (n)-[:IN_COMMUNITY]->(c:Community) WHERE c.scope = $scope AND NOT c IN near }
    )
  WITH n, mass
  ORDER BY mass DESC, n.id
  LIMIT $kept
  OPTIONAL MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
  WHERE COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } <= $hub_links
  WITH n, mass, m, type(r) AS kind, r
  WITH n, mass, m,
    $link_weights[kind]
      * CASE kind
        WHEN 'MENTIONS' THEN coalesce(r.weight, 1.0)
        WHEN 'SIMILAR' THEN r.cosine
        ELSE 1.0
      END AS weight
  WITH n, mass, sum(weight) AS total,
    collect(CASE WHEN weight > 0 THEN [m, weight] END) AS links
  WITH
    collect([links, mass, total]) AS pushed,
    sum(CASE WHEN size(links) = 0 THEN mass ELSE 0.0 END) AS stuck
  // Mass that finds no way out goes back to where the walk began.
  UNWIND pushed + [[seeds, stuck, 1.0]] AS source
  UNWIND source[0] AS link
  WITH link[0] AS m, sum(source[1] * link[1] / source[2]) AS mass
  WHERE mass > 0
  RETURN collect([m, mass]) AS mass_1
}
// Round 2.
CALL (mass_1, seeds, near) {
  UNWIND mass_1 AS entry
  WITH entry[0] AS n, entry[1] AS mass
  WHERE (n:Session OR n.status IN ['active', 'pending'])
    // A common Term of another community than those that the question is about ends it there.
    AND (
      size(near) = 0 OR NOT n:Term OR COUNT { (n)<-[:MENTIONS]-() } <= $narrow_links OR
      NOT EXISTS { (n)-[:IN_COMMUNITY]->(c:Community) WHERE c.scope = $scope AND NOT c IN near }
    )
  WITH n, mass
  ORDER BY mass DESC, n.id
  LIMIT $kept
  OPTIONAL MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
  WHERE COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } <= $hub_links
  WITH n, mass, m, type(r) AS kind, r
  WITH n, mass, m,
    $link_weights[kind]
      * CASE kind
        WHEN 'MENTIONS' THEN coalesce(r.weight, 1.0)
        WHEN 'SIMILAR' THEN r.cosine
        ELSE 1.0
      END AS weight
  WITH n, mass, sum(weight) AS total,
    collect(CASE WHEN weight > 0 THEN [m, weight] END) AS links
  WITH
    collect([links, mass, total]) AS pushed,
    sum(CASE WHEN size(links) = 0 THEN mass ELSE 0.0 END) AS stuck
  // Mass that finds no way out goes back to where the walk began.
  UNWIND pushed + [[seeds, stuck, 1.0]] AS source
  UNWIND source[0] AS link
  WITH link[0] AS m, sum(source[1] * link[1] / source[2]) AS mass
  WHERE mass > 0
  RETURN collect([m, mass]) AS mass_2
}
// Round 3.
CALL (mass_2, seeds, near) {
  UNWIND mass_2 AS entry
  WITH entry[0] AS n, entry[1] AS mass
  WHERE (n:Session OR n.status IN ['active', 'pending'])
    // A common Term of another community than those that the question is about ends it there.
    AND (
      size(near) = 0 OR NOT n:Term OR COUNT { (n)<-[:MENTIONS]-() } <= $narrow_links OR
      NOT EXISTS { (n)-[:IN_COMMUNITY]->(c:Community) WHERE c.scope = $scope AND NOT c IN near }
    )
  WITH n, mass
  ORDER BY mass DESC, n.id
  LIMIT $kept
  OPTIONAL MATCH (n)-[r:MENTIONS|NEXT|HAS_TURN|SIMILAR]-(m:Turn|Term|Session)
  WHERE COUNT { (n)--() } - COUNT { (n)<-[:RECALLED]-() } <= $hub_links
  WITH n, mass, m, type(r) AS kind, r
  WITH n, mass, m,
    $link_weights[kind]
      * CASE kind
        WHEN 'MENTIONS' THEN coalesce(r.weight, 1.0)
        WHEN 'SIMILAR' THEN r.cosine
        ELSE 1.0
      END AS weight
  WITH n, mass, sum(weight) AS total,
    collect(CASE WHEN weight > 0 THEN [m, weight] END) AS links
  WITH
    collect([links, mass, total]) AS pushed,
    sum(CASE WHEN size(links) = 0 THEN mass ELSE 0.0 END) AS stuck
  // Mass that finds no way out goes back to where the walk began.
  UNWIND pushed + [[seeds, stuck, 1.0]] AS source
  UNWIND source[0] AS link
  WITH link[0] AS m, sum(source[1] * link[1] / source[2]) AS mass
  WHERE mass > 0
  RETURN collect([m, mass]) AS mass_3
}
CALL (mass_0, mass_1, mass_2, mass_3) {
  // What is still on its way after the last round counts where it is.
  UNWIND [
    {share: 1.0 - $damping, masses: mass_0},
    {share: (1.0 - $damping) * $damping, masses: mass_1},
    {share: (1.0 - $damping) * $damping ^ 2, masses: mass_2},
    {share: $damping ^ 3, masses: mass_3}
  ] AS round
  UNWIND round.masses AS entry
  WITH entry[0] AS t, sum(round.share * entry[1]) AS mass
  WHERE t:Turn AND t.status IN ['active', 'pending']
  ORDER BY mass DESC, t.id
  LIMIT $found
  RETURN collect([t.id, mass]) AS ranks
}
CALL (ranks) {
  UNWIND $turn_ids + [rank IN ranks | rank[0]] AS turn_id
  WITH DISTINCT turn_id
  MATCH (c:Turn)
  WHERE c.scope = $scope AND c.id = turn_id
  // Two steps forth and back in the conversation.
  MATCH (c)-[:NEXT]-{0,2}(t:Turn)
  WITH DISTINCT t
  OPTIONAL MATCH (t)-[:NEXT]->(later:Turn)
  WITH t, head(collect(later.id)) AS next_id
  // A point in time as a number: the driver takes longer to make a datetime than all the rest.
  RETURN collect([
    t.id,
    t.session_id,
    t.at.epochMillis,
    t.speakers,
    size(t.search_text),
    coalesce(t.asks, false),
    next_id,
    CASE
      WHEN t.id IN $known THEN null
      ELSE 2 * vector.similarity.cosine(t.embedding_{slot}, $vector) - 1
    END,
    t.status IN ['active', 'pending']
      AND ($session_from = '' OR t.session_id = $session_from)
      AND ($agent_from = '' OR t.agent_id = $agent_from)
      AND ($project_from = '' OR t.project = $project_from)
      AND t.at >= $since AND t.at <= $until,
    CASE
      WHEN t.recall_count > 0 OR t.reward_count > 0
      THEN [t.recall_count, t.last_accessed_at.epochMillis, t.reward_sum, t.reward_count]
    END
  ]) AS places
}
CALL (places) {
  UNWIND places AS place
  WITH DISTINCT place[1] AS session_id
  MATCH (s:Session)
  WHERE s.scope = $scope AND s.id = session_id
  RETURN collect([s.id, COUNT { (s)-[:HAS_TURN]->() }]) AS sessions
}
CALL () {
  UNWIND $fact_seeds AS seed
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = seed.id AND f.status IN $fact_statuses
  RETURN collect(COLLECT {
    MATCH (f)-[r:SUBJECT|OBJECT]->(x:Term)
    WHERE x.status IN ['active', 'pending']
    RETURN seed.ends * $link_weights[type(r)] / (1.0 + COUNT { (x)<-[:MENTIONS]-() })
  }) AS ends
}
RETURN ranks, places, sessions, ends
