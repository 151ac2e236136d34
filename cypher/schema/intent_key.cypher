// NAME     schema/intent_key
// DOES     Keep the key of an Intent unique inside its scope, so that one description is one node.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT intent_key IF NOT EXISTS
FOR (n:Intent)
REQUIRE (n.scope, n.key) IS UNIQUE
