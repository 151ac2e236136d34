// NAME     graph/list_terms
// DOES     Terms with the names that were merged into them, the most mentioned first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          word   STRING        what a name contains, normalised as a key; '' for any
//          keys   LIST<STRING>  only Terms with these keys; none = all
//          k      INTEGER       the most Terms, >= 0
// RETURNS  id STRING, key STRING, name STRING, qualifier STRING, aliases LIST<STRING>,
//          mentions INTEGER, facts INTEGER
// SOURCE   graphmem, docs/terms.md
// COST     reads the Terms of the scope
// TRY      :param scope => 'demo';
//          :param word => '';
//          :param keys => [];
//          :param k => 20;
CYPHER 25
MATCH (said:Term)
WHERE said.scope = $scope AND said.key >= '' AND said.key CONTAINS $word
  AND (size($keys) = 0 OR said.key IN $keys)
MATCH (said)-[:MERGED_INTO]->{0,20}(term:Term)
WHERE NOT EXISTS { (term)-[:MERGED_INTO]->(:Term) }
WITH DISTINCT term
WITH term, COUNT { (term)<-[:MENTIONS]-() } AS links
ORDER BY links DESC, term.key
LIMIT $k
RETURN
  term.id AS id,
  term.key AS key,
  term.name AS name,
  coalesce(term.qualifier, '') AS qualifier,
  COLLECT {
    MATCH (term)<-[:MERGED_INTO]-{1,20}(alias:Term)
    RETURN alias.name
    ORDER BY alias.key
  } AS aliases,
  // A turn that calls it by two names counts once.
  COUNT {
    MATCH (turn:Turn)-[:MENTIONS]->(term)
    RETURN DISTINCT turn
  } AS mentions,
  COUNT {
    MATCH (fact:Fact)-[:SUBJECT|OBJECT]->(term)
    RETURN DISTINCT fact
  } AS facts
