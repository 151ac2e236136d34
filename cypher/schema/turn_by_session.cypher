// NAME     schema/turn_by_session
// DOES     Find the Turns of a session in their order.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE INDEX turn_by_session IF NOT EXISTS
FOR (n:Turn)
ON (n.scope, n.session_id, n.at, n.seq)
