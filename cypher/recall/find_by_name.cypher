// NAME     recall/find_by_name
// DOES     The Terms and Tags that a question names in full, and what its scope measures.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          term_keys   LIST<STRING>  keys that the question may name a Term by
//          sample_size INTEGER       Turns that the length is measured on
// RETURNS  one row: terms LIST of [id, name, turns], tags LIST of [id, label, facts],
//          sessions INTEGER, turns INTEGER, average_length FLOAT? of the analysed text of a turn
// SOURCE   HippoRAG 2, linking of the query
// COST     one index probe a key, the sessions of the scope, 64 turns
// TRY      :param scope => 'demo';
//          :param term_keys => ['ana', 'lyon'];
//          :param sample_size => 64;
CYPHER 25
CALL () {
  MATCH (x:Term)
  WHERE x.scope = $scope AND x.key IN $term_keys
  // Of one that was merged what stands for it.
  MATCH (x)-[:MERGED_INTO]->{0,20}(into:Term)
  WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
  WITH DISTINCT into
  RETURN collect([into.id, into.name, COUNT { (into)<-[:MENTIONS]-() }]) AS terms
}
CALL () {
  MATCH (g:Tag)
  WHERE g.scope = $scope AND g.key IN $term_keys
  RETURN collect([g.id, g.label, COUNT { (g)<-[:TAGGED]-() }]) AS tags
}
CALL () {
  // Named both, the index of sessions is used; by the scope alone, those of all scopes are read.
  MATCH (s:Session)
  WHERE s.scope = $scope AND s.id >= ''
  RETURN count(s) AS sessions, coalesce(sum(COUNT { (s)-[:HAS_TURN]->() }), 0) AS turns
}
CALL () {
  // Ids are hashes: the first ones in their index are a random sample, the same each time.
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id >= ''
  WITH t
  LIMIT $sample_size
  RETURN avg(size(t.search_text)) AS average_length
}
RETURN terms, tags, sessions, turns, average_length
