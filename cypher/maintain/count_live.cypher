// NAME     maintain/count_live
// DOES     How many live Facts and Procedures a scope has.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  facts INTEGER, procedures INTEGER
// SOURCE   graphmem, docs/maintain.md
// COST     reads each of them
// TRY      :param scope => 'demo';
CYPHER 25
CALL () {
  MATCH (fact:Fact)
  // Named, the id lets the index find those of one scope.
  WHERE fact.scope = $scope AND fact.id >= '' AND fact.status IN ['active', 'pending']
  RETURN count(fact) AS facts
}
CALL () {
  MATCH (procedure:Procedure)
  WHERE procedure.scope = $scope AND procedure.id >= ''
    AND procedure.status IN ['active', 'pending']
  RETURN count(procedure) AS procedures
}
RETURN facts, procedures
