// NAME     graph/lock_evidence
// DOES     Lock Turns that are to state a Fact, and all that hangs on Facts that hand it over: their
//          Turns and Tags.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          turn_ids  LIST<STRING>  ids of Turns
//          fact_ids  LIST<STRING>  ids of Facts, which are not locked
// RETURNS  one row: turns INTEGER, tags INTEGER: how many were locked
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param turn_ids => ['t1'];
//          :param fact_ids => ['f1'];
CYPHER 25
CALL () {
  CALL () {
    UNWIND $turn_ids AS id
    MATCH (turn:Turn {scope: $scope, id: id})
    RETURN turn
    UNION
    UNWIND $fact_ids AS id
    MATCH (turn:Turn)-[:STATES]->(:Fact {scope: $scope, id: id})
    RETURN turn
  }
  WITH DISTINCT turn
  // In the order in which writers take these locks; nothing changes by it.
  ORDER BY turn.id
  SET turn.seq = turn.seq
  RETURN count(*) AS turns
}
CALL (turns) {
  UNWIND $fact_ids AS id
  MATCH (:Fact {scope: $scope, id: id})-[:TAGGED]->(tag:Tag)
  WITH DISTINCT tag
  ORDER BY tag.key
  SET tag.label = tag.label
  RETURN count(*) AS tags
}
RETURN turns, tags
