// NAME     schema/fact_embedding
// DOES     Find Fact nodes by vector, filtered inside the index.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   options  MAP  indexConfig: dimensions 1..4096, cosine, not quantized
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      :param options => {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}};
CYPHER 25
CREATE VECTOR INDEX fact_embedding_{slot} IF NOT EXISTS
FOR (n:Fact)
ON n.embedding_{slot}
WITH [n.scope, n.status, n.agent_id, n.valid_from, n.valid_to]
OPTIONS $options
