// NAME     schema/community_key
// DOES     Keep the key of a Community unique inside its scope: the same members are the same one.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT community_key IF NOT EXISTS
FOR (n:Community)
REQUIRE (n.scope, n.key) IS UNIQUE
