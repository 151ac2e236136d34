// NAME     recall/drop_traces
// DOES     Deletes kept answers that were asked before a time; their turns and facts stay.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope   STRING          memory scope
//          before  ZONED DATETIME  the first instant whose answers stay
//          most    INTEGER         the most answers, >= 1; ask again until none is left
// RETURNS  dropped INTEGER
// SOURCE   Mnemosyne, "RecallTrace"
// TRY      :param scope => 'demo';
//          :param before => datetime('2000-01-01T00:00:00Z');
//          :param most => 500;
CYPHER 25
MATCH (r:RecallTrace)
WHERE r.scope = $scope AND r.at < $before
WITH r
LIMIT $most
DETACH DELETE r
RETURN count(*) AS dropped
