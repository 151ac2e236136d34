// NAME     graph/find_told
// DOES     What turns say of a Term: which of them name it, and the facts that they alone state of it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          key       STRING        of the Term
//          turn_ids  LIST<STRING>  the turns
// RETURNS  one row, none where there is no such Term: name STRING; turns LIST<STRING>, ids of
//          those that name it; facts LIST<MAP>: {id, text, subject, predicate, object,
//          is_subject, is_object}
// SOURCE   graphmem, docs/terms.md
// TRY      :param scope => 'demo';
//          :param key => 'mara';
//          :param turn_ids => [];
CYPHER 25
MATCH (term:Term {scope: $scope, key: $key})
CALL (term) {
  UNWIND $turn_ids AS turn_id
  MATCH (turn:Turn {scope: $scope, id: turn_id})
  WHERE EXISTS { (turn)-[:MENTIONS]->(term) }
    OR EXISTS {
      MATCH (turn)-[:STATES]->(fact:Fact)
      WHERE fact.subject_key = term.key OR fact.object_key = term.key
    }
  RETURN collect(turn.id) AS turns
}
CALL (term) {
  UNWIND $turn_ids AS turn_id
  MATCH (turn:Turn {scope: $scope, id: turn_id})-[:STATES]->(fact:Fact)
  WITH DISTINCT fact, term,
    fact.subject_key = term.key OR EXISTS { (fact)-[:SUBJECT]->(term) } AS is_subject,
    fact.object_key = term.key OR EXISTS { (fact)-[:OBJECT]->(term) } AS is_object
  WHERE (is_subject OR is_object)
    // Stated by other turns or by nobody's, it is said of whoever was meant there.
    AND fact.validated_count = COUNT {
      MATCH (one:Turn)-[:STATES]->(fact)
      WHERE one.id IN $turn_ids
    }
  RETURN collect(fact {
    .id, .text, .subject, .predicate, .object, is_subject: is_subject, is_object: is_object
  }) AS facts
}
RETURN term.name AS name, turns, facts
