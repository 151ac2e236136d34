// NAME     schema/intent_id
// DOES     Keep the id of an Intent unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT intent_id IF NOT EXISTS
FOR (n:Intent)
REQUIRE (n.scope, n.id) IS UNIQUE
