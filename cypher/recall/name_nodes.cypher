// NAME     recall/name_nodes
// DOES     What nodes are called, for people: a name, a statement, the beginning of a turn.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING        memory scope
//          turn_ids     LIST<STRING>  turns; an id that is not there is passed over
//          fact_ids     LIST<STRING>  facts; one that is not told is passed over, too
//          term_ids     LIST<STRING>  terms, as above
//          tag_ids      LIST<STRING>  tags, as above
//          name_length  INTEGER       characters of a statement or a turn that are sent
// RETURNS  id STRING, name STRING
// SOURCE   Mnemosyne, "RecallTrace"
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param turn_ids => [];
//          :param fact_ids => [];
//          :param term_ids => COLLECT {
//            MATCH (x:Term) WHERE x.scope = 'demo' RETURN x.id LIMIT 5
//          };
//          :param tag_ids => [];
//          :param name_length => 200;
CYPHER 25
CALL () {
  UNWIND $turn_ids AS id
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id = id
  RETURN n.id AS found, left(n.text, $name_length) AS name
  UNION ALL
  UNWIND $fact_ids AS id
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id = id AND n.status IN ['active', 'pending', 'superseded']
    AND coalesce(n.sensitivity, '') <> 'secret'
  RETURN n.id AS found, left(n.text, $name_length) AS name
  UNION ALL
  UNWIND $term_ids AS id
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.id = id
  RETURN
    n.id AS found,
    // A name that only a secret fact tells is not given away.
    CASE WHEN EXISTS { (n)<-[:MENTIONS]-(:Turn) } OR EXISTS {
      (n)<-[:SUBJECT|OBJECT]-(about:Fact)
      WHERE coalesce(about.sensitivity, '') <> 'secret'
    } THEN n.name ELSE '(secret)' END AS name
  UNION ALL
  UNWIND $tag_ids AS id
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.id = id
  RETURN n.id AS found, n.label AS name
}
RETURN found AS id, name
