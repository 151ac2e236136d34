// NAME     schema/maintenance_run_id
// DOES     Keep the id of a MaintenanceRun unique inside its scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT maintenance_run_id IF NOT EXISTS
FOR (n:MaintenanceRun)
REQUIRE (n.scope, n.id) IS UNIQUE
