// NAME     schema/term_needs_community
// DOES     Find the Term nodes that wait to be put into a community.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX term_needs_community IF NOT EXISTS
FOR (n:Term)
ON (n.scope, n.needs_community)
