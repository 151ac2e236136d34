// NAME     schema/community_embedding
// DOES     Find Community nodes by vector, filtered inside the index.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   options  MAP  indexConfig: dimensions 1..4096, cosine, not quantized
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      :param options => {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25
CREATE VECTOR INDEX community_embedding_{slot} IF NOT EXISTS
FOR (n:Community)
ON n.embedding_{slot}
WITH [n.scope, n.status]
OPTIONS $options
