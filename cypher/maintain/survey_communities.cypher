// NAME     maintain/survey_communities
// DOES     How many Terms there are, how many wait to be put into a community, and how many
//          communities there are.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  terms INTEGER, waiting INTEGER, communities INTEGER
// SOURCE   graphmem, docs/maintain.md
// COST     reads each Term of the scope
// TRY      :param scope => 'demo';
CYPHER 25
CALL () {
  MATCH (term:Term)
  // Named, the id lets the index find those of one scope.
  WHERE term.scope = $scope AND term.id >= '' AND term.status = 'active'
  RETURN count(term) AS terms
}
CALL () {
  MATCH (due:Term {scope: $scope, needs_community: true})
  USING INDEX due:Term(scope, needs_community)
  RETURN count(due) AS waiting
}
CALL () {
  MATCH (c:Community)
  WHERE c.scope = $scope AND c.id >= ''
  RETURN count(c) AS communities
}
RETURN terms, waiting, communities
