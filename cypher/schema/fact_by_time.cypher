// NAME     schema/fact_by_time
// DOES     Find the Facts of a scope that were recorded since a time.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX fact_by_time IF NOT EXISTS
FOR (n:Fact)
ON (n.scope, n.recorded_at)
