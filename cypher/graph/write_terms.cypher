// NAME     graph/write_terms
// DOES     Make the Terms of a write where they are missing, lock them, and give a vector to those that have none of the active embedder.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          scope_token  STRING     its full-text token
//          embedder_id  STRING     whose vectors the rows hold; '' where they hold none
//          terms        LIST<MAP>  {id, key, name, qualifier, search_text, vector}, sorted by key;
//                                  vector may be null; one without id is locked and resolved where
//                                  it is there, and not made
// RETURNS  key STRING, into STRING, is_gone BOOLEAN: Terms that were merged, and which stands for
//          them; and those that went meanwhile: what is written now would have lost them
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param embedder_id => '';
//          :param terms => [];
CYPHER 25
UNWIND $terms AS row
CALL (row) {
  WITH row
  WHERE row.id IS NOT NULL
  MERGE (made:Term {scope: $scope, key: row.key})
    ON CREATE SET
      made.scope_token = $scope_token,
      made.id = row.id,
      made.name = row.name,
      made.search_text = row.search_text,
      made.qualifier = row.qualifier,
      made.status = 'active',
      made.needs_vector = true
  RETURN made AS term
  UNION ALL
  WITH row
  WHERE row.id IS NULL
  MATCH (there:Term {scope: $scope, key: row.key})
  RETURN there AS term
}
// Writing takes the lock: every writer takes these locks in the order of the keys, so that links
// made later, in any order, cannot end in a deadlock. More is told of it: it is put into a
// community anew.
SET term.needs_community = true
WITH term, row
CALL (term, row) {
  WITH term, row
  WHERE row.vector IS NOT NULL AND (term.needs_vector OR term.embedder_id <> $embedder_id)
  CALL db.create.setNodeVectorProperty(term, 'embedding_{slot}', row.vector)
  SET
    term.embedder_id = $embedder_id,
    term.needs_vector = false,
    // To Terms that mean the same (graph/link_similar).
    term.needs_links = true
}
CALL (term) {
  MATCH (term)-[:MERGED_INTO]->{1,10}(into:Term)
  WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
  // Locked as well: its facts are decided about next, and it is what is told of.
  SET into.needs_community = true
  RETURN collect(into.key) AS roots
}
WITH term, row, head(roots) AS into
// Found as a Term, and cleaned up by upkeep while this waited for its lock.
WHERE into IS NOT NULL OR NOT term:Term
RETURN row.key AS key, into, NOT term:Term AS is_gone
