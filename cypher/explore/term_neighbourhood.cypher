// NAME     explore/term_neighbourhood
// DOES     Everything that is said of one Term: facts that hold, their other ends, and turns.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          name   STRING   the Term's name, in any case
//          k      INTEGER  how many facts and how many turns, 1..200
// RETURNS  paths to draw
// SOURCE   Mnemosyne, routing nodes
// TRY      :param scope => 'demo';
//          :param name => 'Mara';
//          :param k => 25;
CYPHER 25
MATCH (term:Term)
WHERE term.scope = $scope AND term.key = toLower(trim($name))
CALL (term) {
  MATCH ends = (term)<-[:SUBJECT|OBJECT]-(fact:Fact)-[:SUBJECT|OBJECT]->(other:Term)
  WHERE
    fact.scope = $scope AND
    other.scope = $scope AND
    fact.status IN ['active', 'pending']
  RETURN ends AS path
  ORDER BY fact.recorded_at DESC
  LIMIT $k
  UNION ALL
  MATCH mentioned = (term)<-[mention:MENTIONS]-(turn:Turn)
  WHERE turn.scope = $scope
  RETURN mentioned AS path
  ORDER BY mention.weight DESC, turn.at DESC
  LIMIT $k
}
RETURN term, path
