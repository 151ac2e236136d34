// NAME     recall/find_by_vector
// DOES     The Turns that are nearest in meaning to a question, and the spread of cosines.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          vector        VECTOR          of the question: the embedder's dimension, L2-normalised
//          session_from  STRING          session filter: '' for any, else the session
//          session_to    STRING          the last code point for any, else the session
//          agent_from    STRING          agent filter, as session_from
//          agent_to      STRING          agent filter, as session_to
//          project_from  STRING          project filter, as session_from
//          project_to    STRING          project filter, as session_to
//          since         ZONED DATETIME  earliest time of a turn
//          until         ZONED DATETIME  latest time of a turn
//          vector_pool   INTEGER         Turns that are nominated, 1..5000
//          sample_size   INTEGER         Turns that the spread is measured on
// RETURNS  one row: vector_turns LIST of [id, session_id, speakers, milliseconds since 1970,
//          length of its analysed text, cosine], sample MAP {cosines, mean, deviation}
// SOURCE   Graph Memory, "Query-first recall"
// COST     one vector probe and 64 cosines; without a filter find_unfiltered_by_vector is faster
// TRY      :param scope => 'demo';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param session_from => '';
//          :param session_to => '\U0010FFFF';
//          :param agent_from => '';
//          :param agent_to => '\U0010FFFF';
//          :param project_from => '';
//          :param project_to => '\U0010FFFF';
//          :param since => datetime('0001-01-01T00:00:00Z');
//          :param until => datetime('9999-12-31T00:00:00Z');
//          :param vector_pool => 50;
//          :param sample_size => 64;
CYPHER 25
CALL () {
  MATCH (t:Turn)
  // The index orders text by code points, plain Cypher by UTF-16: only here is the last
  // code point an upper end for every value.
  // One status by equality: IN inside of SEARCH needs a newer server than the rest does.
  SEARCH t IN (
    VECTOR INDEX turn_embedding_{slot}
    FOR $vector
    WHERE t.scope = $scope AND t.status = 'active'
      AND t.session_id >= $session_from AND t.session_id <= $session_to
      AND t.agent_id >= $agent_from AND t.agent_id <= $agent_to
      AND t.project >= $project_from AND t.project <= $project_to
      AND t.at >= $since AND t.at <= $until
    LIMIT $vector_pool
  ) SCORE AS score
  RETURN collect([
    t.id, t.session_id, t.speakers, t.at.epochMillis, size(t.search_text), 2 * score - 1
  ]) AS vector_turns
}
CALL () {
  // Ids are hashes: the first ones in their index are a random sample, the same each time.
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id >= ''
  WITH t
  LIMIT $sample_size
  WITH 2 * vector.similarity.cosine(t.embedding_{slot}, $vector) - 1 AS cosine
  RETURN {cosines: count(cosine), mean: avg(cosine), deviation: stDevP(cosine)} AS sample
}
RETURN vector_turns, sample
