// NAME     maintain/get_run
// DOES     One run of upkeep.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          id     STRING  of the run
// RETURNS  run MAP as of maintain/list_runs
// SOURCE   Mnemosyne, "Graph Maintenance"
// TRY      :param scope => 'demo';
//          :param id => 'r1';
CYPHER 25
MATCH (r:MaintenanceRun {scope: $scope, id: $id})
RETURN r {
  .id, .operation, .params, .state, .at, .ended_at, .counts, .ids, .errors, .part_of, .undo_until,
  .undone_at
} AS run
