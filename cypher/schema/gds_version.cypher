// NAME     schema/gds_version
// DOES     Tell which Graph Data Science library the server has; refused when it has none.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  version STRING
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
RETURN gds.version() AS version
