// NAME     schema/intent_needs_vector
// DOES     Find the Intent nodes that wait for a vector.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX intent_needs_vector IF NOT EXISTS
FOR (n:Intent)
ON (n.scope, n.needs_vector)
