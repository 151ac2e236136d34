// NAME     maintain/list_changes
// DOES     What a run did that is not undone yet, to nodes of some labels.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING        memory scope
//          run_id  STRING        the run
//          kinds   LIST<STRING>  the labels that they have, or had before they became Tombstones;
//                                'widened' = Facts that it let hold from an earlier time on
//          limit   INTEGER       the most, >= 1
// RETURNS  change STRING: element id of the CHANGED relationship
// SOURCE   graphmem, docs/maintain.md
// COST     all that the run changed
// TRY      :param scope => 'demo';
//          :param run_id => 'r1';
//          :param kinds => ['Fact'];
//          :param limit => 500;
CYPHER 25
MATCH (run:MaintenanceRun {scope: $scope, id: $run_id})-[change:CHANGED]->
  (n:Fact|Procedure|Tombstone)
WHERE change.undone_at IS NULL
  AND CASE change.how WHEN 'widen' THEN 'widened' ELSE coalesce(n.was, labels(n)[0]) END IN $kinds
RETURN elementId(change) AS change
LIMIT $limit