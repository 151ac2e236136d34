// NAME     recall/find_seeds_by_text
// DOES     As recall/find_seeds, for when there is no vector to ask with or no index to ask.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          turn_query    STRING?         Lucene query over Turns with scope, session and agent in it;
//                                       null = the question has no word to look for
//          fact_query    STRING?         Lucene query over Facts with the scope in it; null as above
//          token_queries LIST<MAP>       {token, query}: what counts the Turns of the scope that hold a token
//          term_keys     LIST<STRING>    keys that the question may name a Term by
//          session_from  STRING          session filter: '' for any, else the session
//          agent_from    STRING          agent filter, as session_from
//          project_from  STRING          project filter, as session_from
//          since         ZONED DATETIME  earliest time of a turn
//          until         ZONED DATETIME  latest time of a turn
//          now           ZONED DATETIME  facts must hold at this instant
//          fact_statuses LIST<STRING>    of the Facts that may be told
//          pool          INTEGER         Turns that each leg nominates, 1..5000
//          text_pool     INTEGER         best full-text matches looked through for them, >= pool
//          fact_pool     INTEGER         Facts that each leg nominates, 1..1000
//          text_length   INTEGER         characters of analysed text that are sent; a longer turn sends none
//          count_cap     INTEGER         where counting the Turns of a token ends
//          sample_size   INTEGER         Turns that the spread of cosines and lengths is measured on
//          part_pool     INTEGER         Terms that a word of the question is a part of, 1..100
// RETURNS  one row: text_turns, text_facts, tokens,
//          terms, tags, part_terms, sessions INTEGER, turns INTEGER, sample
//          MAP {length}; each entry of a list is itself a list: a turn
//          [id, session_id, speakers, milliseconds since 1970, length of its analysed text,
//          score, text, words of the question in a long one],
//          a fact [id, text or cosine, ids of its turns], a token [token, turns],
//          a term or a tag [id, name, turns or facts], and in near_* its cosine, in part_terms
//          its analysed name before the turns
// SOURCE   Graph Memory, "Query-first recall"; HippoRAG 2, linking of the query
// COST     three full-text probes, one short probe a token
// TRY      :param scope => 'demo';
//          :param turn_query => '+scope_token:c3ab8ff13720e8ad +search_text:(bakery)';
//          :param fact_query => '+scope_token:c3ab8ff13720e8ad +search_text:(bakery)';
//          :param token_queries => [];
//          :param term_keys => ['ana', 'lyon'];
//          :param session_from => '';
//          :param agent_from => '';
//          :param project_from => '';
//          :param since => datetime('0001-01-01T00:00:00Z');
//          :param until => datetime('9999-12-31T00:00:00Z');
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
//          :param pool => 100;
//          :param text_pool => 1000;
//          :param fact_pool => 100;
//          :param text_length => 4000;
//          :param count_cap => 1000;
//          :param sample_size => 128;
//          :param part_pool => 30;
CYPHER 25
CALL () {
  UNWIND CASE WHEN $turn_query IS NULL THEN [] ELSE [$turn_query] END AS asked
  CALL db.index.fulltext.queryNodes('turn_text', asked, {limit: $text_pool})
  YIELD node AS t, score
  // The scope is in the Lucene query already; this is the second wall.
  WHERE t:Turn AND t.scope = $scope AND t.status IN ['active', 'pending']
    AND ($session_from = '' OR t.session_id = $session_from)
    AND ($agent_from = '' OR t.agent_id = $agent_from)
    AND ($project_from = '' OR t.project = $project_from)
    AND t.at >= $since AND t.at <= $until
  WITH t, score
  LIMIT $pool
  RETURN collect([
    t.id,
    t.session_id,
    t.speakers,
    t.at.epochMillis,
    size(t.search_text),
    score,
    CASE WHEN size(t.search_text) <= $text_length THEN t.search_text END,
    CASE
      WHEN size(t.search_text) > $text_length
      THEN [
        asked IN $token_queries
        WHERE ' ' + t.search_text + ' ' CONTAINS ' ' + asked.token + ' ' |
        asked.token
      ]
    END
  ]) AS text_turns
}
CALL () {
  UNWIND CASE WHEN $fact_query IS NULL THEN [] ELSE [$fact_query] END AS asked
  CALL db.index.fulltext.queryNodes('fact_text', asked, {limit: $text_pool})
  YIELD node AS f, score
  WHERE f:Fact AND f.scope = $scope AND f.status IN $fact_statuses
    AND f.valid_from <= $now AND f.valid_to > $now
  WITH f, score
  LIMIT $fact_pool
  RETURN collect([
    f.id,
    left(f.search_text, $text_length),
    COLLECT {
      MATCH (t:Turn)-[:STATES]->(f)
      WHERE t.scope = $scope AND t.status IN ['active', 'pending']
        AND ($session_from = '' OR t.session_id = $session_from)
        AND ($agent_from = '' OR t.agent_id = $agent_from)
        AND ($project_from = '' OR t.project = $project_from)
        AND t.at >= $since AND t.at <= $until
      RETURN t.id
      ORDER BY t.at DESC
      LIMIT 20
    }
  ]) AS text_facts
}
CALL () {
  UNWIND $token_queries AS asked
  CALL (asked) {
    CALL db.index.fulltext.queryNodes('turn_text', asked.query, {limit: $count_cap})
    YIELD node
    RETURN count(node) AS held
  }
  RETURN collect([asked.token, held]) AS tokens
}
CALL () {
  MATCH (x:Term)
  WHERE x.scope = $scope AND x.key IN $term_keys
  RETURN collect([x.id, x.name, COUNT { (x)<-[:MENTIONS]-() }]) AS terms
}
CALL () {
  MATCH (g:Tag)
  WHERE g.scope = $scope AND g.key IN $term_keys
  RETURN collect([g.id, g.label, COUNT { (g)<-[:TAGGED]-() }]) AS tags
}
CALL () {
  // Names that a word of the question is a part of.
  UNWIND CASE WHEN $fact_query IS NULL THEN [] ELSE [$fact_query] END AS asked
  CALL db.index.fulltext.queryNodes('term_text', asked, {limit: $part_pool})
  YIELD node AS x
  WHERE x:Term AND x.scope = $scope AND x.status = 'active'
  RETURN collect([x.id, x.name, x.search_text, COUNT { (x)<-[:MENTIONS]-() }]) AS part_terms
}
CALL () {
  MATCH (s:Session)
  WHERE s.scope = $scope
  RETURN count(s) AS sessions, coalesce(sum(COUNT { (s)-[:HAS_TURN]->() }), 0) AS turns
}
CALL () {
  // Ids are hashes: the first ones in their index are a random sample, the same each time.
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id >= ''
  WITH t
  LIMIT $sample_size
  WITH size(t.search_text) AS length
  RETURN {length: avg(length)} AS sample
}
RETURN
  text_turns, text_facts, tokens,
  terms, tags, part_terms,
  sessions, turns, sample
