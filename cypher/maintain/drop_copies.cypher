// NAME     maintain/drop_copies
// DOES     Drop the copies of graphs whose names begin alike: those of runs whose process was killed.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   prefix  STRING  how their names begin: it names the scope, which the caller holds
// RETURNS  dropped INTEGER
// SOURCE   graphmem, docs/maintain.md
// TRY      :param prefix => 'try';
CYPHER 25
CALL gds.graph.list() YIELD graphName
WITH graphName AS name
WHERE name STARTS WITH $prefix
CALL gds.graph.drop(name, false) YIELD graphName
RETURN count(graphName) AS dropped
