// NAME     schema/maintenance_run_lock
// DOES     Let at most one MaintenanceRun hold the lock of a scope: those that do not have no lock.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      none
CYPHER 25
CREATE CONSTRAINT maintenance_run_lock IF NOT EXISTS
FOR (n:MaintenanceRun)
REQUIRE (n.scope, n.lock) IS UNIQUE
