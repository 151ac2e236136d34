// NAME     maintain/list_runs
// DOES     What upkeep did in a scope, newest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          limit       INTEGER       the most runs, >= 0
//          operations  LIST<STRING>  only these; empty = all
//          has_parts   BOOLEAN       whether those that are parts of others are wanted, too
// RETURNS  run MAP {id, operation, params, state, at, ended_at, counts, ids, errors, part_of,
//          undo_until, undone_at}
// SOURCE   Mnemosyne, "Graph Maintenance"
// TRY      :param scope => 'demo';
//          :param limit => 20;
//          :param operations => [];
//          :param has_parts => true;
CYPHER 25
MATCH (r:MaintenanceRun)
// The time is always there; named, the index finds the latest.
WHERE r.scope = $scope AND r.at IS NOT NULL
  AND (size($operations) = 0 OR r.operation IN $operations)
  AND ($has_parts OR r.part_of = '')
WITH r
ORDER BY r.at DESC, r.id
LIMIT $limit
RETURN r {
  .id, .operation, .params, .state, .at, .ended_at, .counts, .ids, .errors, .part_of, .undo_until,
  .undone_at
} AS run
