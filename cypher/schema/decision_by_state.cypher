// NAME     schema/decision_by_state
// DOES     Find the Decisions of a scope that wait, the oldest first.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX decision_by_state IF NOT EXISTS
FOR (n:Decision)
ON (n.scope, n.state, n.at)
