// NAME     tiers/search_facts_by_text
// DOES     The facts that share words with a question, best first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope           STRING          memory scope
//          fact_query      STRING          Lucene query over Facts with the scope in it
//          statuses        LIST<STRING>    of the facts that may be told
//          begun_by        ZONED DATETIME  they began to hold by then
//          ended_after     ZONED DATETIME  they hold until later than that
//          known_by        ZONED DATETIME  they were recorded by then
//          agent_id        STRING          which agent learned them; '' for any
//          tag_keys        LIST<STRING>    tags that each must have
//          looked_through  INTEGER         facts that are looked through for such, 1..100000
//          pool            INTEGER         the most facts
// RETURNS  one row: looked INTEGER, how many were looked through; found LIST<MAP>, each {id, score,
//          recorded_at, status, valid_from, valid_to, version_at, version_status,
//          version_valid_from, version_valid_to}; the versions are null until the first change
// SOURCE   Graphorin, hybrid search
// COST     one full-text probe
// TRY      :param scope => 'demo';
//          :param fact_query => '+scope_token:c3ab8ff13720e8ad +search_text:(bakery)';
//          :param statuses => ['active', 'pending'];
//          :param begun_by => datetime();
//          :param ended_after => datetime();
//          :param known_by => datetime('9999-12-31T00:00:00Z');
//          :param agent_id => '';
//          :param tag_keys => [];
//          :param looked_through => 1000;
//          :param pool => 60;
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('fact_text', $fact_query, {limit: $looked_through})
  YIELD node AS f, score
  RETURN collect({fact: f, score: score}) AS probed
}
CALL (probed) {
  UNWIND probed AS entry
  WITH entry.fact AS f, entry.score AS score
  // The scope is in the Lucene query already; this is the second wall.
  WHERE f:Fact AND f.scope = $scope AND f.status IN $statuses
    AND f.valid_from <= $begun_by AND f.valid_to > $ended_after AND f.recorded_at <= $known_by
    AND ($agent_id = '' OR f.agent_id = $agent_id)
    AND all(key IN $tag_keys WHERE EXISTS {
      MATCH (f)-[:TAGGED]->(tag:Tag)
      WHERE tag.scope = $scope AND tag.key = key
    })
  WITH f, score
  ORDER BY score DESC, f.id
  LIMIT $pool
  RETURN collect(f {
    .id, .recorded_at, .status, .valid_from, .valid_to,
    .version_at, .version_status, .version_valid_from, .version_valid_to, score: score
  }) AS found
}
RETURN size(probed) AS looked, found
