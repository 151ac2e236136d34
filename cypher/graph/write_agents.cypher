// NAME     graph/write_agents
// DOES     Make the Agents who speak in the turns of a write where they are missing, and lock them.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING     memory scope
//          scope_token  STRING     its full-text token
//          agents       LIST<MAP>  {id, name}, sorted by id
// RETURNS  nothing
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param scope_token => 'demo';
//          :param agents => [];
CYPHER 25
UNWIND $agents AS row
MERGE (agent:Agent {scope: $scope, id: row.id})
  ON CREATE SET
    agent.scope_token = $scope_token,
    agent.name = row.name
// Nothing changes, but writing takes the lock, in the order of the ids.
SET agent.name = agent.name
