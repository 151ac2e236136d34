// NAME     recall/count_scope
// DOES     Counts one scope: nodes by label, relationships by type, turns by the state of their
//          extraction, nodes that wait for a vector, and decisions that wait for it or for a judge.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING  memory scope
// RETURNS  one row: nodes, relationships, extraction, undecided, without_vector, each
//          LIST<MAP {name, number}>
// SOURCE   Graph Memory, "gm_stats"
// COST     reads each node of the scope once
// TRY      :param scope => 'demo';
CYPHER 25
// id >= '' holds for each of them: by the scope alone, no index is used and the nodes of all
// scopes are read.
CALL () {
  MATCH (n:Session)
  WHERE n.scope = $scope AND n.id >= ''
  // Counted alone: beside a name, a count of nothing would be no row at all.
  WITH count(n) AS number
  RETURN 'Session' AS name, number
  UNION ALL
  MATCH (n:Message)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Message' AS name, number
  UNION ALL
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.id >= '' AND n.status IN ['active', 'pending']
  WITH count(n) AS number
  RETURN 'Turn' AS name, number
  UNION ALL
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.id >= '' AND n.status IN ['active', 'pending']
  WITH count(n) AS number
  RETURN 'Fact' AS name, number
  UNION ALL
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Term' AS name, number
  UNION ALL
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Tag' AS name, number
  UNION ALL
  MATCH (n:Intent)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Intent' AS name, number
  UNION ALL
  MATCH (n:Procedure)
  WHERE n.scope = $scope AND n.id >= '' AND n.status = 'active'
  WITH count(n) AS number
  RETURN 'Procedure' AS name, number
  UNION ALL
  MATCH (n:Community)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Community' AS name, number
  UNION ALL
  MATCH (n:Agent)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'Agent' AS name, number
  UNION ALL
  MATCH (n:RecallTrace)
  WHERE n.scope = $scope AND n.id >= ''
  WITH count(n) AS number
  RETURN 'RecallTrace' AS name, number
}
WITH collect({name: name, number: number}) AS nodes
CALL () {
  MATCH (n:Session|Turn|Fact|Term|Procedure|RecallTrace)
    -[r]->(m:Message|Turn|Fact|Term|Tag|Agent|Community|Intent|Procedure)
  WHERE n.scope = $scope AND n.id >= '' AND m.scope = $scope
  WITH type(r) AS name, count(r) AS number
  ORDER BY name
  RETURN collect({name: name, number: number}) AS relationships
}
CALL () {
  MATCH (t:Turn)
  WHERE t.scope = $scope AND t.id >= ''
  WITH t.extraction AS name, count(t) AS number
  ORDER BY name
  RETURN collect({name: name, number: number}) AS extraction
}
CALL () {
  MATCH (d:Decision)
  WHERE d.scope = $scope AND d.state IN ['open', 'unchecked']
    AND d.at >= datetime('0001-01-01T00:00:00Z')
  WITH d.state AS name, count(d) AS number
  ORDER BY name
  RETURN collect({name: name, number: number}) AS undecided
}
CALL () {
  MATCH (n:Turn)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Turn' AS name, number
  UNION ALL
  MATCH (n:Fact)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Fact' AS name, number
  UNION ALL
  MATCH (n:Term)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Term' AS name, number
  UNION ALL
  MATCH (n:Tag)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Tag' AS name, number
  UNION ALL
  MATCH (n:Intent)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Intent' AS name, number
  UNION ALL
  MATCH (n:Procedure)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Procedure' AS name, number
  UNION ALL
  MATCH (n:Community)
  WHERE n.scope = $scope AND n.needs_vector = true
  WITH count(n) AS number
  RETURN 'Community' AS name, number
}
RETURN
  nodes, relationships, extraction, undecided,
  collect({name: name, number: number}) AS without_vector
