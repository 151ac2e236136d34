// NAME     graph/lock_unchecked
// DOES     Lock Decisions that wait for a vector with the Facts that they are about or name, and
//          tell how both stand.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING        memory scope
//          decisions  LIST<STRING>  ids of Decisions, sorted
//          facts      LIST<STRING>  ids of Facts, sorted
// RETURNS  one row: waiting LIST<STRING>, Decisions that wait still; standing LIST<MAP>, the Facts
//          that are there: {id, status, valid_from, valid_to}
// SOURCE   graphmem, docs/facts.md
// TRY      :param scope => 'demo';
//          :param decisions => ['d1'];
//          :param facts => ['f1', 'f2'];
CYPHER 25
CALL () {
  UNWIND $decisions AS id
  MATCH (decision:Decision {scope: $scope, id: id})
  // Nothing changes, but writing takes the lock: what is read below was committed before.
  SET decision.text = decision.text
  RETURN collect(decision.id) AS locked
}
CALL (locked) {
  UNWIND $facts AS id
  MATCH (fact:Fact {scope: $scope, id: id})
  SET fact.text = fact.text
  RETURN collect(fact.id) AS told
}
CALL (locked) {
  UNWIND locked AS id
  MATCH (decision:Decision {scope: $scope, id: id})
  WHERE decision.state = 'unchecked'
  RETURN collect(decision.id) AS waiting
}
CALL (told) {
  UNWIND told AS id
  MATCH (fact:Fact {scope: $scope, id: id})
  RETURN collect(fact {.id, .status, .valid_from, .valid_to}) AS standing
}
RETURN waiting, standing
