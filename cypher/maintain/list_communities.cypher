// NAME     maintain/list_communities
// DOES     The communities of a scope, largest first, with their first members.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING   memory scope
//          limit       INTEGER  the most communities, >= 0
//          most_terms  INTEGER  names of each, the highest rank first, >= 0
// RETURNS  id STRING, key STRING, ordinal INTEGER, size INTEGER, summary STRING, summary_by STRING,
//          terms LIST<MAP {key, name, rank}>
// SOURCE   Graph Memory, communities
// COST     reads each community of the scope
// TRY      :param scope => 'demo';
//          :param limit => 20;
//          :param most_terms => 5;
CYPHER 25
MATCH (c:Community)
WHERE c.scope = $scope AND c.id >= ''
WITH c
ORDER BY c.size DESC, c.ordinal, c.id
LIMIT $limit
RETURN
  c.id AS id,
  coalesce(c.key, '') AS key,
  c.ordinal AS ordinal,
  c.size AS size,
  c.summary AS summary,
  c.summary_by AS summary_by,
  COLLECT {
    MATCH (c)<-[:IN_COMMUNITY]-(term:Term)
    WHERE term.status = 'active'
      // A name that only facts tell which are told no longer, or secret, is not given away.
      AND (
        EXISTS {
          (term)<-[:SUBJECT|OBJECT]-(told:Fact)
          WHERE told.status IN ['active', 'pending']
            AND coalesce(told.sensitivity, '') <> 'secret'
        }
        OR (
          EXISTS { (term)<-[:MENTIONS]-(:Turn) }
          AND NOT EXISTS {
            (term)<-[:SUBJECT|OBJECT]-(untold:Fact|Tombstone)
            WHERE untold:Tombstone OR untold.status = 'forgotten'
              OR coalesce(untold.sensitivity, '') = 'secret'
          }
        )
      )
    WITH term
    ORDER BY coalesce(term.rank, 0.0) DESC, term.key
    LIMIT $most_terms
    RETURN {key: term.key, name: term.name, rank: coalesce(term.rank, 0.0)}
  } AS terms
