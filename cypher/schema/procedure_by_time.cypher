// NAME     schema/procedure_by_time
// DOES     Find the latest Procedures of a scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX procedure_by_time IF NOT EXISTS
FOR (n:Procedure)
ON (n.scope, n.recorded_at)
