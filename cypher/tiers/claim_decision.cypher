// NAME     tiers/claim_decision
// DOES     Take up the next Decision that waits for a judge, the least tried and then the oldest
//          first, so that nobody else asks about it meanwhile.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          now     ZONED DATETIME  what is due by then: never taken up, or left by a lease that ended
//          since   ZONED DATETIME  when this run began: what failed since then was tried by another one
//          tried   LIST<STRING>    ids of what this run tried already
//          owner   STRING          who takes it
//          until   ZONED DATETIME  from when on anybody else may
// RETURNS  ids LIST<STRING>: one, or none where somebody was quicker; no row where nothing waits
// SOURCE   Graphorin, conflict_check_pending
// COST     reads the waiting decisions of the scope
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param since => datetime();
//          :param tried => [];
//          :param owner => 'me';
//          :param until => datetime();
CYPHER 25
MATCH (decision:Decision)
WHERE decision.scope = $scope AND decision.state = 'open' AND decision.at IS NOT NULL
  AND coalesce(decision.due_at, $now) <= $now
  AND coalesce(decision.tried_at, $since) <= $since
  AND NOT decision.id IN $tried
WITH decision
ORDER BY decision.attempts, decision.at, decision.id
LIMIT 1
// Nothing changes, but writing takes the lock: what is read below was committed before.
SET decision.text = decision.text
WITH decision.id AS id
CALL (id) {
  MATCH (mine:Decision {scope: $scope, id: id})
  WHERE mine.state = 'open'
    AND coalesce(mine.due_at, $now) <= $now
    AND coalesce(mine.tried_at, $since) <= $since
  SET
    mine.taken_by = $owner,
    mine.due_at = $until
  RETURN collect(mine.id) AS ids
}
RETURN ids
