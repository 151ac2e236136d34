// NAME     schema/maintenance_run_by_time
// DOES     Find the latest MaintenanceRuns of a scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX maintenance_run_by_time IF NOT EXISTS
FOR (n:MaintenanceRun)
ON (n.scope, n.at)
