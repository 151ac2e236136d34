// All chunks of a label, a thousand in a transaction.
CYPHER 25
MATCH (c:$($label))
CALL (c) {
  DETACH DELETE c
} IN TRANSACTIONS OF 1000 ROWS
