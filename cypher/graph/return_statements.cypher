// NAME     graph/return_statements
// DOES     Give a merged Term that is to stand for itself again what turns stated by its name, and
//          what was known by another name already: a Fact of its own for each.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          now          ZONED DATETIME  when the new Facts are recorded
//          key          STRING          of the merged Term; it is locked
// RETURNS  unstated LIST<STRING>: Facts that nobody states any more
// SOURCE   Mnemosyne, undo of a consolidation; graphmem, docs/terms.md
// COST     reads the keys of the facts of the scope
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param now => datetime();
//          :param key => 'mara';
CYPHER 25
MATCH (alias:Term {scope: $scope, key: $key})-[:MERGED_INTO]->{1,20}(into:Term)
WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
CALL (alias) {
  MATCH (alias)<-[:MERGED_INTO]-{0,20}(said:Term)
  RETURN collect(said.key) AS keys
}
MATCH (fact:Fact)
WHERE fact.scope = $scope AND fact.id >= ''
  AND (fact.subject_key = into.key OR fact.object_key = into.key)
MATCH (turn:Turn)-[said:STATES]->(fact)
WHERE said.subject_via IN keys OR said.object_via IN keys
WITH alias, keys, fact, turn, said
ORDER BY turn.id
MERGE (own:Fact {scope: $scope, id: said.said_id})
  ON CREATE SET
    own += fact {
      .predicate_key, .is_negated, .origin, .agent_id, .sensitivity, .has_own_sensitivity,
      .status, .valid_to, .retired_at, .retired_reason, .is_withdrawn, .confidence, .importance,
      .pinned, .tier
    },
    own.scope_token = $scope_token,
    own.canonical_hash = said.said_hash,
    own.text = said.said_text,
    own.search_text = said.said_search_text,
    own.subject = said.said_subject,
    own.predicate = said.said_predicate,
    own.object = said.said_object,
    own.subject_key = CASE
      WHEN said.subject_via IN keys THEN alias.key
      ELSE fact.subject_key
    END,
    own.subject_via = nullIf(said.subject_via, alias.key),
    own.object_key = CASE WHEN said.object_via IN keys THEN alias.key ELSE fact.object_key END,
    own.object_via = nullIf(said.object_via, alias.key),
    own.recorded_at = $now,
    own.stated_at = said.said_from,
    own.valid_from = said.said_from,
    own.recall_count = 0,
    own.validated_count = 0,
    own.reward_sum = 0.0,
    own.reward_count = 0,
    own.needs_vector = true
CREATE (turn)-[:STATES]->(own)
DELETE said
SET
  own.validated_count = own.validated_count + 1,
  fact.validated_count = fact.validated_count - 1
WITH DISTINCT fact, own
CALL (own) {
  WITH own
  WHERE own.subject <> ''
  MATCH (subject:Term {scope: $scope, key: own.subject_key})
  MERGE (own)-[link:SUBJECT]->(subject)
    ON CREATE SET link.via = own.subject_via
}
CALL (own) {
  WITH own
  WHERE own.object <> ''
  MATCH (object:Term {scope: $scope, key: own.object_key})
  MERGE (own)-[link:OBJECT]->(object)
    ON CREATE SET link.via = own.object_via
}
CALL (fact, own) {
  MATCH (fact)-[:TAGGED]->(tag:Tag)
  MERGE (own)-[:TAGGED]->(tag)
    ON CREATE SET
      own.needs_comparison = true,
      own.comparison_revision = coalesce(own.comparison_revision, 0) + 1
}
CALL (fact, own) {
  MATCH (later:Fact)-[old:SUPERSEDES]->(fact)
  MERGE (later)-[new:SUPERSEDES]->(own)
    ON CREATE SET
      new.reason = old.reason,
      new.at = old.at
}
WITH DISTINCT fact
WHERE fact.validated_count < 1 AND fact.status IN ['active', 'pending', 'superseded']
RETURN collect(fact.id) AS unstated
