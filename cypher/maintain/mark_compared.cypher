// NAME     maintain/mark_compared
// DOES     Let Facts that were compared with others wait for it no longer, but for those that were
//          marked anew meanwhile.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          facts  LIST<MAP>  {id, revision} of Facts that waited, sorted by id; revision as it was
//                            before they were compared
// RETURNS  nothing
// SOURCE   graphmem, docs/decisions/consolidation.md
// TRY      :param scope => 'demo';
//          :param facts => [];
CYPHER 25
UNWIND $facts AS row
MATCH (fact:Fact {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET fact.needs_comparison = true
WITH row
MATCH (fact:Fact {scope: $scope, id: row.id})
WHERE coalesce(fact.comparison_revision, 0) = row.revision
SET fact.needs_comparison = false
