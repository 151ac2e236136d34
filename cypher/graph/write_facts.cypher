// NAME     graph/write_facts
// DOES     Make the Facts of a write where they are missing, and link them to their Terms and Tags.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          embedder_id  STRING          whose vectors the rows hold; '' where they hold none
//          now          ZONED DATETIME  when they are recorded
//          facts        LIST<MAP>       {id, canonical_hash, text, search_text, subject, predicate,
//                                       object, subject_key, subject_via, predicate_key, object_key,
//                                       object_via, is_negated,
//                                       confidence, origin, agent_id, sensitivity,
//                                       has_own_sensitivity, status,
//                                       valid_from, valid_to, stated_at, retired_at, retired_reason, subjects,
//                                       objects, tag_keys, vector}, sorted by id; subjects and
//                                       objects are {key, via} of Terms; subject_via, object_via,
//                                       retired_at and vector may be null
// RETURNS  nothing
// SOURCE   Graphorin, "Default-on bi-temporal storage"; Graph Memory, triples
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param embedder_id => '';
//          :param now => datetime();
//          :param facts => [];
CYPHER 25
UNWIND $facts AS row
// The id follows from the hash: MERGE looks it up again under the lock of its index entry, so
// that two writers who state the same at once end with one node.
MERGE (fact:Fact {scope: $scope, id: row.id})
  ON CREATE SET
    fact.scope_token = $scope_token,
    fact.canonical_hash = row.canonical_hash,
    fact.text = row.text,
    fact.search_text = row.search_text,
    fact.subject = row.subject,
    fact.predicate = row.predicate,
    fact.object = row.object,
    fact.subject_key = row.subject_key,
    fact.predicate_key = row.predicate_key,
    fact.object_key = row.object_key,
    // Of a merged Term also by which name it was called.
    fact.subject_via = row.subject_via,
    fact.object_via = row.object_via,
    fact.is_negated = row.is_negated,
    fact.origin = row.origin,
    fact.agent_id = row.agent_id,
    fact.sensitivity = row.sensitivity,
    fact.has_own_sensitivity = row.has_own_sensitivity,
    fact.recorded_at = $now,
    fact.stated_at = row.stated_at,
    fact.status = row.status,
    fact.valid_from = row.valid_from,
    fact.valid_to = row.valid_to,
    fact.retired_at = row.retired_at,
    fact.retired_reason = row.retired_reason,
    fact.is_withdrawn = false,
    fact.needs_vector = true,
    fact.confidence = row.confidence,
    fact.recall_count = 0,
    fact.validated_count = 0,
    fact.reward_sum = 0.0,
    fact.reward_count = 0,
    fact.importance = 0.5,
    fact.pinned = false,
    fact.tier = 'working'
  ON MATCH SET
    fact.stated_at = CASE
      WHEN row.stated_at > coalesce(fact.stated_at, fact.valid_from) THEN row.stated_at
      ELSE fact.stated_at
    END,
    fact.confidence = CASE
      WHEN row.confidence > fact.confidence THEN row.confidence
      ELSE fact.confidence
    END,
    // Who says it without saying that it is secret does not give it away.
    fact.sensitivity = CASE row.sensitivity
      WHEN 'secret' THEN 'secret'
      ELSE fact.sensitivity
    END
WITH fact, row
CALL (fact, row) {
  UNWIND row.subjects AS end
  MATCH (subject:Term {scope: $scope, key: end.key})
  MERGE (fact)-[link:SUBJECT]->(subject)
    ON CREATE SET link.via = end.via
}
CALL (fact, row) {
  UNWIND row.objects AS end
  MATCH (object:Term {scope: $scope, key: end.key})
  MERGE (fact)-[link:OBJECT]->(object)
    ON CREATE SET link.via = end.via
}
CALL (fact, row) {
  UNWIND row.tag_keys AS tag_key
  MATCH (tag:Tag {scope: $scope, key: tag_key})
  MERGE (fact)-[:TAGGED]->(tag)
    // It is to be compared with what has that Tag; there is always one.
    ON CREATE SET
      fact.needs_comparison = true,
      fact.comparison_revision = coalesce(fact.comparison_revision, 0) + 1
}
CALL (fact, row) {
  WITH fact
  WHERE row.sensitivity = 'secret'
  // Told openly before, it may stand in their summaries.
  MATCH (fact)-[:SUBJECT|OBJECT]->(:Term)-[:IN_COMMUNITY]->(c:Community)
  WITH DISTINCT c
  SET
    c.summary = '',
    c.needs_summary = true,
    c.needs_vector = false,
    c.revision = c.revision + 1
  REMOVE c.embedding_a, c.embedding_b, c.embedder_id
}
WITH fact, row
WHERE row.vector IS NOT NULL AND (fact.needs_vector OR fact.embedder_id <> $embedder_id)
CALL db.create.setNodeVectorProperty(fact, 'embedding_{slot}', row.vector)
SET
  fact.embedder_id = $embedder_id,
  fact.needs_vector = false
