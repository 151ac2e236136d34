// NAME     tiers/get_statements
// DOES     Facts by their ids as the conflict pipeline compares them.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          fact_ids  LIST<STRING>  facts wanted; an id that is not there is passed over
// RETURNS  fact MAP, one row a fact; version_status lists what was said of it, null before the first
//          change; is_open tells whether a decision about it waits for a judge
// SOURCE   Graphorin, deep judge
// COST     one index probe for each id
// TRY      :param scope => 'demo';
//          :param fact_ids => COLLECT {
//            MATCH (f:Fact) WHERE f.scope = 'demo' RETURN f.id LIMIT 3
//          };
CYPHER 25
UNWIND $fact_ids AS fact_id
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id = fact_id
RETURN f {
  .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
  .is_negated, .valid_from, .valid_to, .status, .recorded_at,
  .stated_at, .retired_at, .is_withdrawn,
  .version_status,
  is_open: EXISTS {
    MATCH (f)<-[:ABOUT]-(decision:Decision)
    WHERE decision.scope = $scope AND decision.state = 'open'
  }
} AS fact
