// NAME     tiers/search_facts_by_vector
// DOES     The facts that are nearest in meaning to a question, nearest first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          vector       VECTOR          of the question: the embedder's dimension, L2-normalised
//          statuses     LIST<STRING>    of the facts that may be told
//          begun_by     ZONED DATETIME  they began to hold by then
//          ended_after  ZONED DATETIME  they hold until later than that
//          known_by     ZONED DATETIME  they were recorded by then
//          agent_from   STRING          agent filter: '' for any, else the agent
//          agent_to     STRING          the last code point for any, else the agent
//          pool         INTEGER         the most facts of each status, 1..5000
// RETURNS  one row: looked INTEGER, the most facts that a status had; found LIST<MAP>, as in
//          tiers/search_facts_by_text, with the raw cosine as the score
// SOURCE   Graphorin, hybrid search
// COST     one vector probe a status
// TRY      :param scope => 'demo';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param statuses => ['active', 'pending'];
//          :param begun_by => datetime();
//          :param ended_after => datetime();
//          :param known_by => datetime('9999-12-31T00:00:00Z');
//          :param agent_from => '';
//          :param agent_to => '\U0010FFFF';
//          :param pool => 60;
CYPHER 25
// A probe a status: IN inside of SEARCH needs a newer server than the rest does.
UNWIND $statuses AS status
CALL (status) {
  MATCH (f:Fact)
  SEARCH f IN (
    VECTOR INDEX fact_embedding_{slot}
    FOR $vector
    WHERE f.scope = $scope AND f.status = status
      AND f.agent_id >= $agent_from AND f.agent_id <= $agent_to
      AND f.valid_from <= $begun_by AND f.valid_to > $ended_after
    LIMIT $pool
  ) SCORE AS score
  RETURN count(f) AS held, [entry IN collect(f {
    .id, .recorded_at, .status, .valid_from, .valid_to,
    .version_at, .version_status, .version_valid_from, .version_valid_to, score: 2 * score - 1
  }) WHERE entry.recorded_at <= $known_by] AS near
}
WITH max(held) AS looked, reduce(all = [], part IN collect(near) | all + part) AS candidates
CALL (candidates) {
  UNWIND candidates AS entry
  WITH entry
  ORDER BY entry.score DESC, entry.id
  LIMIT $pool
  RETURN collect(entry) AS found
}
RETURN looked, found
