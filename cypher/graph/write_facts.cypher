// NAME     graph/write_facts
// DOES     Make the Facts of a write where no equal one is there, else widen that one; link them to their Terms and Tags.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          scope_token  STRING          its full-text token
//          embedder_id  STRING          whose vectors the rows hold; '' where they hold none
//          write_id     STRING          stamp of the turns that may state facts (graph/lock_turns)
//          now          ZONED DATETIME  when they are recorded
//          facts        LIST<MAP>       {id, canonical_hash, text, search_text, subject, predicate,
//                                       object, subject_key, object_key, confidence, origin,
//                                       agent_id, valid_from, valid_to, tag_keys, turn_ids,
//                                       vector}, sorted by id; keys and vector may be null
// RETURNS  nothing
// SOURCE   Graphorin, exact-hash stage; Graph Memory, triples
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param embedder_id => '';
//          :param write_id => 'w1';
//          :param now => datetime();
//          :param facts => [];
CYPHER 25
UNWIND $facts AS row
WITH row
WHERE EXISTS {
  MATCH (turn:Turn)
  WHERE turn.scope = $scope AND turn.id IN row.turn_ids AND turn.write_id = $write_id
}
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
    fact.origin = row.origin,
    fact.agent_id = row.agent_id,
    fact.recorded_at = $now,
    fact.status = 'active',
    fact.needs_vector = true,
    fact.confidence = row.confidence,
    fact.valid_from = row.valid_from,
    fact.valid_to = row.valid_to,
    fact.recall_count = 0,
    fact.validated_count = 0,
    fact.reward_sum = 0.0,
    fact.reward_count = 0,
    fact.importance = 0.5,
    fact.pinned = false,
    fact.tier = 'working'
  ON MATCH SET
    fact.confidence = CASE
      WHEN row.confidence > fact.confidence THEN row.confidence
      ELSE fact.confidence
    END,
    fact.valid_from = CASE
      WHEN row.valid_from < fact.valid_from THEN row.valid_from
      ELSE fact.valid_from
    END,
    fact.valid_to = CASE
      WHEN row.valid_to > fact.valid_to THEN row.valid_to
      ELSE fact.valid_to
    END,
    // Stated again after it was withdrawn.
    fact.retired_at = CASE fact.status WHEN 'forgotten' THEN null ELSE fact.retired_at END,
    fact.status = CASE fact.status WHEN 'forgotten' THEN 'active' ELSE fact.status END
WITH fact, row
CALL (fact, row) {
  MATCH (subject:Term {scope: $scope, key: row.subject_key})
  MERGE (fact)-[:SUBJECT]->(subject)
}
CALL (fact, row) {
  MATCH (object:Term {scope: $scope, key: row.object_key})
  MERGE (fact)-[:OBJECT]->(object)
}
CALL (fact, row) {
  UNWIND row.tag_keys AS tag_key
  MATCH (tag:Tag {scope: $scope, key: tag_key})
  MERGE (fact)-[:TAGGED]->(tag)
}
WITH fact, row
WHERE row.vector IS NOT NULL AND (fact.needs_vector OR fact.embedder_id <> $embedder_id)
CALL db.create.setNodeVectorProperty(fact, 'embedding_{slot}', row.vector)
SET
  fact.embedder_id = $embedder_id,
  fact.needs_vector = false
