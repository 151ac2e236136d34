// NAME     recall/find_unfiltered_by_vector
// DOES     recall/find_by_vector for a question to the whole scope: ranges that let everything
//          in cost the index a third of its time.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          vector        VECTOR          of the question: the embedder's dimension, L2-normalised
//          vector_pool   INTEGER         Turns that are nominated, 1..5000
//          sample_size   INTEGER         Turns that the spread is measured on
// RETURNS  one row: vector_turns LIST of [id, session_id, speakers, milliseconds since 1970,
//          length of its analysed text, cosine], sample MAP {cosines, mean, deviation}
// SOURCE   Graph Memory, "Query-first recall"
// COST     one vector probe and 64 cosines
// TRY      :param scope => 'demo';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param vector_pool => 50;
//          :param sample_size => 64;
CYPHER 25
CALL () {
  MATCH (t:Turn)
  // One status by equality: IN inside of SEARCH needs a newer server than the rest does.
  SEARCH t IN (
    VECTOR INDEX turn_embedding_{slot}
    FOR $vector
    WHERE t.scope = $scope AND t.status = 'active'
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
