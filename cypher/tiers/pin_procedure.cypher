// NAME     tiers/pin_procedure
// DOES     Keep upkeep from a Procedure, or let it at it again.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING   memory scope
//          id      STRING   the Procedure
//          pinned  BOOLEAN  whether upkeep leaves it alone
// RETURNS  id STRING; no row where there is no such Procedure
// SOURCE   Mnemosyne, "Graph Maintenance"; Graph Memory, tiers
// TRY      :param scope => 'demo';
//          :param id => 'x1';
//          :param pinned => true;
CYPHER 25
MATCH (n:Procedure {scope: $scope, id: $id})
SET n.pinned = $pinned
RETURN n.id AS id
