// NAME     recall/add_rewards
// DOES     Adds a reward to turns, or to none when one of them is not there.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          turn_ids  LIST<STRING>  turns that were rated, each once
//          reward    FLOAT         0 (it misled) to 1 (it helped)
// RETURNS  found LIST<STRING>: ids of those that are there
// SOURCE   Mnemosyne, "Decay Scoring"
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param turn_ids => [];
//          :param reward => 1.0;
CYPHER 25
UNWIND $turn_ids AS turn_id
MATCH (t:Turn)
WHERE t.scope = $scope AND t.id = turn_id
WITH collect(t) AS turns
FOREACH (t IN CASE WHEN size(turns) = size($turn_ids) THEN turns ELSE [] END |
  SET
    t.reward_sum = coalesce(t.reward_sum, 0.0) + $reward,
    t.reward_count = coalesce(t.reward_count, 0) + 1
)
RETURN [t IN turns | t.id] AS found
