// NAME     schema/active_embedder
// DOES     Tell which embedder the store is locked to.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  id STRING, dimensions INTEGER, slot STRING; no row before the first embedder
// SOURCE   Graphorin, "Embedder lock"
// TRY      none
CYPHER 25
MATCH (e:Embedder {state: 'active'})
RETURN e.id AS id, e.dimensions AS dimensions, e.slot AS slot
