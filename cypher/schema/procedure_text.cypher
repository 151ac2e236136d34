// NAME     schema/procedure_text
// DOES     Find Procedures by their words and those of their Intent, inside a scope.
// MODE     schema
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  nothing
// SOURCE   graphmem, docs/schema.md
// TRY      none
CYPHER 25
CREATE FULLTEXT INDEX procedure_text IF NOT EXISTS
FOR (n:Procedure)
ON EACH [n.search_text, n.scope_token]
// The text was analysed by text.py before it was stored: here it is only split at blanks.
OPTIONS {
  indexConfig: {`fulltext.analyzer`: 'whitespace', `fulltext.eventually_consistent`: false}
}
