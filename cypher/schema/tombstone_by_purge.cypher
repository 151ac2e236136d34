// NAME     schema/tombstone_by_purge
// DOES     Find the Tombstones of a scope whose time is over.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      none
CYPHER 25
CREATE INDEX tombstone_by_purge IF NOT EXISTS
FOR (n:Tombstone)
ON (n.scope, n.purge_after)
