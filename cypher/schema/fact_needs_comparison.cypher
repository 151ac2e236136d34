// NAME     schema/fact_needs_comparison
// DOES     Find the Facts of a scope that wait to be compared with others, in the order of their ids.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX fact_needs_comparison IF NOT EXISTS
FOR (n:Fact)
ON (n.scope, n.needs_comparison, n.id)
