// NAME     schema/turn_by_extraction
// DOES     Find the Turns that wait for extraction or are quarantined.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX turn_by_extraction IF NOT EXISTS
FOR (n:Turn)
ON (n.scope, n.extraction)
