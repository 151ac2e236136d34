// NAME     graph/merge_terms
// DOES     Let one Term stand for another one as well: its mentions and facts move to it.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING          memory scope
//          key       STRING          of the Term that becomes an alias; it is locked, and nothing
//                                    stands for it yet
//          into_key  STRING          of the Term that stands for both; locked as well
//          now       ZONED DATETIME  when
//          reason    STRING          why
// RETURNS  mentions INTEGER, facts INTEGER: what moved
// SOURCE   Mnemosyne, "Consolidation"; graphmem, docs/terms.md
// COST     reads the keys of the facts of the scope
// TRY      :param scope => 'demo';
//          :param key => 'mara';
//          :param into_key => 'mara (potter)';
//          :param now => datetime();
//          :param reason => '';
CYPHER 25
MATCH (alias:Term {scope: $scope, key: $key})
MATCH (into:Term {scope: $scope, key: $into_key})
CALL (alias, into) {
  MATCH (turn:Turn)-[old:MENTIONS]->(alias)
  WITH turn, old
  CREATE (turn)-[new:MENTIONS]->(into)
  SET new = properties(old)
  // By which name it was called: the way back.
  SET new.via = coalesce(old.via, alias.key)
  DELETE old
  RETURN count(*) AS mentions
}
CALL (alias) {
  MATCH (fact:Fact)
  WHERE fact.scope = $scope AND fact.id >= ''
    AND (
      fact.subject_key = alias.key OR fact.object_key = alias.key
      OR EXISTS { (fact)-[:SUBJECT|OBJECT]->(alias) }
    )
  RETURN collect(fact) AS told
}
CALL (told, alias, into) {
  UNWIND told AS fact
  WITH fact
  WHERE fact.subject_key = alias.key
  SET
    fact.subject_via = coalesce(fact.subject_via, alias.key),
    fact.subject_key = into.key
}
CALL (told, alias, into) {
  UNWIND told AS fact
  WITH fact
  WHERE fact.object_key = alias.key
  SET
    fact.object_via = coalesce(fact.object_via, alias.key),
    fact.object_key = into.key
}
CALL (alias, into) {
  MATCH (fact:Fact)-[old:SUBJECT]->(alias)
  WITH fact, old
  CREATE (fact)-[new:SUBJECT]->(into)
  SET new = properties(old)
  SET new.via = coalesce(old.via, alias.key)
  DELETE old
}
CALL (alias, into) {
  MATCH (fact:Fact)-[old:OBJECT]->(alias)
  WITH fact, old
  CREATE (fact)-[new:OBJECT]->(into)
  SET new = properties(old)
  SET new.via = coalesce(old.via, alias.key)
  DELETE old
}
CALL (alias) {
  MATCH (alias)-[old:SIMILAR]-(:Term)
  DELETE old
}
CREATE (alias)-[:MERGED_INTO {at: $now, reason: $reason, status: alias.status}]->(into)
SET
  alias.status = 'deprecated',
  // The one leaves its community, the other is told of more often.
  alias.needs_community = true,
  into.needs_community = true
RETURN mentions, size(told) AS facts
