// NAME     maintain/write_communities
// DOES     Write down a batch of communities with their keys, make those that are not there, and put
//          Terms into them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING           memory scope
//          scope_token  STRING           its full-text token
//          communities  LIST<MAP>        {id, key, size, ordinal} of those whose members change,
//                                        sorted by id
//          terms        LIST<LIST<ANY>>  [key, place, rank], sorted by key: the Term leaves the
//                                        community that it is in for the one at that place of
//                                        communities, -1 = for none, null = it stays; a rank that
//                                        is null stays as it is
// RETURNS  moved INTEGER
// SOURCE   Graph Memory, communities
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param communities => [];
//          :param terms => [];
CYPHER 25
CALL () {
  UNWIND $terms AS row
  MATCH (term:Term {scope: $scope, key: row[0]})
  // Also where it only moves: Terms are locked first, and in the order of their keys, as whoever
  // writes what is told of them does.
  SET term.rank = coalesce(row[2], term.rank)
  RETURN collect({term: term, place: row[1]}) AS found
}
CALL () {
  UNWIND $communities AS row
  MERGE (c:Community {scope: $scope, id: row.id})
    ON CREATE SET
      c.scope_token = $scope_token,
      c.status = 'active',
      c.summary = '',
      c.summary_by = '',
      c.revision = 0,
      c.needs_vector = false
  SET
    c.key = row.key,
    c.size = row.size,
    c.ordinal = row.ordinal,
    c.needs_summary = true,
    c.revision = c.revision + 1
  RETURN collect(c) AS written
}
UNWIND found AS one
WITH one.term AS term, one.place AS place, written
WHERE place IS NOT NULL
CALL (term) {
  MATCH (term)-[old:IN_COMMUNITY]->(:Community)
  DELETE old
}
CALL (term, place, written) {
  // Merged meanwhile: it is in none.
  WITH term, place, written
  WHERE place >= 0 AND term.status = 'active'
  WITH term, written[place] AS c
  CREATE (term)-[:IN_COMMUNITY]->(c)
}
RETURN count(*) AS moved
