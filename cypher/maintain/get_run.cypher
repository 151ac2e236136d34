// NAME     maintain/get_run
// DOES     One run of upkeep, and those that are its parts.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          id     STRING  of the run
// RETURNS  run MAP as of maintain/list_runs, with parts LIST<MAP>: the same of each part, in order
// SOURCE   Mnemosyne, "Graph Maintenance"
// TRY      :param scope => 'demo';
//          :param id => 'r1';
CYPHER 25
MATCH (r:MaintenanceRun {scope: $scope, id: $id})
RETURN r {
  .id, .operation, .params, .state, .at, .ended_at, .counts, .ids, .errors, .part_of, .undo_until,
  .undone_at,
  parts: COLLECT {
    MATCH (part:MaintenanceRun)
    // The time lets the index find them.
    WHERE part.scope = $scope AND part.at >= r.at AND part.part_of = $id
    WITH part
    ORDER BY part.ordinal, part.at, part.id
    RETURN part {
      .id, .operation, .params, .state, .at, .ended_at, .counts, .ids, .errors, .part_of, .undo_until,
      .undone_at
    }
  }
} AS run
