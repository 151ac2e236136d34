// NAME     maintain/mark_compared
// DOES     Let Facts that were compared with others wait for it no longer.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  the Facts, sorted
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
SET fact.needs_comparison = false
