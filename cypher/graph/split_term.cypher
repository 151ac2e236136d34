// NAME     graph/split_term
// DOES     Move what some turns say of a Term to another one of that name.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          key       STRING        of the Term; it is locked
//          to_key    STRING        of the other one; locked as well
//          turn_ids  LIST<STRING>  the turns
//          facts     LIST<MAP>     {id, new_id, canonical_hash, subject, object, is_subject,
//                                  is_object}, sorted by id: what they alone state of it, and which
//                                  fact it is from now on
// RETURNS  mentions INTEGER, facts INTEGER: what moved
// SOURCE   graphmem, docs/terms.md
// TRY      :param scope => 'demo';
//          :param key => 'mara';
//          :param to_key => 'mara (potter)';
//          :param turn_ids => [];
//          :param facts => [];
CYPHER 25
MATCH (term:Term {scope: $scope, key: $key})
MATCH (other:Term {scope: $scope, key: $to_key})
CALL (term, other) {
  UNWIND $turn_ids AS turn_id
  MATCH (turn:Turn {scope: $scope, id: turn_id})-[old:MENTIONS]->(term)
  WITH turn, max(old.weight) AS weight, collect(old) AS links
  CREATE (turn)-[:MENTIONS {weight: weight}]->(other)
  FOREACH (old IN links | DELETE old)
  RETURN count(*) AS mentions
}
CALL () {
  UNWIND $facts AS row
  MATCH (fact:Fact {scope: $scope, id: row.id})
  // It is another statement now: said of the other one, the same words are not this fact.
  SET
    fact.id = row.new_id,
    fact.canonical_hash = row.canonical_hash,
    fact.subject = row.subject,
    fact.object = row.object
  RETURN collect([fact, row]) AS told
}
CALL (told, term, other) {
  UNWIND told AS pair
  WITH pair[0] AS fact, pair[1] AS row
  WHERE row.is_subject
  SET fact.subject_key = other.key
  REMOVE fact.subject_via
  WITH fact
  MATCH (fact)-[old:SUBJECT]->(term)
  DELETE old
  CREATE (fact)-[:SUBJECT]->(other)
}
CALL (told, term, other) {
  UNWIND told AS pair
  WITH pair[0] AS fact, pair[1] AS row
  WHERE row.is_object
  SET fact.object_key = other.key
  REMOVE fact.object_via
  WITH fact
  MATCH (fact)-[old:OBJECT]->(term)
  DELETE old
  CREATE (fact)-[:OBJECT]->(other)
}
SET
  term.needs_community = true,
  other.needs_community = true
RETURN mentions, size(told) AS facts
