// Turns that mention some Terms each.
CYPHER 25
UNWIND $rows AS row
CREATE (t:Turn {scope: $scope, id: row.id, status: 'active', extraction: 'done', needs_vector: false})
WITH t, row
UNWIND row.keys AS key
MATCH (x:Term {scope: $scope, key: key})
CREATE (t)-[:MENTIONS {weight: 1.0}]->(x)
