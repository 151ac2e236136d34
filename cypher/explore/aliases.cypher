// NAME     explore/aliases
// DOES     Names that were merged: the arrow MERGED_INTO leads to what stands for them, and why.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many Terms that stand for others, 1..100
// RETURNS  paths to draw
// SOURCE   graphmem, docs/terms.md
// COST     reads the Terms of the scope
// TRY      :param scope => 'demo';
//          :param k => 25;
CYPHER 25
MATCH (into:Term)
WHERE into.scope = $scope AND into.key >= ''
  AND EXISTS { (into)<-[:MERGED_INTO]-(:Term) }
  AND NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
WITH into
ORDER BY into.key
LIMIT $k
MATCH merged = (into)<-[:MERGED_INTO*1..20]-(alias:Term)
WHERE alias.scope = $scope
RETURN merged
