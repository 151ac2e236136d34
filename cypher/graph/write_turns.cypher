// NAME     graph/write_turns
// DOES     Link the turns of a write to what they mention and state, and set how far their extraction has come.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          embedder_id  STRING     whose vectors the rows hold; '' where they hold none
//          write_id     STRING     stamp of the turns that may be written (graph/lock_turns)
//          turns        LIST<MAP>  {id, summary, outcome, intent, extraction, extracted_by,
//                                  is_partial, attempts, search_text, mentions, fact_ids,
//                                  said, agent_ids, vector}, sorted by id; a mention is
//                                  {key, via, weight}; said is {fact_id, told} of what is known by
//                                  another name: properties of the link; via and vector may be null
// RETURNS  id STRING, mentions INTEGER, facts INTEGER: the turns that were written
// SOURCE   Graph Memory, "Turn path"
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param write_id => 'w1';
//          :param turns => [];
CYPHER 25
UNWIND $turns AS row
MATCH (turn:Turn {scope: $scope, id: row.id})
WHERE turn.write_id = $write_id
CALL (turn, row) {
  UNWIND row.mentions AS mention
  MATCH (term:Term {scope: $scope, key: mention.key})
  // Of a merged Term also by which name it was called.
  CREATE (turn)-[:MENTIONS {weight: mention.weight, via: mention.via}]->(term)
  RETURN count(*) AS mentions
}
CALL (turn, row) {
  UNWIND row.fact_ids AS fact_id
  MATCH (fact:Fact {scope: $scope, id: fact_id})
  MERGE (turn)-[:STATES]->(fact)
    // Counts the turns that state it: the same turn written twice counts once.
    ON CREATE SET fact.validated_count = fact.validated_count + 1
  RETURN count(*) AS facts
}
CALL (turn, row) {
  // The way back, should the name stand for itself again.
  UNWIND row.said AS known
  MATCH (turn)-[stated:STATES]->(:Fact {scope: $scope, id: known.fact_id})
  SET stated += known.told
}
CALL (turn, row) {
  UNWIND row.agent_ids AS agent_id
  MATCH (agent:Agent {scope: $scope, id: agent_id})
  MERGE (turn)-[:SPOKEN_BY]->(agent)
}
SET
  turn.summary = row.summary,
  turn.outcome = row.outcome,
  turn.intent = row.intent,
  turn.extraction = row.extraction,
  turn.extracted_by = row.extracted_by,
  turn.is_partial = row.is_partial,
  turn.attempts = turn.attempts + row.attempts,
  turn.error = '',
  turn.search_text = row.search_text,
  turn.needs_vector = row.vector IS NULL
REMOVE
  turn.write_id, turn.given, turn.taken_by, turn.due_at, turn.reply_length, turn.reply_hash
WITH turn, row, mentions, facts
CALL (turn, row) {
  WITH turn, row
  WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(turn, 'embedding_{slot}', row.vector)
  SET turn.embedder_id = $embedder_id
}
RETURN turn.id AS id, mentions, facts
