// NAME     maintain/find_orphan_intents
// DOES     The Intents of a page that no living Procedure serves.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          after  STRING        key of the last one of the page before, '' for the first page
//          limit  INTEGER       Intents that are looked at, >= 1
//          gone   LIST<STRING>  ids of Procedures that count as gone already
// RETURNS  last STRING: key of the last one that was looked at, null where there is none;
//          looked INTEGER; orphans LIST<MAP>: {id, text}, sorted by key
// SOURCE   Mnemosyne, "Orphan Cleanup"
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param gone => [];
CYPHER 25
MATCH (intent:Intent)
WHERE intent.scope = $scope AND intent.key > $after
WITH intent
ORDER BY intent.scope, intent.key
LIMIT $limit
WITH collect(intent) AS page
RETURN
  page[-1].key AS last,
  size(page) AS looked,
  COLLECT {
    UNWIND page AS intent
    WITH intent
    WHERE NOT EXISTS {
      (intent)<-[:SERVES]-(procedure:Procedure)
      WHERE procedure.status IN ['active', 'pending'] AND NOT procedure.id IN $gone
    }
    RETURN {id: intent.id, text: intent.description}
  } AS orphans
