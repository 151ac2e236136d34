// NAME     schema/recall_trace_id
// DOES     Keep the id of a RecallTrace unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT recall_trace_id IF NOT EXISTS
FOR (n:RecallTrace)
REQUIRE (n.scope, n.id) IS UNIQUE
