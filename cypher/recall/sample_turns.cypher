// NAME     recall/sample_turns
// DOES     A random sample of live turns with their text and vector, the same each time.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING   memory scope
//          embedder_id  STRING   whose vectors are wanted
//          sample_size  INTEGER  the most turns, >= 1
//          least_words  INTEGER  turns of fewer words are passed over
// RETURNS  text STRING, embedding LIST<FLOAT>
// SOURCE   graphmem, docs/embed.md
// COST     reads the vectors of the sample
// TRY      :param scope => 'demo';
//          :param embedder_id => 'local:all-minilm-l6-v2-int8@384';
//          :param sample_size => 5;
//          :param least_words => 6;
CYPHER 25
// Ids are hashes: the first ones in their index are a random sample.
MATCH (t:Turn)
WHERE t.scope = $scope AND t.id >= ''
  AND t.status IN ['active', 'pending']
  AND t.embedder_id = $embedder_id
  AND size(split(t.text, ' ')) >= $least_words
WITH t
LIMIT $sample_size
RETURN t.text AS text, toFloatList(t.embedding_{slot}) AS embedding
