// NAME     recall/record_usage
// DOES     Counts that turns, facts and procedures were in answers, and when they last were.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          turns  LIST<MAP>       {id, times, at}: a turn, in how many answers, and the last time
//                                 (ZONED DATETIME); an id that is not there is passed over
//          facts  LIST<MAP>       the same of facts
//          procedures  LIST<MAP>  the same of procedures
// RETURNS  turns INTEGER, facts INTEGER, procedures INTEGER: how many were counted
// SOURCE   Mnemosyne, "Decay Scoring"
// COST     one index probe for each id; no index holds what is written
// TRY      :param scope => 'demo';
//          :param turns => [];
//          :param facts => [];
//          :param procedures => [];
CYPHER 25
CALL () {
  UNWIND $turns AS used
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id = used.id
  SET
    t.recall_count = coalesce(t.recall_count, 0) + used.times,
    t.last_accessed_at = CASE
      WHEN t.last_accessed_at > used.at THEN t.last_accessed_at
      ELSE used.at
    END
  RETURN count(t) AS turns
}
CALL () {
  UNWIND $facts AS used
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id = used.id
  SET
    f.recall_count = coalesce(f.recall_count, 0) + used.times,
    f.last_accessed_at = CASE
      WHEN f.last_accessed_at > used.at THEN f.last_accessed_at
      ELSE used.at
    END
  RETURN count(f) AS facts
}
CALL () {
  UNWIND $procedures AS used
  MATCH (p:Procedure)
  WHERE p.scope = $scope AND p.id = used.id
  SET
    p.recall_count = coalesce(p.recall_count, 0) + used.times,
    p.last_accessed_at = CASE
      WHEN p.last_accessed_at > used.at THEN p.last_accessed_at
      ELSE used.at
    END
  RETURN count(p) AS procedures
}
RETURN turns, facts, procedures
