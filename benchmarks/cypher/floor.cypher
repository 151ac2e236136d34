// What no recall can be faster than: one vector and one full-text search in one statement.
CYPHER 25
CALL () {
  MATCH (t:Turn)
  SEARCH t IN (
    VECTOR INDEX turn_embedding_a
    FOR $vector
    WHERE t.scope = $scope AND t.status = 'active'
    LIMIT $limit
  ) SCORE AS score
  RETURN t, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('turn_text', $asked, {limit: $limit})
  YIELD node AS t, score
  WHERE t.scope = $scope
  RETURN t, score
}
RETURN t.id AS id, t.text AS text, score
