// NAME     schema/tag_id
// DOES     Keep the id of a Tag unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT tag_id IF NOT EXISTS
FOR (n:Tag)
REQUIRE (n.scope, n.id) IS UNIQUE
