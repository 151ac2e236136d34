// NAME     schema/tag_key
// DOES     Keep the key of a Tag unique inside its scope, so that one name is one node.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT tag_key IF NOT EXISTS
FOR (n:Tag)
REQUIRE (n.scope, n.key) IS UNIQUE
