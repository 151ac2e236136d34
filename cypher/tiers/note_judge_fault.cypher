// NAME     tiers/note_judge_fault
// DOES     Note why a judge failed at a decision; it goes on waiting.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING   memory scope
//          decision_id  STRING   the decision
//          tries        INTEGER  1 where the reply was to blame, 0 where the way to the model was
//          error        STRING   why
// RETURNS  nothing
// SOURCE   Graphorin, deep judge
// TRY      :param scope => 'demo';
//          :param decision_id => '';
//          :param tries => 1;
//          :param error => 'no JSON object';
CYPHER 25
MATCH (d:Decision {scope: $scope, id: $decision_id})
WHERE d.state = 'open'
SET
  d.attempts = d.attempts + $tries,
  d.error = $error
