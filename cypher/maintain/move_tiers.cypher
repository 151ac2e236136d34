// NAME     maintain/move_tiers
// DOES     Move a batch of Facts or Procedures to other tiers.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          kind   STRING     'Fact' or 'Procedure'
//          moves  LIST<MAP>  {id, tier, next_tier}, sorted by id: one that is not in the tier that it
//                            was seen in stays where it is, and so does a pinned one
// RETURNS  tier STRING, next_tier STRING: of each that moved
// SOURCE   Graph Memory, decay
// TRY      :param scope => 'demo';
//          :param kind => 'Fact';
//          :param moves => [];
CYPHER 25
CALL () {
  UNWIND CASE $kind WHEN 'Fact' THEN $moves ELSE [] END AS move
  MATCH (fact:Fact {scope: $scope, id: move.id})
  RETURN fact AS n, move
  UNION ALL
  UNWIND CASE $kind WHEN 'Procedure' THEN $moves ELSE [] END AS move
  MATCH (procedure:Procedure {scope: $scope, id: move.id})
  RETURN procedure AS n, move
}
WITH n, move
WHERE coalesce(n.tier, 'working') = move.tier AND NOT coalesce(n.pinned, false)
SET n.tier = move.next_tier
WITH n, move
CALL (n, move) {
  WITH n, move
  WHERE n:Fact AND move.tier = 'core'
  // Protected no longer, it may go for another one: it is compared again.
  SET
    n.needs_comparison = true,
    n.comparison_revision = coalesce(n.comparison_revision, 0) + 1
}
RETURN move.tier AS tier, move.next_tier AS next_tier
