// NAME     schema/community_id
// DOES     Keep the id of a Community unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT community_id IF NOT EXISTS
FOR (n:Community)
REQUIRE (n.scope, n.id) IS UNIQUE
