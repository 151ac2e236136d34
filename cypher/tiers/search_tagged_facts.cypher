// NAME     tiers/search_tagged_facts
// DOES     The facts with some tags that are nearest in meaning to a question, nearest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          vector       VECTOR          of the question: the embedder's dimension, L2-normalised
//          statuses     LIST<STRING>    of the facts that may be told
//          begun_by     ZONED DATETIME  they began to hold by then
//          ended_after  ZONED DATETIME  they hold until later than that
//          known_by     ZONED DATETIME  they were recorded by then
//          agent_id     STRING          which agent learned them; '' for any
//          tag_keys     LIST<STRING>    tags that each must have; at least one
//          embedder_id  STRING          whose vector it is
//          pool         INTEGER         the most facts
// RETURNS  one row: looked INTEGER, always 0; found LIST<MAP>, as in tiers/search_facts_by_text,
//          with the raw cosine as the score
// SOURCE   Graphorin, hybrid search
// COST     a cosine for each fact of the first tag
// TRY      :param scope => 'demo';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param statuses => ['active', 'pending'];
//          :param begun_by => datetime();
//          :param ended_after => datetime();
//          :param known_by => datetime('9999-12-31T00:00:00Z');
//          :param agent_id => '';
//          :param tag_keys => COLLECT {
//            MATCH (t:Tag) WHERE t.scope = 'demo' RETURN t.key ORDER BY t.key LIMIT 1
//          };
//          :param embedder_id => '';
//          :param pool => 60;
CYPHER 25
CALL () {
  MATCH (first:Tag {scope: $scope, key: $tag_keys[0]})<-[:TAGGED]-(f:Fact)
  WHERE f.scope = $scope AND f.status IN $statuses AND f.embedder_id = $embedder_id
    AND f.valid_from <= $begun_by AND f.valid_to > $ended_after AND f.recorded_at <= $known_by
    AND ($agent_id = '' OR f.agent_id = $agent_id)
    AND all(key IN $tag_keys WHERE EXISTS {
      MATCH (f)-[:TAGGED]->(tag:Tag)
      WHERE tag.scope = $scope AND tag.key = key
    })
  WITH f, 2 * vector.similarity.cosine(f.embedding_{slot}, $vector) - 1 AS score
  ORDER BY score DESC, f.id
  LIMIT $pool
  RETURN collect(f {
    .id, .recorded_at, .status, .valid_from, .valid_to,
    .version_at, .version_status, .version_valid_from, .version_valid_to, score: score
  }) AS found
}
RETURN 0 AS looked, found
