// NAME     maintain/drop_tombstones
// DOES     Delete a batch of Tombstones for good whose time to be taken back is over, with the
//          Decisions about them; Tags, Terms and Intents stay while a node leads to them that may be
//          told again.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          now    ZONED DATETIME  those that may be deleted by then
//          batch  INTEGER         the most, >= 1
// RETURNS  dropped INTEGER
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param batch => 500;
CYPHER 25
MATCH (n:Tombstone)
WHERE n.scope = $scope AND n.purge_after <= $now
  // A deprecated or forgotten fact that is stated again, or restored, is given its names by them.
  AND NOT EXISTS {
    (n)<-[:TAGGED|SUBJECT|OBJECT|SERVES]-(told:Fact|Procedure|Tombstone)
    WHERE told:Fact OR told:Procedure OR told.purge_after > $now
  }
WITH n
ORDER BY n.purge_after
LIMIT $batch
CALL (n) {
  // The log would tell on what it said.
  MATCH (decision:Decision)-[:ABOUT]->(n)
  DETACH DELETE decision
}
DETACH DELETE n
RETURN count(*) AS dropped
