// NAME     maintain/find_near_facts
// DOES     The Facts that hold and are nearest in meaning to each of some Facts, by the vector index.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope      STRING          memory scope
//          ids        LIST<STRING>    the Facts
//          near       INTEGER         the most for each, 1..100
//          threshold  FLOAT           raw cosine that is to be exceeded, -1..1
//          now        ZONED DATETIME  when they must hold
// RETURNS  id STRING, other STRING, cosine FLOAT: raw, of each pair; revision INTEGER: where the
//          other one waits to be compared itself, how often it was marked so, else null; is_full
//          BOOLEAN: whether there may be more
// SOURCE   Mnemosyne, "Semantic Consolidation"; all pairs
// COST     one vector probe a Fact
// TRY      :param scope => 'demo';
//          :param ids => [];
//          :param near => 32;
//          :param threshold => 0.85;
//          :param now => datetime();
CYPHER 25
UNWIND $ids AS id
MATCH (fact:Fact {scope: $scope, id: id})
WHERE fact.status IN ['active', 'pending'] AND fact.valid_to > $now
CALL (fact) {
  MATCH (near:Fact)
  SEARCH near IN (
    VECTOR INDEX fact_embedding_{slot}
    FOR fact.embedding_{slot}
    WHERE near.scope = $scope AND near.status IN ['active', 'pending']
      AND near.valid_from <= $now AND near.valid_to > $now
    // It finds itself too.
    LIMIT $near + 1
  ) SCORE AS score
  WITH near, 2 * score - 1 AS cosine
  WHERE near <> fact AND cosine > $threshold
  RETURN
    collect([
      near.id,
      cosine,
      CASE WHEN near.needs_comparison THEN coalesce(near.comparison_revision, 0) END
    ]) AS found
}
UNWIND found AS pair
RETURN
  id,
  pair[0] AS other,
  pair[1] AS cosine,
  pair[2] AS revision,
  size(found) >= $near AS is_full
