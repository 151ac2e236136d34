// NAME     maintain/get_seen
// DOES     What becomes another where some Facts that wait to be compared are marked anew.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  the Facts
// RETURNS  id STRING, seen LIST<INTEGER>: of those that wait
// SOURCE   graphmem, docs/decisions/consolidation.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
WHERE fact.needs_comparison
RETURN
  id,
  // As in maintain/mark_compared: what upkeep handed over or changed itself does not count.
  [
    COUNT {
      (fact)-[tagged:TAGGED]->(:Tag)
      WHERE tagged.handed_by IS NULL
    },
    size(coalesce(fact.version_at, [fact.recorded_at]))
      - COUNT { (fact)<-[:CHANGED]-(:MaintenanceRun) },
    COUNT {
      (fact)<-[:ABOUT|AGAINST]-(d:Decision)
      WHERE d.state IN ['open', 'unchecked']
    },
    toInteger(fact.pinned)
  ] AS seen
