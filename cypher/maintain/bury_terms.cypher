// NAME     maintain/bury_terms
// DOES     Delete Terms that nothing speaks of, and link the run to them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          run_id       STRING          the run that does it
//          ids          LIST<STRING>    of Terms, in the order of their keys
//          reason       STRING          why they go
//          now          ZONED DATETIME  when it is recorded
//          purge_after  ZONED DATETIME  from when on a Tombstone may be deleted for good
// RETURNS  id STRING: of each that went
// SOURCE   Mnemosyne, "Orphan Cleanup"; graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param ids => [];
//          :param reason => '';
//          :param now => datetime();
//          :param purge_after => datetime() + duration('P7D');
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})
UNWIND $ids AS id
MATCH (term:Term {scope: $scope, id: id})
// Nothing changes, but writing takes the lock, in the order of the keys as all writers do: what
// is read below was committed before, and who wants to link it waits and finds it gone.
SET term.name = term.name
WITH run, id
MATCH (term:Term {scope: $scope, id: id})
WHERE NOT EXISTS { (term)<-[:MENTIONS]-(:Turn) }
  AND NOT EXISTS {
    (term)<-[:SUBJECT|OBJECT]-(fact:Fact)
    WHERE fact.status IN ['active', 'pending', 'superseded']
  }
  AND NOT EXISTS { (term)-[:MERGED_INTO]-(:Term) }
CREATE (run)-[:CHANGED {how: 'delete', before: term.status, reason: $reason}]->(term)
SET
  term:Tombstone,
  term.was = 'Term',
  term.run_id = run.id,
  term.deleted_at = $now,
  term.purge_after = $purge_after
REMOVE term:Term
RETURN id
