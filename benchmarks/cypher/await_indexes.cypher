// Returns when every index holds what was written before.
CALL db.awaitIndexes(600)
