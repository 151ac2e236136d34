// NAME     tiers/release_decisions
// DOES     Let go of the Decisions that somebody took up and did not settle.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
//          owner  STRING  who took them
// RETURNS  decisions INTEGER: how many
// SOURCE   Graphorin, conflict_check_pending
// COST     reads the waiting decisions of the scope
// TRY      :param scope => 'demo';
//          :param owner => 'me';
CYPHER 25
MATCH (decision:Decision)
WHERE decision.scope = $scope AND decision.state = 'open' AND decision.at IS NOT NULL
  AND decision.taken_by = $owner
REMOVE decision.taken_by, decision.due_at
RETURN count(*) AS decisions
