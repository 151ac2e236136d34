// All links of the store, from its counters.
MATCH ()-[r]->()
RETURN count(r) AS links
