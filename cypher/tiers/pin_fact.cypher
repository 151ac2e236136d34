// NAME     tiers/pin_fact
// DOES     Keep upkeep from a Fact, or let it at it again.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING   memory scope
//          id      STRING   the Fact
//          pinned  BOOLEAN  whether upkeep leaves it alone
// RETURNS  id STRING; no row where there is no such Fact
// SOURCE   Mnemosyne, "Graph Maintenance"; Graph Memory, tiers
// TRY      :param scope => 'demo';
//          :param id => 'x1';
//          :param pinned => true;
CYPHER 25
MATCH (n:Fact {scope: $scope, id: $id})
SET n.pinned = $pinned
WITH n
CALL (n) {
  WITH n
  WHERE NOT $pinned
  // Protected no longer, it may go for another one: it is compared again.
  SET
    n.needs_comparison = true,
    n.comparison_revision = coalesce(n.comparison_revision, 0) + 1
}
RETURN n.id AS id
