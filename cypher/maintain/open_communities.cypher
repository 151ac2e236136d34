// NAME     maintain/open_communities
// DOES     Take the keys of communities away whose members change, so that another one may get
//          them; make those that are not there.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING        memory scope
//          scope_token  STRING        its full-text token
//          ids          LIST<STRING>  of communities, sorted
// RETURNS  nothing
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MERGE (c:Community {scope: $scope, id: id})
  ON CREATE SET
    c.scope_token = $scope_token,
    c.status = 'active',
    c.size = 0,
    c.ordinal = 0,
    c.summary = '',
    c.summary_by = '',
    c.revision = 0,
    c.needs_summary = true,
    c.needs_vector = false
REMOVE c.key
