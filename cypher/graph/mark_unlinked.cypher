// NAME     graph/mark_unlinked
// DOES     Mark Terms that were never linked to similar ones: they are of an older version's store.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING   memory scope
//          embedder_id  STRING   whose vectors they have
//          limit        INTEGER  Terms of one transaction, >= 1
// RETURNS  terms INTEGER
// SOURCE   graphmem, docs/graph.md
// COST     reads each Term of the scope
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param limit => 1000;
CYPHER 25
MATCH (term:Term {scope: $scope})
WHERE term.needs_links IS NULL AND term.needs_vector = false AND term.embedder_id = $embedder_id
WITH term
LIMIT $limit
SET term.needs_links = true
RETURN count(*) AS terms
