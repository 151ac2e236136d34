// NAME     graph/count_unembedded
// DOES     Count the nodes that wait for a vector, but for turns that get theirs with their extraction.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  nodes INTEGER
// SOURCE   graphmem, docs/graph.md
// COST     the nodes that wait
// TRY      :param scope => 'demo';
CYPHER 25
CALL () {
  MATCH (turn:Turn {scope: $scope, needs_vector: true})
  USING INDEX turn:Turn(scope, needs_vector)
  WHERE turn.extraction <> 'pending'
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (fact:Fact {scope: $scope, needs_vector: true})
  USING INDEX fact:Fact(scope, needs_vector)
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (term:Term {scope: $scope, needs_vector: true})
  USING INDEX term:Term(scope, needs_vector)
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (tag:Tag {scope: $scope, needs_vector: true})
  USING INDEX tag:Tag(scope, needs_vector)
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (intent:Intent {scope: $scope, needs_vector: true})
  USING INDEX intent:Intent(scope, needs_vector)
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (procedure:Procedure {scope: $scope, needs_vector: true})
  USING INDEX procedure:Procedure(scope, needs_vector)
  RETURN count(*) AS waiting
  UNION ALL
  MATCH (c:Community {scope: $scope, needs_vector: true})
  USING INDEX c:Community(scope, needs_vector)
  RETURN count(*) AS waiting
}
RETURN sum(waiting) AS nodes
