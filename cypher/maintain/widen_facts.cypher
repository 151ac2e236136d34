// NAME     maintain/widen_facts
// DOES     Let Facts hold from an earlier time on, with a version of the change, and link the run to
//          them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          run_id  STRING          the run that does it
//          now     ZONED DATETIME  when it is recorded
//          rows    LIST<MAP>       {id, valid_from}, sorted by id
// RETURNS  id STRING: of each that the run had not changed so before; members of supersede chains,
//          and what holds from then on already, stay
// SOURCE   graphmem, docs/decisions/consolidation.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param now => datetime();
//          :param rows => [];
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})
UNWIND $rows AS row
MATCH (fact:Fact {scope: $scope, id: row.id})
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET fact.text = fact.text
WITH run, row
MATCH (fact:Fact {scope: $scope, id: row.id})
WHERE fact.status IN ['active', 'pending'] AND fact.valid_from > row.valid_from
  AND NOT EXISTS { (fact)-[:SUPERSEDES]-(:Fact) }
WITH run, row, fact, fact.valid_from AS held_from
// A run that did so before, for another one that went, keeps one change from the first to the last:
// it is undone as a whole.
MERGE (run)-[change:CHANGED {how: 'widen', valid_from: held_from}]->(fact)
ON CREATE SET
  change.before = fact.status,
  change.before_valid_from = held_from
SET change.valid_from = row.valid_from
SET
  fact.version_at = coalesce(fact.version_at, [fact.recorded_at]) + [$now],
  fact.version_valid_from = coalesce(fact.version_valid_from, [fact.valid_from]) + [row.valid_from],
  fact.version_valid_to = coalesce(fact.version_valid_to, [fact.valid_to]) + [fact.valid_to],
  fact.version_status = coalesce(fact.version_status, [fact.status]) + [fact.status],
  fact.valid_from = row.valid_from
WITH fact, change, held_from
WHERE change.before_valid_from = held_from
RETURN fact.id AS id
