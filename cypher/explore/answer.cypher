// NAME     explore/answer
// DOES     The turns, facts and procedures of one answer, with the Intents of these, and the terms,
//          tags and sessions on the ways that led to them, with the links between them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING        memory scope
//          turn_ids     LIST<STRING>  turns to draw
//          fact_ids     LIST<STRING>  facts to draw
//          procedure_ids LIST<STRING>  procedures to draw
//          term_ids     LIST<STRING>  terms to draw
//          tag_ids      LIST<STRING>  tags to draw
//          session_ids  LIST<STRING>  sessions to draw
// RETURNS  node, path: each node, and its links to the others
// SOURCE   graphmem, docs/recall.md: `graphmem recall --cypher` fills in the ids of an answer
// TRY      :param scope => 'demo';
//          :param turn_ids => COLLECT {
//            MATCH (t:Turn) WHERE t.scope = 'demo' RETURN t.id ORDER BY t.id LIMIT 5
//          };
//          :param fact_ids => COLLECT {
//            MATCH (f:Fact) WHERE f.scope = 'demo' RETURN f.id ORDER BY f.id LIMIT 5
//          };
//          :param procedure_ids => [];
//          :param term_ids => [];
//          :param tag_ids => [];
//          :param session_ids => [];
CYPHER 25
CALL () {
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id IN $turn_ids
  RETURN n
  UNION ALL
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id IN $fact_ids
  RETURN n
  UNION ALL
  MATCH (n:Procedure)
  WHERE n.scope = $scope AND n.id IN $procedure_ids
  RETURN n
  UNION ALL
  MATCH (p:Procedure)
  WHERE p.scope = $scope AND p.id IN $procedure_ids
  MATCH (p)-[:SERVES]->(n:Intent)
  RETURN DISTINCT n
  UNION ALL
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.id IN $term_ids
  RETURN n
  UNION ALL
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.id IN $tag_ids
  RETURN n
  UNION ALL
  MATCH (n:Session)
  WHERE n.scope = $scope AND n.id IN $session_ids
  RETURN n
}
WITH collect(n) AS nodes
UNWIND nodes AS node
// Outwards only: what points to a term can be the whole store.
OPTIONAL MATCH path = (node)
  -[:MENTIONS|NEXT|HAS_TURN|STATES|SUBJECT|OBJECT|TAGGED|SIMILAR|SERVES|DERIVED_FROM]->
  (other:Turn|Fact|Term|Tag|Intent)
WHERE other.scope = $scope AND other IN nodes
RETURN node, path
