// NAME     recall/find_by_text
// DOES     What the words of a question nominate: Turns, Facts, Procedures, Terms that share words
//          with it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope          STRING          memory scope
//          turn_query     STRING?         Lucene query over Turns with scope, session and agent in
//                                         it; null = the question has no word to look for
//          fact_query     STRING?         Lucene query over Facts with the scope in it; null as
//                                         above
//          token_queries  LIST<MAP>       {token, query}: what counts the Turns of the scope that
//                                         hold a token
//          session_from   STRING          session filter: '' for any, else the session
//          agent_from     STRING          agent filter, as session_from
//          project_from   STRING          project filter, as session_from
//          since          ZONED DATETIME  earliest time of a turn
//          until          ZONED DATETIME  latest time of a turn
//          now            ZONED DATETIME  facts must hold at this instant
//          fact_statuses  LIST<STRING>    of the Facts that may be told
//          text_pool      INTEGER         Turns that are nominated, 1..5000
//          looked_through INTEGER         best full-text matches looked through for them, >=
//                                         text_pool
//          fact_pool      INTEGER         Facts that are nominated, 1..1000
//          text_length    INTEGER         characters of analysed text that are sent; a longer turn
//                                         sends none
//          count_cap      INTEGER         where counting the Turns of a token ends
//          part_pool      INTEGER         Terms that a word of the question is a part of, 1..100
//          any_procedure  BOOLEAN         whether Procedures need no Turn that the filters let in
//          procedure_pool INTEGER         Procedures that are nominated, 0..100
// RETURNS  one row of lists, each entry a list: text_turns [id, session_id, speakers,
//          milliseconds since 1970, length of its analysed text, score, text, words of the
//          question in a long one],
//          text_facts [id, text, ids of its turns], tokens [token, turns],
//          part_terms [id, name, its analysed name or that of an alias, turns],
//          text_procedures [id, its Intent's description, its analysed text]
// SOURCE   Graph Memory, "Query-first recall"
// COST     three full-text probes, and a short one for each token; one more where the scope has
//          Procedures
// TRY      :param scope => 'demo';
//          :param turn_query => '+scope_token:c3ab8ff13720e8ad +search_text:(bakery)';
//          :param fact_query => '+scope_token:c3ab8ff13720e8ad +search_text:(bakery)';
//          :param token_queries => [];
//          :param session_from => '';
//          :param agent_from => '';
//          :param project_from => '';
//          :param since => datetime('0001-01-01T00:00:00Z');
//          :param until => datetime('9999-12-31T00:00:00Z');
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
//          :param text_pool => 50;
//          :param looked_through => 1000;
//          :param fact_pool => 50;
//          :param text_length => 4000;
//          :param count_cap => 1000;
//          :param part_pool => 30;
//          :param any_procedure => true;
//          :param procedure_pool => 10;
CYPHER 25
CALL () {
  UNWIND CASE WHEN $turn_query IS NULL THEN [] ELSE [$turn_query] END AS asked
  CALL db.index.fulltext.queryNodes('turn_text', asked, {limit: $looked_through})
  YIELD node AS t, score
  // The scope is in the Lucene query already; this is the second wall.
  WHERE t:Turn AND t.scope = $scope AND t.status IN ['active', 'pending']
    AND ($session_from = '' OR t.session_id = $session_from)
    AND ($agent_from = '' OR t.agent_id = $agent_from)
    AND ($project_from = '' OR t.project = $project_from)
    AND t.at >= $since AND t.at <= $until
  WITH t, score
  LIMIT $text_pool
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
  CALL db.index.fulltext.queryNodes('fact_text', asked, {limit: $looked_through})
  YIELD node AS f, score
  WHERE f:Fact AND f.scope = $scope AND f.status IN $fact_statuses
    AND f.valid_from <= $now AND f.valid_to > $now
    // Who wants a secret fact asks for facts.
    AND coalesce(f.sensitivity, '') <> 'secret'
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
  // Names that a word of the question is a part of.
  UNWIND CASE WHEN $fact_query IS NULL THEN [] ELSE [$fact_query] END AS asked
  CALL db.index.fulltext.queryNodes('term_text', asked, {limit: $part_pool})
  YIELD node AS said
  WHERE said:Term AND said.scope = $scope AND said.status IN ['active', 'deprecated']
  // Of one that was merged what stands for it, by the words of the alias.
  MATCH (said)-[:MERGED_INTO]->{0,20}(x:Term)
  WHERE x.status = 'active'
    // A name that only a secret fact tells is not given away.
    AND (EXISTS { (x)<-[:MENTIONS]-(:Turn) } OR EXISTS {
      (x)<-[:SUBJECT|OBJECT]-(about:Fact)
      WHERE coalesce(about.sensitivity, '') <> 'secret'
    })
  RETURN collect([x.id, x.name, said.search_text, COUNT { (x)<-[:MENTIONS]-() }]) AS part_terms
}
CALL () {
  // Most scopes have none: that is one look into an index of plain values.
  UNWIND CASE
    WHEN $fact_query IS NOT NULL AND $procedure_pool > 0 AND EXISTS {
      MATCH (one:Procedure)
      WHERE one.scope = $scope AND one.id >= ''
    }
    THEN [$fact_query]
    ELSE []
  END AS asked
  CALL db.index.fulltext.queryNodes('procedure_text', asked, {limit: $looked_through})
  YIELD node AS p, score
  WHERE p:Procedure AND p.scope = $scope AND p.status IN ['active', 'pending']
    AND (
      ($any_procedure AND ($agent_from = '' OR p.agent_id = $agent_from)) OR EXISTS {
        (p)-[:DERIVED_FROM]->(t:Turn)
        WHERE t.scope = $scope AND t.status IN ['active', 'pending']
          AND ($session_from = '' OR t.session_id = $session_from)
          AND ($agent_from = '' OR t.agent_id = $agent_from)
          AND ($project_from = '' OR t.project = $project_from)
          AND t.at >= $since AND t.at <= $until
      }
    )
  WITH p, score
  LIMIT $procedure_pool
  RETURN collect([
    p.id,
    head(COLLECT {
      MATCH (p)-[:SERVES]->(i:Intent)
      WHERE i.scope = $scope
      RETURN i.description
      LIMIT 1
    }),
    left(p.search_text, $text_length)
  ]) AS text_procedures
}
RETURN text_turns, text_facts, tokens, part_terms, text_procedures
