// NAME     schema/fact_id
// DOES     Keep the id of a Fact unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT fact_id IF NOT EXISTS
FOR (n:Fact)
REQUIRE (n.scope, n.id) IS UNIQUE
