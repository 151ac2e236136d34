// NAME     maintain/get_texts
// DOES     The texts of Facts.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  the Facts
// RETURNS  id STRING, text STRING
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
RETURN id, fact.text AS text
