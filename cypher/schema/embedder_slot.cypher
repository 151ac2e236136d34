// NAME     schema/embedder_slot
// DOES     Let each vector slot belong to one Embedder: the lock that the first one takes.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT embedder_slot IF NOT EXISTS
FOR (n:Embedder)
REQUIRE (n.slot) IS UNIQUE
