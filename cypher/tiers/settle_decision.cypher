// NAME     tiers/settle_decision
// DOES     Note what a judge said of a decision; it waits no longer.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          decision_id  STRING          the decision
//          kind         STRING          'admit' (both stand), 'dedup' or 'supersede'
//          reason       STRING          why
//          judged_by    STRING          the model; '' where none was needed
//          now          ZONED DATETIME  when
// RETURNS  nothing
// SOURCE   Graphorin, deep judge
// TRY      :param scope => 'demo';
//          :param decision_id => '';
//          :param kind => 'admit';
//          :param reason => 'they speak of different things';
//          :param judged_by => 'model@host';
//          :param now => datetime();
CYPHER 25
MATCH (d:Decision {scope: $scope, id: $decision_id})
SET
  d.state = 'settled',
  d.judged_kind = $kind,
  d.judged_reason = $reason,
  d.judged_by = $judged_by,
  d.judged_at = $now,
  d.error = ''
