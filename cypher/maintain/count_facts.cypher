// NAME     maintain/count_facts
// DOES     How many Facts a scope has, of any status.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  facts INTEGER
// SOURCE   Mnemosyne, "When to Run"
// COST     reads the index entries of the scope
// TRY      :param scope => 'demo';
CYPHER 25
MATCH (f:Fact)
// The hash is always there; named, the index alone answers.
WHERE f.scope = $scope AND f.canonical_hash IS NOT NULL
RETURN count(f) AS facts
