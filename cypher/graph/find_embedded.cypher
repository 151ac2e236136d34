// NAME     graph/find_embedded
// DOES     Tell which Terms, Tags and Facts of a write have a vector of the active embedder already.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING        memory scope
//          embedder_id  STRING        the active embedder
//          term_keys    LIST<STRING>  keys of Terms
//          tag_keys     LIST<STRING>  keys of Tags
//          fact_ids     LIST<STRING>  ids of Facts
// RETURNS  terms LIST<STRING>, tags LIST<STRING>, facts LIST<STRING>: those that have one
// SOURCE   graphmem, docs/graph.md
// COST     one index probe a key
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param term_keys => [];
//          :param tag_keys => [];
//          :param fact_ids => [];
CYPHER 25
CALL () {
  UNWIND $term_keys AS key
  MATCH (term:Term {scope: $scope, key: key})
  WHERE term.embedder_id = $embedder_id AND NOT term.needs_vector
  RETURN collect(key) AS terms
}
CALL () {
  UNWIND $tag_keys AS key
  MATCH (tag:Tag {scope: $scope, key: key})
  WHERE tag.embedder_id = $embedder_id AND NOT tag.needs_vector
  RETURN collect(key) AS tags
}
CALL () {
  UNWIND $fact_ids AS id
  MATCH (fact:Fact {scope: $scope, id: id})
  WHERE fact.embedder_id = $embedder_id AND NOT fact.needs_vector
  RETURN collect(id) AS facts
}
RETURN terms, tags, facts
