// Chunks of a label that is named at run time, as neo4j-graphrag wants them.
CYPHER 25
UNWIND $rows AS row
CREATE (c:$($label) {id: row.id, text: row.text})
RETURN elementId(c) AS element_id
