// NAME     graph/lock_terms
// DOES     Lock Terms together with all that were merged with them, and tell how they stand.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          keys   LIST<STRING>  of the Terms
// RETURNS  one row: locked LIST<STRING>, keys; terms LIST<MAP>, those that are there: {key, name,
//          into_name, depth}: into_name of what stands for it, null where nothing does; depth is
//          how many merges lead to it one after the other
// SOURCE   graphmem, docs/terms.md
// TRY      :param scope => 'demo';
//          :param keys => ['mara', 'ben'];
CYPHER 25
CALL () {
  UNWIND $keys AS key
  MATCH (named:Term {scope: $scope, key: key})
  MATCH (named)-[:MERGED_INTO]->{0,20}(into:Term)
  WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
  MATCH (into)<-[:MERGED_INTO]-{0,20}(term:Term)
  WITH DISTINCT term
  // In the order in which writers take these locks. Who names one that was merged holds its lock
  // before it asks what stands for it: so its answer stays true.
  ORDER BY term.key
  SET term.name = term.name
  RETURN collect(term.key) AS locked
}
CALL (locked) {
  UNWIND $keys AS key
  MATCH (named:Term {scope: $scope, key: key})
  RETURN collect({
    key: named.key,
    name: named.name,
    into_name: head(COLLECT {
      MATCH (named)-[:MERGED_INTO]->{1,20}(into:Term)
      WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
      RETURN into.name
    }),
    depth: coalesce(head(COLLECT {
      MATCH (named)<-[merges:MERGED_INTO]-{1,20}(:Term)
      RETURN max(size(merges))
    }), 0)
  }) AS terms
}
RETURN locked, terms
