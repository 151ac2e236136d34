// NAME     maintain/bury_tags
// DOES     Delete Tags to which no living Fact leads, and link the run to them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          run_id       STRING          the run that does it
//          ids          LIST<STRING>    of Tags, in the order of their keys
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
MATCH (tag:Tag {scope: $scope, id: id})
// Nothing changes, but writing takes the lock, in the order of the keys as all writers do: what
// is read below was committed before, and who wants to link it waits and finds it gone.
SET tag.label = tag.label
WITH run, id
MATCH (tag:Tag {scope: $scope, id: id})
WHERE NOT EXISTS {
  (tag)<-[:TAGGED]-(fact:Fact)
  WHERE fact.status IN ['active', 'pending', 'superseded']
}
CREATE (run)-[:CHANGED {how: 'delete', before: tag.status, reason: $reason}]->(tag)
SET
  tag:Tombstone,
  tag.was = 'Tag',
  tag.run_id = run.id,
  tag.deleted_at = $now,
  tag.purge_after = $purge_after
REMOVE tag:Tag
RETURN id
