// Facts between two Terms each.
CYPHER 25
UNWIND $rows AS row
MATCH (one:Term {scope: $scope, key: row.keys[0]})
MATCH (other:Term {scope: $scope, key: row.keys[1]})
CREATE (f:Fact {
  scope: $scope, id: row.id, text: row.keys[0] + ' knows ' + row.keys[1], status: 'active',
  valid_from: datetime('0001-01-01T00:00:00Z'), valid_to: datetime('9999-12-31T00:00:00Z'),
  confidence: 1.0, validated_count: 1, recall_count: 0, needs_vector: false
})
CREATE (f)-[:SUBJECT]->(one)
CREATE (f)-[:OBJECT]->(other)
