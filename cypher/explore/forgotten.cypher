// NAME     explore/forgotten
// DOES     What upkeep deprecated or deleted of late, the runs that did it, and what stands for it.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many nodes, 1..200
// RETURNS  paths to draw: the arrow CHANGED leads from the run to the node and holds the reason; a
//          Tombstone is what can be taken back still
// SOURCE   graphmem, docs/maintain.md
// COST     reads what the latest hundred runs changed
// TRY      :param scope => 'demo';
//          :param k => 50;
CYPHER 25
MATCH (run:MaintenanceRun)
WHERE run.scope = $scope AND run.at IS NOT NULL
WITH run
ORDER BY run.at DESC
LIMIT 100
MATCH took = (run)-[change:CHANGED]->(gone:Fact|Procedure|Tag|Intent|Term|Message|Tombstone)
WHERE gone.scope = $scope AND change.undone_at IS NULL
WITH run, took, gone
ORDER BY run.at DESC, gone.id
LIMIT $k
OPTIONAL MATCH instead = (gone)-[:SAME_AS]->(stays:Fact)
WHERE stays.scope = $scope
OPTIONAL MATCH about = (gone)-[:SUBJECT|OBJECT|SERVES]->(end:Term|Intent)
WHERE end.scope = $scope
RETURN took, instead, about
