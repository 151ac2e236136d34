// NAME     explore/supersede_chain
// DOES     How facts followed on one another, with the decisions about them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          word   STRING   what one of the facts' texts contains, in any case
//          k      INTEGER  how many facts, 1..50
// RETURNS  paths to draw: the arrow SUPERSEDES leads from the later fact to the earlier one
// SOURCE   Graphorin, supersede chains
// COST     reads the text of each fact of the scope that is in a chain
// TRY      :param scope => 'demo';
//          :param word => 'kiln';
//          :param k => 10;
CYPHER 25
MATCH (fact:Fact)
WHERE fact.scope = $scope AND toLower(fact.text) CONTAINS toLower($word)
  AND EXISTS { (fact)-[:SUPERSEDES]-(:Fact) }
WITH fact
ORDER BY fact.valid_from DESC, fact.id
LIMIT $k
MATCH chain = (fact)-[:SUPERSEDES*0..50]-(other:Fact)
WHERE other.scope = $scope
OPTIONAL MATCH decided = (other)<-[:ABOUT]-(decision:Decision)
WHERE decision.scope = $scope
RETURN chain, decided
