// NAME     schema/recall_trace_by_time
// DOES     Find the latest RecallTraces of a scope, and those before a time.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX recall_trace_by_time IF NOT EXISTS
FOR (n:RecallTrace)
ON (n.scope, n.at)
