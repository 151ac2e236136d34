// NAME     graph/unmerge_term
// DOES     Let a merged Term stand for itself again: what was said by its name, and by names that
//          were merged into it, goes back to it.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          key    STRING  of the merged Term; it is locked
// RETURNS  mentions INTEGER, facts INTEGER: what went back
// SOURCE   Mnemosyne, undo of a consolidation; graphmem, docs/terms.md
// COST     reads the keys of the facts of the scope
// TRY      :param scope => 'demo';
//          :param key => 'mara';
CYPHER 25
MATCH (alias:Term {scope: $scope, key: $key})-[record:MERGED_INTO]->(:Term)
MATCH (alias)-[:MERGED_INTO]->{1,20}(into:Term)
WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
CALL (alias) {
  MATCH (alias)<-[:MERGED_INTO]-{0,20}(said:Term)
  RETURN collect(said.key) AS keys
}
CALL (alias, into, keys) {
  MATCH (turn:Turn)-[old:MENTIONS]->(into)
  WHERE old.via IN keys
  WITH turn, old
  CREATE (turn)-[new:MENTIONS]->(alias)
  SET new = properties(old)
  SET new.via = nullIf(old.via, alias.key)
  DELETE old
  RETURN count(*) AS mentions
}
CALL (into, keys) {
  MATCH (fact:Fact)
  WHERE fact.scope = $scope AND fact.id >= ''
    AND (
      (fact.subject_key = into.key AND fact.subject_via IN keys)
      OR (fact.object_key = into.key AND fact.object_via IN keys)
      OR EXISTS {
        MATCH (fact)-[end:SUBJECT|OBJECT]->(into)
        WHERE end.via IN keys
      }
    )
  RETURN collect(fact) AS told
}
CALL (told, alias, into, keys) {
  UNWIND told AS fact
  WITH fact
  WHERE fact.subject_key = into.key AND fact.subject_via IN keys
  SET
    fact.subject_key = alias.key,
    fact.subject_via = nullIf(fact.subject_via, alias.key)
}
CALL (told, alias, into, keys) {
  UNWIND told AS fact
  WITH fact
  WHERE fact.object_key = into.key AND fact.object_via IN keys
  SET
    fact.object_key = alias.key,
    fact.object_via = nullIf(fact.object_via, alias.key)
}
CALL (alias, into, keys) {
  MATCH (fact:Fact)-[old:SUBJECT]->(into)
  WHERE old.via IN keys
  WITH fact, old
  CREATE (fact)-[new:SUBJECT]->(alias)
  SET new = properties(old)
  SET new.via = nullIf(old.via, alias.key)
  DELETE old
}
CALL (alias, into, keys) {
  MATCH (fact:Fact)-[old:OBJECT]->(into)
  WHERE old.via IN keys
  WITH fact, old
  CREATE (fact)-[new:OBJECT]->(alias)
  SET new = properties(old)
  SET new.via = nullIf(old.via, alias.key)
  DELETE old
}
SET
  alias.status = record.status,
  alias.needs_community = true,
  into.needs_community = true,
  // Its links to Terms that mean the same went with the merge; who has a vector gets new ones.
  alias.needs_links = CASE WHEN alias.needs_vector THEN alias.needs_links ELSE true END
DELETE record
RETURN mentions, size(told) AS facts
