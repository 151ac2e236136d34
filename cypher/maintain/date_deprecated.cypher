// NAME     maintain/date_deprecated
// DOES     Let the time begin now of Facts and Procedures that decay deprecated, nobody knows when.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          now    ZONED DATETIME  from when it counts
//          limit  INTEGER         nodes of each label in one transaction, >= 1
// RETURNS  dated INTEGER
// SOURCE   Graph Memory, decay
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param limit => 500;
CYPHER 25
CALL () {
  MATCH (fact:Fact {scope: $scope, deprecated_by: 'decay'})
  // Named, the id lets the index find them.
  WHERE fact.id >= '' AND fact.status = 'deprecated' AND fact.deprecated_at IS NULL
  WITH fact
  LIMIT $limit
  SET fact.deprecated_at = $now
  RETURN count(fact) AS facts
}
CALL () {
  MATCH (procedure:Procedure {scope: $scope, deprecated_by: 'decay'})
  WHERE procedure.id >= '' AND procedure.status = 'deprecated' AND procedure.deprecated_at IS NULL
  WITH procedure
  LIMIT $limit
  SET procedure.deprecated_at = $now
  RETURN count(procedure) AS procedures
}
RETURN facts + procedures AS dated
