// NAME     maintain/list_parts
// DOES     The parts of a run of upkeep, the latest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          id     STRING          of the run
//          since  ZONED DATETIME  when it began
// RETURNS  id STRING
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param id => 'r1';
//          :param since => datetime() - duration('P1D');
CYPHER 25
MATCH (part:MaintenanceRun)
WHERE part.scope = $scope AND part.at >= $since AND part.part_of = $id
WITH part
ORDER BY part.at DESC, part.ended_at DESC, part.id
RETURN part.id AS id
