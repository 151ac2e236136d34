// NAME     graph/link_similar
// DOES     Link Terms that wait for it to those that mean the same, by their vectors.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING   memory scope
//          embedder_id  STRING   whose vectors are compared; Terms of another one are left alone
//          nearest      INTEGER  the most links that a Term asks for, 1..100
//          least        FLOAT    raw cosine that a link needs, -1..1
//          limit        INTEGER  Terms of one transaction, >= 1
// RETURNS  terms INTEGER: how many were looked at; links INTEGER: how many there are of them now
// SOURCE   HippoRAG 2, "Synonym detection"
// COST     one vector probe a Term
// TRY      :param scope => 'demo';
//          :param embedder_id => '';
//          :param nearest => 10;
//          :param least => 0.8;
//          :param limit => 64;
CYPHER 25
MATCH (waiting:Term {scope: $scope, needs_links: true})
USING INDEX waiting:Term(scope, needs_links)
WHERE waiting.needs_vector = false AND waiting.embedder_id = $embedder_id
  // One that was merged waits until it stands for itself again.
  AND waiting.status = 'active'
WITH waiting
LIMIT $limit
CALL (waiting) {
  MATCH (near:Term)
  SEARCH near IN (
    VECTOR INDEX term_embedding_{slot}
    FOR waiting.embedding_{slot}
    WHERE near.scope = $scope AND near.status = 'active'
    // It finds itself too.
    LIMIT $nearest + 1
  ) SCORE AS score
  WITH near, 2 * score - 1 AS cosine
  WHERE near <> waiting AND cosine >= $least
  RETURN collect([near, cosine]) AS found
}
WITH collect([waiting, found]) AS rows
CALL (rows) {
  UNWIND rows AS row
  UNWIND [row[0]] + [pair IN row[1] | pair[0]] AS term
  WITH DISTINCT term
  // Locks are taken in the order of the keys, as in graph/write_terms: no two writers can
  // wait for each other.
  ORDER BY term.key
  SET term.name = term.name
  RETURN count(*) AS locked
}
CALL (rows) {
  UNWIND rows AS row
  WITH row[0] AS term
  MATCH (term)-[old:SIMILAR]-(other:Term)
  WHERE other.scope = $scope AND old.embedder_id <> $embedder_id
  // Measured by another embedder.
  DELETE old
}
CALL (rows) {
  UNWIND rows AS row
  WITH row[0] AS term, row[1] AS found
  UNWIND found AS pair
  // One link a pair, whoever of the two came first.
  WITH CASE WHEN term.key < pair[0].key THEN [term, pair[0]] ELSE [pair[0], term] END AS ends,
    pair[1] AS cosine
  WITH ends[0] AS one, ends[1] AS other, max(cosine) AS cosine
  MERGE (one)-[link:SIMILAR]->(other)
  SET
    link.cosine = cosine,
    link.embedder_id = $embedder_id
  RETURN count(*) AS links
}
CALL (rows) {
  UNWIND rows AS row
  WITH row[0] AS term
  SET term.needs_links = false
}
RETURN size(rows) AS terms, links
