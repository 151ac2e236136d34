// NAME     recall/list_traces
// DOES     The kept answers of a scope, newest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          limit  INTEGER  the most answers, >= 0
// RETURNS  trace MAP {id, query, at, turns, facts, procedures}
// SOURCE   Mnemosyne, "RecallTrace"
// TRY      :param scope => 'demo';
//          :param limit => 20;
CYPHER 25
MATCH (r:RecallTrace)
// The time is always there; named, the index finds the latest.
WHERE r.scope = $scope AND r.at IS NOT NULL
WITH r
ORDER BY r.at DESC, r.id
LIMIT $limit
RETURN r {.id, .query, .at, .turns, .facts, procedures: coalesce(r.procedures, 0)} AS trace
