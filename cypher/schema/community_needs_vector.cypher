// NAME     schema/community_needs_vector
// DOES     Find the Community nodes that wait for a vector.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX community_needs_vector IF NOT EXISTS
FOR (n:Community)
ON (n.scope, n.needs_vector)
