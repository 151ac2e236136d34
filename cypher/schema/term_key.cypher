// NAME     schema/term_key
// DOES     Keep the key of a Term unique inside its scope, so that one name is one node.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT term_key IF NOT EXISTS
FOR (n:Term)
REQUIRE (n.scope, n.key) IS UNIQUE
