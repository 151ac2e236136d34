// NAME     maintain/score_tiers
// DOES     Where the tiered policy puts the next Facts or Procedures of a scope, and which of them
//          fell silent.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING          memory scope
//          kind        STRING          'Fact' or 'Procedure'
//          after       STRING          id of the last one of the page before, '' for the first page
//          until       STRING          end with this id; '\uffff' = with the last one
//          ids         LIST<STRING>    only these, whatever their status; none = those that are live
//          limit       INTEGER         nodes of a page, >= 1
//          now         ZONED DATETIME  the instant that is asked about
//          policy      MAP             the numbers of graphmem/tiering.py's TierPolicy, by name
//          everything  BOOLEAN         tell all of them; else those that move or are silent
// RETURNS  checked INTEGER: nodes of this page; last STRING: the last one's id, null after the end;
//          future INTEGER: nodes whose last use lies ahead: it counts as now;
//          nodes LIST<MAP>: {id, text, status, tier, next_tier, uses, idle_days, age_days,
//          importance, rank, recency, frequency, intrinsic, score, is_silent, protected}, by id;
//          protected as of maintain/score_value
// SOURCE   Graph Memory, decay; graphmem/tiering.py is its twin
// COST     reads the nodes of a page, and the Terms of those that were used
// TRY      :param scope => 'demo';
//          :param kind => 'Fact';
//          :param after => '';
//          :param until => '\uffff';
//          :param ids => [];
//          :param limit => 1000;
//          :param now => datetime();
//          :param policy => {
//            recency_weight: 0.4, frequency_weight: 0.3, intrinsic_weight: 0.3,
//            half_life_days: 30.0, importance_slope: 1.5,
//            core_power: 0.8, working_power: 1.0, peripheral_power: 1.3,
//            uses_scale: 5.0, gap_days: 30.0, low: 0.15, few_uses: 3, old_days: 60.0,
//            working_uses: 3, working_composite: 0.4,
//            core_uses: 10, core_composite: 0.7, core_importance: 0.8,
//            auto_deprecate: true, deprecate_after_days: 30.0, grace_days: 1.0
//          };
//          :param everything => true;
CYPHER 25
CALL () {
  // The order is that of the index, to the letter (scope first, and no UNWIND in front): else each
  // page would read all that is behind it. Behind the last id there is nothing: what is not asked
  // for is not read.
  MATCH (fact:Fact)
  WHERE fact.scope = $scope
    AND fact.id > CASE WHEN $kind = 'Fact' AND size($ids) = 0 THEN $after ELSE '\uffff' END
    AND fact.id <= $until
    AND fact.status IN ['active', 'pending']
  WITH fact
  ORDER BY fact.scope, fact.id
  LIMIT $limit
  RETURN fact AS n
  UNION ALL
  MATCH (procedure:Procedure)
  WHERE procedure.scope = $scope
    AND procedure.id > CASE WHEN $kind = 'Procedure' AND size($ids) = 0 THEN $after ELSE '\uffff' END
    AND procedure.id <= $until
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
// A node without any time counts as made now: nobody knows that it is old.
WITH n, coalesce(n.recorded_at, $now) AS made
WITH n, made,
  // Stated again, revived and restored count as uses of it.
  reduce(
    latest = made,
    at IN [n.last_accessed_at, n.stated_at, n.version_at[-1], n.restored_at] |
      CASE WHEN at > latest THEN at ELSE latest END
  ) AS used
WITH n,
  made > $now OR coalesce(n.last_accessed_at > $now, false) AS is_ahead,
  ($now.epochSeconds - made.epochSeconds) / 86400.0
    + ($now.nanosecond - made.nanosecond) / 8.64e13 AS age,
  ($now.epochSeconds - used.epochSeconds) / 86400.0
    + ($now.nanosecond - used.nanosecond) / 8.64e13 AS idle
WITH n, is_ahead,
  CASE WHEN age > 0 THEN age ELSE 0.0 END AS age_days,
  CASE WHEN idle > 0 THEN idle ELSE 0.0 END AS idle_days,
  CASE WHEN n.recall_count > 0 THEN n.recall_count ELSE 0 END
    // The first statement made it.
    + CASE WHEN n.validated_count > 1 THEN n.validated_count - 1 ELSE 0 END AS uses,
  coalesce(n.importance, 0.5) AS importance,
  coalesce(n.tier, 'working') AS tier
CALL (n, uses) {
  // To what was never used it makes no difference.
  OPTIONAL MATCH (n)-[:SUBJECT|OBJECT]->(term:Term)
  WHERE uses > 0
  RETURN coalesce(max(term.rank), 0.0) AS rank
}
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank,
  exp(
    -log(2) / ($policy.half_life_days * exp($policy.importance_slope * importance))
      * idle_days ^ CASE tier
        WHEN 'core' THEN $policy.core_power
        WHEN 'peripheral' THEN $policy.peripheral_power
        ELSE $policy.working_power
      END
  ) AS recency,
  CASE WHEN age_days - idle_days > 1 THEN age_days - idle_days ELSE 1.0 END AS span_days,
  1 - exp(-uses / $policy.uses_scale) AS used_often,
  rank * (1 - 1.0 / (1 + uses)) AS intrinsic
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank, recency, intrinsic,
  CASE
    WHEN uses > 1
    THEN used_often * (0.5 + 0.5 * exp(-span_days / (uses - 1) / $policy.gap_days))
    ELSE used_often
  END AS frequency
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank, recency, intrinsic, frequency,
  (
    $policy.recency_weight * recency
    + $policy.frequency_weight * frequency
    + $policy.intrinsic_weight * intrinsic
  ) / ($policy.recency_weight + $policy.frequency_weight + $policy.intrinsic_weight) AS score
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank, recency, intrinsic, frequency,
  score,
  CASE
    WHEN tier = 'core'
    THEN CASE
      WHEN score < $policy.low AND uses < $policy.few_uses THEN 'working'
      ELSE 'core'
    END
    WHEN tier = 'peripheral'
    THEN CASE
      WHEN uses >= $policy.working_uses AND score >= $policy.working_composite THEN 'working'
      ELSE 'peripheral'
    END
    WHEN uses >= $policy.core_uses AND score >= $policy.core_composite
      AND importance >= $policy.core_importance
    THEN 'core'
    WHEN score < $policy.low OR (age_days > $policy.old_days AND uses < $policy.few_uses)
    THEN 'peripheral'
    ELSE 'working'
  END AS next_tier
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank, recency, intrinsic, frequency,
  score, next_tier,
  $policy.auto_deprecate AND next_tier = 'peripheral' AND score < $policy.low
    AND idle_days >= $policy.deprecate_after_days AND age_days >= $policy.grace_days AS is_silent
CALL (n, is_silent) {
  WITH n, is_silent
  WHERE is_silent OR $everything
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
  WITH n, is_silent
  WHERE NOT (is_silent OR $everything)
  // A pinned node stays where it is.
  RETURN CASE WHEN coalesce(n.pinned, false) THEN 'pinned' ELSE '' END AS protected
}
WITH n, is_ahead, age_days, idle_days, uses, importance, tier, rank, recency, intrinsic, frequency,
  score, next_tier, is_silent, protected
ORDER BY n.id
RETURN
  count(n) AS checked,
  max(n.id) AS last,
  count(CASE WHEN is_ahead THEN 1 END) AS future,
  collect(CASE
    WHEN $everything OR is_silent OR (tier <> next_tier AND protected <> 'pinned')
    THEN {
      id: n.id,
      text: coalesce(n.text, n.instruction, ''),
      status: n.status,
      tier: tier,
      next_tier: next_tier,
      uses: uses,
      idle_days: idle_days,
      age_days: age_days,
      importance: importance,
      rank: rank,
      recency: recency,
      frequency: frequency,
      intrinsic: intrinsic,
      score: score,
      is_silent: is_silent,
      protected: protected
    }
  END) AS nodes
