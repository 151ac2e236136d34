// NAME     graph/count_unembedded
// DOES     Count the nodes that wait for a vector.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING        memory scope
//          skip_states  LIST<STRING>  extraction states of Turns that are left alone
// RETURNS  nodes INTEGER
// SOURCE   graphmem, docs/graph.md
// COST     the nodes that wait
// TRY      :param scope => 'demo';
//          :param skip_states => ['pending'];
CYPHER 25
CALL () {
  MATCH (turn:Turn {scope: $scope, needs_vector: true})
  WHERE NOT turn.extraction IN $skip_states
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (:Fact {scope: $scope, needs_vector: true})
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (:Term {scope: $scope, needs_vector: true})
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (:Tag {scope: $scope, needs_vector: true})
  RETURN count(*) AS waiting
}
RETURN sum(waiting) AS nodes
