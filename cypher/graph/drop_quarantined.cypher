// NAME     graph/drop_quarantined
// DOES     Give up the extraction of quarantined turns; they count as extracted locally from then on.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  only these turns; [] = all
// RETURNS  turns INTEGER
// SOURCE   Graph Memory, "Quarantine"
// COST     the quarantined turns of the scope
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
MATCH (turn:Turn {scope: $scope, extraction: 'quarantined'})
USING INDEX turn:Turn(scope, extraction)
WHERE $ids = [] OR turn.id IN $ids
SET
  turn.extraction = 'local',
  turn.error = ''
REMOVE turn.reply_length, turn.reply_hash
RETURN count(*) AS turns
