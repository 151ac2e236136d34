// NAME     schema/fact_slot
// DOES     Find the Facts of a scope that say the same kind of thing of one subject, by time.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX fact_slot IF NOT EXISTS
FOR (n:Fact)
ON (n.scope, n.subject_key, n.predicate_key, n.valid_from)
