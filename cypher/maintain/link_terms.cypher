// NAME     maintain/link_terms
// DOES     What some Terms have to do with others, and in which communities those are.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          keys        LIST<STRING>  keys of Terms
//          most_terms  INTEGER       Terms of a turn that count, the weightiest first, >= 2
//          hub_links   INTEGER       one that more turns mention or facts are about has no links
//                                    here: what is new of it does not move it
// RETURNS  key STRING, community_id STRING: null where it is in none; is_hub BOOLEAN, near
//          LIST<LIST>: of each neighbour [key, weight, community id or null]
// SOURCE   graphmem, docs/maintain.md; maintain/project_terms weighs alike
// COST     all turns and facts of the Terms, with what they mention
// TRY      :param scope => 'demo';
//          :param keys => COLLECT {
//            MATCH (t:Term) WHERE t.scope = 'demo' RETURN t.key LIMIT 3
//          };
//          :param most_terms => 20;
//          :param hub_links => 1000;
CYPHER 25
UNWIND $keys AS key
MATCH (term:Term {scope: $scope, key: key})
WHERE term.status = 'active'
WITH term,
  COUNT { (term)<-[:MENTIONS]-() }
    + COUNT { (term)<-[:SUBJECT]-() }
    + COUNT { (term)<-[:OBJECT]-() } AS size
CALL (term, size) {
  WITH term, size
  WHERE size <= $hub_links
  CALL (term) {
    MATCH (turn:Turn)-[:MENTIONS]->(term)
    WHERE turn.scope = $scope AND turn.status IN ['active', 'pending']
    WITH DISTINCT term, turn
    WITH term, COLLECT {
      MATCH (turn)-[mention:MENTIONS]->(told:Term)
      WHERE told.scope = $scope AND told.status = 'active'
      WITH told, max(mention.weight) AS weight
      ORDER BY weight DESC, told.key
      LIMIT $most_terms
      RETURN told
    } AS told
    WHERE term IN told AND size(told) > 1
    UNWIND told AS other
    RETURN other, 1.0 / (size(told) - 1) AS share
    UNION ALL
    MATCH (term)<-[:SUBJECT]-(fact:Fact)-[:OBJECT]->(other:Term)
    WHERE fact.scope = $scope AND fact.status IN ['active', 'pending']
      AND other.scope = $scope AND other.status = 'active'
    WITH DISTINCT fact, other
    RETURN other, 1.0 AS share
    UNION ALL
    MATCH (term)<-[:OBJECT]-(fact:Fact)-[:SUBJECT]->(other:Term)
    WHERE fact.scope = $scope AND fact.status IN ['active', 'pending']
      AND other.scope = $scope AND other.status = 'active'
    WITH DISTINCT fact, other
    RETURN other, 1.0 AS share
  }
  WITH term, size, other, share
  WHERE other <> term
  WITH other, sum(share) AS share, size
  WITH other,
    share / sqrt(
      toFloat(size)
      * (
        COUNT { (other)<-[:MENTIONS]-() }
        + COUNT { (other)<-[:SUBJECT]-() }
        + COUNT { (other)<-[:OBJECT]-() }
      )
    ) AS weight
  RETURN collect([
    other.key,
    weight,
    head(COLLECT {
      MATCH (other)-[:IN_COMMUNITY]->(c:Community)
      RETURN c.id
    })
  ]) AS near
}
RETURN
  term.key AS key,
  head(COLLECT {
    MATCH (term)-[:IN_COMMUNITY]->(c:Community)
    RETURN c.id
  }) AS community_id,
  size > $hub_links AS is_hub,
  near
