// NAME     schema/procedure_by_deprecation
// DOES     Find the Procedures of a scope that upkeep deprecated; others have no entry in it.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   Graph Memory, decay
// TRY      none
CYPHER 25
CREATE INDEX procedure_by_deprecation IF NOT EXISTS
FOR (n:Procedure)
ON (n.scope, n.deprecated_by, n.id)
