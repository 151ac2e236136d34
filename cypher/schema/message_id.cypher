// NAME     schema/message_id
// DOES     Keep the id of a Message unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT message_id IF NOT EXISTS
FOR (n:Message)
REQUIRE (n.scope, n.id) IS UNIQUE
