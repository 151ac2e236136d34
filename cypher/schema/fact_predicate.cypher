// NAME     schema/fact_predicate
// DOES     Find the Facts of a scope with one predicate, by status.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX fact_predicate IF NOT EXISTS
FOR (n:Fact)
ON (n.scope, n.predicate_key, n.status)
