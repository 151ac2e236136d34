// NAME     recall/add_rewards
// DOES     Adds a reward to turns, facts and procedures, or to none when one of them is not there.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING        memory scope
//          ids     LIST<STRING>  what was rated, each once, in their order
//          reward  FLOAT         0 (it misled) to 1 (it helped)
// RETURNS  found LIST<STRING>: ids of those that are there
// SOURCE   Mnemosyne, "Decay Scoring"
// COST     three index probes for each id
// TRY      :param scope => 'demo';
//          :param ids => [];
//          :param reward => 1.0;
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id = id
  RETURN n
  UNION ALL
  UNWIND $ids AS id
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id = id
  RETURN n
  UNION ALL
  UNWIND $ids AS id
  MATCH (n:Procedure)
  WHERE n.scope = $scope AND n.id = id
  RETURN n
}
WITH collect(n) AS nodes, collect(DISTINCT n.id) AS found
FOREACH (n IN CASE WHEN size(found) = size($ids) THEN nodes ELSE [] END |
  SET
    n.reward_sum = coalesce(n.reward_sum, 0.0) + $reward,
    n.reward_count = coalesce(n.reward_count, 0) + 1
)
RETURN found
