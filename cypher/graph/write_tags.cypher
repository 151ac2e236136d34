// NAME     graph/write_tags
// DOES     Make the Tags of a write where they are missing, lock them, and give a vector to those that have none of the active embedder.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          scope_token  STRING     its full-text token
//          embedder_id  STRING     whose vectors the rows hold; '' where they hold none
//          tags        LIST<MAP>  {id, key, label, vector}, sorted by key; vector may be null
// RETURNS  gone STRING: keys of Tags that went meanwhile: what is written now would have lost them
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param embedder_id => '';
//          :param tags => [];
CYPHER 25
UNWIND $tags AS row
MERGE (tag:Tag {scope: $scope, key: row.key})
  ON CREATE SET
    tag.scope_token = $scope_token,
    tag.id = row.id,
    tag.label = row.label,
    tag.status = 'active',
    tag.needs_vector = true
// Nothing changes, but writing takes the lock: every writer takes these locks in the order of
// the keys, so that links made later, in any order, cannot end in a deadlock.
SET tag.label = tag.label
WITH tag, row
CALL (tag, row) {
  WITH tag, row
  WHERE row.vector IS NOT NULL AND (tag.needs_vector OR tag.embedder_id <> $embedder_id)
  CALL db.create.setNodeVectorProperty(tag, 'embedding_{slot}', row.vector)
  SET
    tag.embedder_id = $embedder_id,
    tag.needs_vector = false
}
WITH tag, row
// Found as a Tag, and cleaned up by upkeep while this waited for its lock.
WHERE NOT tag:Tag
RETURN row.key AS gone
