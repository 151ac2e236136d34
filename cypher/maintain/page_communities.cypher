// NAME     maintain/page_communities
// DOES     The next communities of a scope by their ids, and which Terms are in them now.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          after  STRING   id of the last one of the page before, '' for the first page
//          limit  INTEGER  communities of a page, >= 1
// RETURNS  communities LIST<LIST>: in order, of each [id, key: null where it was left half written,
//          size: as it was written, ordinal, keys of its Terms: sorted]
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
CYPHER 25
MATCH (c:Community)
WHERE c.scope = $scope AND c.id > $after
WITH c
ORDER BY c.scope, c.id
LIMIT $limit
RETURN
  // One row: the driver takes longer for a row than for what stands in it.
  collect([
    c.id,
    c.key,
    c.size,
    c.ordinal,
    COLLECT {
      MATCH (c)<-[:IN_COMMUNITY]-(term:Term)
      WHERE term.status = 'active'
      RETURN term.key AS key
      ORDER BY key
    }
  ]) AS communities
