// NAME     maintain/undo_routes
// DOES     Take back what a run did to a batch of Tags, Terms and Intents; where one of the same key
//          was made again meanwhile, that one gets the links of the old one.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope    STRING          memory scope
//          run_id   STRING          the run that is undone
//          changes  LIST<STRING>    what it did to them, as of maintain/list_changes
//          now      ZONED DATETIME  when it is recorded
// RETURNS  id STRING, outcome STRING: as of maintain/undo_facts
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param changes => COLLECT {
//            MATCH (r:MaintenanceRun {scope: 'demo', id: 'r1'})-[c:CHANGED]->(n:Tombstone)
//            RETURN elementId(c)
//          };
//          :param now => datetime();
CYPHER 25
UNWIND $changes AS place
MATCH (run:MaintenanceRun)-[change:CHANGED]->(n:Tombstone)
WHERE elementId(change) = place AND run.scope = $scope AND run.id = $run_id
WITH run, change, n
ORDER BY n.was, n.key
SET n.key = n.key
WITH change, n,
  CASE
    WHEN n.run_id <> run.id THEN 'changed'
    WHEN n.was = 'Tag' AND EXISTS { MATCH (tag:Tag {scope: $scope, key: n.key}) } THEN 'taken'
    WHEN n.was = 'Term' AND EXISTS { MATCH (term:Term {scope: $scope, key: n.key}) } THEN 'taken'
    WHEN n.was = 'Intent' AND EXISTS { MATCH (intent:Intent {scope: $scope, key: n.key}) }
    THEN 'taken'
    ELSE 'restored'
  END AS outcome
SET
  change.undone_at = $now,
  change.outcome = outcome
WITH n, outcome, n.was AS label
CALL (n, outcome, label) {
  WITH n, outcome, label
  WHERE outcome = 'restored'
  FOREACH (_ IN CASE label WHEN 'Tag' THEN [1] ELSE [] END | SET n:Tag)
  FOREACH (_ IN CASE label WHEN 'Term' THEN [1] ELSE [] END |
    SET
      n:Term,
      n.needs_community = true
  )
  FOREACH (_ IN CASE label WHEN 'Intent' THEN [1] ELSE [] END | SET n:Intent)
  REMOVE n:Tombstone, n.was, n.run_id, n.deleted_at, n.purge_after
}
CALL (n, outcome, label) {
  WITH n, outcome, label
  WHERE outcome = 'taken' AND label = 'Tag'
  MATCH (again:Tag {scope: $scope, key: n.key})
  MATCH (n)<-[old:TAGGED]-(fact:Fact|Tombstone)
  MERGE (fact)-[new:TAGGED]->(again)
    ON CREATE SET new = properties(old)
  DELETE old
}
CALL (n, outcome, label) {
  WITH n, outcome, label
  WHERE outcome = 'taken' AND label = 'Term'
  MATCH (again:Term {scope: $scope, key: n.key})
  MATCH (n)<-[old:SUBJECT]-(fact:Fact|Tombstone)
  MERGE (fact)-[new:SUBJECT]->(again)
    ON CREATE SET new = properties(old)
  DELETE old
}
CALL (n, outcome, label) {
  WITH n, outcome, label
  WHERE outcome = 'taken' AND label = 'Term'
  MATCH (again:Term {scope: $scope, key: n.key})
  MATCH (n)<-[old:OBJECT]-(fact:Fact|Tombstone)
  MERGE (fact)-[new:OBJECT]->(again)
    ON CREATE SET new = properties(old)
  DELETE old
}
CALL (n, outcome, label) {
  WITH n, outcome, label
  WHERE outcome = 'taken' AND label = 'Intent'
  MATCH (again:Intent {scope: $scope, key: n.key})
  MATCH (n)<-[old:SERVES]-(procedure:Procedure|Tombstone)
  MERGE (procedure)-[:SERVES]->(again)
  DELETE old
}
RETURN n.id AS id, outcome
