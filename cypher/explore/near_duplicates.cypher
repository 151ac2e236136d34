// NAME     explore/near_duplicates
// DOES     Live facts that nearly say what one of the newest says, with the tag that leads to both.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING   memory scope
//          k          INTEGER  how many of the newest facts, 1..100
//          threshold  FLOAT    raw cosine that is to be exceeded, -1..1
// RETURNS  paths to draw
// SOURCE   graphmem, docs/maintain.md
// COST     compares each of them with all facts that share a tag with it
// TRY      :param scope => 'demo';
//          :param k => 25;
//          :param threshold => 0.85;
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND fact.id >= '' AND fact.status IN ['active', 'pending']
  AND NOT fact.needs_vector
WITH fact
ORDER BY fact.recorded_at DESC, fact.id
LIMIT $k
MATCH shared = (fact)-[:TAGGED]->(tag:Tag)<-[:TAGGED]-(other:Fact)
WHERE other.scope = $scope AND other.status IN ['active', 'pending']
  AND NOT other.needs_vector AND other.embedder_id = fact.embedder_id
  AND 2 * vector.similarity.cosine(
    coalesce(fact.embedding_a, fact.embedding_b), coalesce(other.embedding_a, other.embedding_b)
  ) - 1 > $threshold
RETURN shared
