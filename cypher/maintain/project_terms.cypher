// NAME     maintain/project_terms
// DOES     Copy the Terms of a scope, and how much each two have to do with each other, into a
//          graph of the Graph Data Science library.
// MODE     read
// NEEDS    neo4j >= 2026.02, gds >= 2.13
// PARAMS   scope       STRING   memory scope
//          graph       STRING   name of the copy, used once
//          most_terms  INTEGER  Terms of a turn that count, the weightiest first, >= 2
// RETURNS  made MAP: what the library says of the copy; its graphName is null where the scope has
//          no Term
// SOURCE   graphmem, docs/maintain.md; graphmem/maintain/communities/term_links.py is its twin
// COST     reads each Term, Turn and Fact of the scope: about half of a rebuild
// TRY      :param scope => 'demo';
//          :param graph => 'try';
//          :param most_terms => 20;
CYPHER 25
CALL () {
  // Terms first of all, and in order: their numbers in the copy are those of the keys then, and the
  // library, which takes the smallest number among equals, decides as the twin does.
  MATCH (one:Term)
  WHERE one.scope = $scope AND one.key >= '' AND one.status = 'active'
  WITH one
  ORDER BY one.scope, one.key
  WITH one,
    COUNT { (one)<-[:MENTIONS]-() }
      + COUNT { (one)<-[:SUBJECT]-() }
      + COUNT { (one)<-[:OBJECT]-() } AS links
  RETURN
    one,
    null AS other,
    {
      // A link weighs its share over the roots of both ends. Whoever votes has the same root in
      // all of its links, so that of the neighbour is enough, and is looked up once for each Term.
      sourceNodeProperties: {weight: CASE links WHEN 0 THEN 1.0 ELSE 1.0 / sqrt(links) END},
      targetNodeProperties: null
    } AS told
  UNION ALL
  // A link leads to Terms of its own scope alone, and maintain/rank_projected_terms asks each for
  // its scope: here each would be asked several times.
  MATCH (turn:Turn)
  WHERE turn.scope = $scope AND turn.id >= '' AND turn.status IN ['active', 'pending']
  WITH turn, COLLECT {
    MATCH (turn)-[:MENTIONS]->(term:Term)
    WHERE term.status = 'active'
    RETURN DISTINCT term
  } AS all_terms
  WITH
    CASE
      // Nearly always: the subquery below, with its sorting, takes as long again.
      WHEN size(all_terms) <= $most_terms THEN all_terms
      ELSE COLLECT {
        MATCH (turn)-[mention:MENTIONS]->(term:Term)
        WHERE term.status = 'active'
        WITH term, max(mention.weight) AS weight
        ORDER BY weight DESC, term.key
        LIMIT $most_terms
        RETURN term
      }
    END AS terms
  UNWIND range(0, size(terms) - 2) AS i
  UNWIND range(i + 1, size(terms) - 1) AS j
  RETURN
    terms[i] AS one,
    terms[j] AS other,
    {relationshipProperties: {share: 1.0 / (size(terms) - 1)}} AS told
  UNION ALL
  MATCH (fact:Fact)
  WHERE fact.scope = $scope AND fact.id >= '' AND fact.status IN ['active', 'pending']
  MATCH (one:Term)<-[:SUBJECT]-(fact)-[:OBJECT]->(other:Term)
  WHERE one.status = 'active' AND other.status = 'active' AND other <> one
  WITH DISTINCT fact, one, other
  RETURN one, other, {relationshipProperties: {share: 1.0}} AS told
}
RETURN gds.graph.project(
  $graph,
  one,
  other,
  told,
  {undirectedRelationshipTypes: ['*']}
) AS made
