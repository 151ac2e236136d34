// NAME     maintain/get_vectors
// DOES     The vectors of Facts, as bytes.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  the Facts
// RETURNS  id STRING, vector VECTOR: of those that are there and have one
// SOURCE   Mnemosyne, "Semantic Consolidation"
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
WHERE fact.embedding_{slot} IS NOT NULL
RETURN id, vector(fact.embedding_{slot}, size(fact.embedding_{slot}), FLOAT32) AS vector
