// NAME     maintain/mark_compared
// DOES     Let Facts that were compared with others wait for it no longer, but for those that were
//          marked anew meanwhile.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING     memory scope
//          facts  LIST<MAP>  {id, seen}, sorted by id; seen as maintain/get_seen returned it before
//                            they were compared
// RETURNS  nothing
// SOURCE   graphmem, docs/decisions/consolidation.md
// TRY      :param scope => 'demo';
//          :param facts => [];
CYPHER 25
UNWIND $facts AS row
MATCH (fact:Fact {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET fact.text = fact.text
WITH row
MATCH (fact:Fact {scope: $scope, id: row.id})
WHERE
  row.seen
  = [
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
  ]
SET fact.needs_comparison = false
