// NAME     schema/embedder_id
// DOES     Keep the id of an Embedder unique in the store.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT embedder_id IF NOT EXISTS
FOR (n:Embedder)
REQUIRE (n.id) IS UNIQUE
