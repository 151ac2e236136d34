// NAME     schema/agent_id
// DOES     Keep the id of an Agent unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT agent_id IF NOT EXISTS
FOR (n:Agent)
REQUIRE (n.scope, n.id) IS UNIQUE
