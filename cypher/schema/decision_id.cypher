// NAME     schema/decision_id
// DOES     Keep the id of a Decision unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT decision_id IF NOT EXISTS
FOR (n:Decision)
REQUIRE (n.scope, n.id) IS UNIQUE
