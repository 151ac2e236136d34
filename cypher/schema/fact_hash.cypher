// NAME     schema/fact_hash
// DOES     Find the Facts of a scope that say the same to the letter.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX fact_hash IF NOT EXISTS
FOR (n:Fact)
ON (n.scope, n.canonical_hash)
