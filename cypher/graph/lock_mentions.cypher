// NAME     graph/lock_mentions
// DOES     Lock the Turns that speak of a Term by its own name, whether it is merged or not.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          key    STRING  of the Term, which is not locked
// RETURNS  turns INTEGER: how many
// SOURCE   graphmem, docs/terms.md
// TRY      :param scope => 'demo';
//          :param key => 'mara';
CYPHER 25
MATCH (alias:Term {scope: $scope, key: $key})
CALL (alias) {
  MATCH (turn:Turn)-[:MENTIONS]->(alias)
  RETURN turn
  UNION
  MATCH (alias)-[:MERGED_INTO]->{1,20}(into:Term)
  MATCH (turn:Turn)-[said:MENTIONS]->(into)
  WHERE said.via = alias.key
  RETURN turn
}
WITH DISTINCT turn
// In the order in which writers take these locks, and as they do before those of Terms.
ORDER BY turn.id
SET turn.seq = turn.seq
RETURN count(*) AS turns
