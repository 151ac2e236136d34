// NAME     schema/procedure_needs_vector
// DOES     Find the Procedure nodes that wait for a vector.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX procedure_needs_vector IF NOT EXISTS
FOR (n:Procedure)
ON (n.scope, n.needs_vector)
