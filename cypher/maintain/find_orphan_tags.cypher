// NAME     maintain/find_orphan_tags
// DOES     The Tags of a page to which no living Fact leads; one that was superseded lives in history.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          after  STRING        key of the last one of the page before, '' for the first page
//          limit  INTEGER       Tags that are looked at, >= 1
//          gone   LIST<STRING>  ids of Facts that count as gone already
// RETURNS  last STRING: key of the last one that was looked at, null where there is none;
//          looked INTEGER; orphans LIST<MAP>: {id, text}, sorted by key
// SOURCE   Mnemosyne, "Orphan Cleanup"
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param gone => [];
CYPHER 25
MATCH (tag:Tag)
WHERE tag.scope = $scope AND tag.key > $after
WITH tag
ORDER BY tag.scope, tag.key
LIMIT $limit
WITH collect(tag) AS page
RETURN
  page[-1].key AS last,
  size(page) AS looked,
  COLLECT {
    UNWIND page AS tag
    WITH tag
    WHERE NOT EXISTS {
      (tag)<-[:TAGGED]-(fact:Fact)
      WHERE fact.status IN ['active', 'pending', 'superseded'] AND NOT fact.id IN $gone
    }
    RETURN {id: tag.id, text: tag.label}
  } AS orphans
