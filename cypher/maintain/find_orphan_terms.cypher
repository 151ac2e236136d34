// NAME     maintain/find_orphan_terms
// DOES     The Terms of a page that no Turn mentions and no living Fact speaks of; aliases stay.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          after  STRING        key of the last one of the page before, '' for the first page
//          limit  INTEGER       Terms that are looked at, >= 1
//          gone   LIST<STRING>  ids of Facts that count as gone already
// RETURNS  last STRING: key of the last one that was looked at, null where there is none;
//          looked INTEGER; orphans LIST<MAP>: {id, text}, sorted by key
// SOURCE   Mnemosyne, "Orphan Cleanup"
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param gone => [];
CYPHER 25
MATCH (term:Term)
WHERE term.scope = $scope AND term.key > $after
WITH term
ORDER BY term.scope, term.key
LIMIT $limit
WITH collect(term) AS page
RETURN
  page[-1].key AS last,
  size(page) AS looked,
  COLLECT {
    UNWIND page AS term
    WITH term
    WHERE NOT EXISTS { (term)<-[:MENTIONS]-(:Turn) }
      AND NOT EXISTS {
        (term)<-[:SUBJECT|OBJECT]-(fact:Fact)
        WHERE fact.status IN ['active', 'pending', 'superseded'] AND NOT fact.id IN $gone
      }
      // An alias, and what stands for one, are how a name is known.
      AND NOT EXISTS { (term)-[:MERGED_INTO]-(:Term) }
    RETURN {id: term.id, text: term.name}
  } AS orphans
