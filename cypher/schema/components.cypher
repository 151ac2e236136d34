// NAME     schema/components
// DOES     Tell which server this is: the first thing asked of it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  version STRING
// SOURCE   graphmem, docs/schema.md
// TRY      none
CALL dbms.components() YIELD name, versions
// In no fixed language version: an old server must be able to say how old it is.
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version
