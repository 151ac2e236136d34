// NAME     maintain/score_value
// DOES     What usage says of the next Facts or Procedures of a scope: which of them are worth less
//          than a threshold and why, and when the others fall below it while nobody uses them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope           STRING          memory scope
//          kind            STRING          'Fact' or 'Procedure'
//          after           STRING          id of the last one of the page before, '' for the first page
//          ids             LIST<STRING>    only these, whatever their status and value, all of them
//                                          told under low; none = those that are live
//          limit           INTEGER         nodes of a page, >= 1
//          now             ZONED DATETIME  the instant that is asked about
//          threshold       FLOAT           below it a node is of no use
//          rate_per_h      FLOAT           decay of recency an hour, >= 0
//          half_uses       FLOAT           uses at which frequency is one half, > 0
//          floor           FLOAT           frequency of what was never used, 0..1
//          slope           FLOAT           how much a reward tells, >= 0
//          is_centred      BOOLEAN         whether a reward of one half counts as none does
//          days            INTEGER         how far to look ahead; 0 = not at all
//          with_protected  BOOLEAN         tell under low also of those above the threshold that are
//                                          protected
// RETURNS  checked INTEGER: nodes of this page; last STRING: the last one's id, null after the end;
//          future INTEGER: nodes whose last use lies ahead: it counts as now;
//          low LIST<MAP>: {id, text, tier, status, uses, reward_count, idle_h, recency, frequency,
//          reward, score, protected}, by id; protected is 'pinned', 'core', 'pending', 'chain',
//          'decision' or '';
//          later LIST<INTEGER>: for each of the others that is not protected and falls below within
//          these days, in how many
// SOURCE   Mnemosyne, "Decay Scoring"; graphmem/scoring.py is its twin
// COST     reads the nodes of a page
// TRY      :param scope => 'demo';
//          :param kind => 'Fact';
//          :param after => '';
//          :param ids => [];
//          :param limit => 1000;
//          :param now => datetime();
//          :param threshold => 0.1;
//          :param rate_per_h => 0.01;
//          :param half_uses => 5.0;
//          :param floor => 0.3;
//          :param slope => 1.0;
//          :param is_centred => false;
//          :param days => 0;
//          :param with_protected => false;
CYPHER 25
CALL () {
  // The order is that of the index, to the letter (scope first, and no UNWIND in front): else each
  // page would read all that is behind it. Behind the last id there is nothing: what is not asked
  // for is not read.
  MATCH (fact:Fact)
  WHERE fact.scope = $scope
    AND fact.id > CASE WHEN $kind = 'Fact' AND size($ids) = 0 THEN $after ELSE '\uffff' END
    AND fact.status IN ['active', 'pending']
  WITH fact
  ORDER BY fact.scope, fact.id
  LIMIT $limit
  RETURN fact AS n
  UNION ALL
  MATCH (procedure:Procedure)
  WHERE procedure.scope = $scope
    AND procedure.id > CASE WHEN $kind = 'Procedure' AND size($ids) = 0 THEN $after ELSE '\uffff' END
    AND procedure.status IN ['active', 'pending']
  WITH procedure
  ORDER BY procedure.scope, procedure.id
  LIMIT $limit
  RETURN procedure AS n
  UNION ALL
  UNWIND CASE $kind WHEN 'Fact' THEN $ids ELSE [] END AS one
  MATCH (fact:Fact {scope: $scope, id: one})
  RETURN fact AS n
  UNION ALL
  UNWIND CASE $kind WHEN 'Procedure' THEN $ids ELSE [] END AS one
  MATCH (procedure:Procedure {scope: $scope, id: one})
  RETURN procedure AS n
}
// A node without any time counts as used now: nobody knows that it is old.
WITH n, coalesce(n.last_accessed_at, n.recorded_at, $now) AS used
WITH n,
  ($now.epochSeconds - used.epochSeconds) / 3600.0
    + ($now.nanosecond - used.nanosecond) / 3.6e12 AS since_h
WITH n, since_h,
  CASE WHEN since_h > 0 THEN since_h ELSE 0.0 END AS idle_h,
  CASE WHEN n.recall_count > 0 THEN n.recall_count ELSE 0 END AS uses,
  CASE WHEN n.reward_count > 0 THEN n.reward_sum / n.reward_count END AS given
WITH n, since_h, idle_h, uses,
  CASE
    WHEN given < 0 THEN 0.0
    WHEN given > 1 THEN 1.0
    ELSE given
  END AS mean
WITH n, since_h, idle_h, uses,
  exp(-$rate_per_h * idle_h) AS recency,
  CASE
    WHEN uses / (uses + $half_uses) > $floor THEN uses / (uses + $half_uses)
    ELSE $floor
  END AS frequency,
  CASE
    WHEN mean IS NULL THEN 1.0
    WHEN $is_centred THEN 2 / (1 + exp(-$slope * (mean - 0.5)))
    ELSE 1 / (1 + exp(-$slope * mean))
  END AS reward
WITH n, since_h, idle_h, uses, recency, frequency, reward,
  recency * frequency * reward AS score
WITH n, since_h, idle_h, uses, recency, frequency, reward, score,
  size($ids) > 0 OR score < $threshold AS is_low,
  CASE
    WHEN $days > 0 AND $threshold > 0 AND $rate_per_h > 0 AND score >= $threshold
    // What lies ahead has its full recency until then.
    THEN (log(score / $threshold) / $rate_per_h
      + CASE WHEN since_h < 0 THEN -since_h ELSE 0.0 END) / 24
  END AS days_left
CALL (n, is_low, days_left) {
  // Which links a node has is asked only of those of which it matters.
  WITH n
  WHERE is_low OR $with_protected OR days_left <= $days
  RETURN CASE
    WHEN coalesce(n.pinned, false) THEN 'pinned'
    WHEN n.tier = 'core' THEN 'core'
    WHEN n.status = 'pending' THEN 'pending'
    WHEN EXISTS { (n)-[:SUPERSEDES]-(:Fact) } THEN 'chain'
    WHEN EXISTS {
      (n)<-[:ABOUT|AGAINST]-(d:Decision)
      WHERE d.state IN ['open', 'unchecked']
    } THEN 'decision'
    ELSE ''
  END AS protected
  UNION ALL
  WITH n
  WHERE NOT (is_low OR $with_protected OR coalesce(days_left <= $days, false))
  RETURN '' AS protected
}
WITH n, since_h, idle_h, uses, recency, frequency, reward, score, is_low, days_left, protected
ORDER BY n.id
RETURN
  count(n) AS checked,
  max(n.id) AS last,
  count(CASE WHEN since_h < 0 THEN 1 END) AS future,
  collect(CASE WHEN is_low OR ($with_protected AND protected <> '') THEN {
    id: n.id,
    text: coalesce(n.text, n.instruction, ''),
    tier: coalesce(n.tier, 'working'),
    status: n.status,
    uses: uses,
    reward_count: coalesce(n.reward_count, 0),
    idle_h: idle_h,
    recency: recency,
    frequency: frequency,
    reward: reward,
    score: score,
    protected: protected
  } END) AS low,
  collect(CASE WHEN NOT is_low AND protected = '' AND days_left <= $days
    THEN toInteger(floor(days_left)) END) AS later
