// NAME     recall/drop_projection
// DOES     Let a copied graph go; one that is not there is no fault.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   graph  STRING  name of the copy
// RETURNS  graph STRING
// SOURCE   graphmem, docs/recall.md
// TRY      :param graph => 'try';
CYPHER 25
CALL gds.graph.drop($graph, false) YIELD graphName
RETURN graphName AS graph
