// NAME     maintain/page_comparable
// DOES     The next live Facts of a scope that hold now, or chosen ones of them, with what
//          consolidation compares them by.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope        STRING          memory scope
//          after        STRING          id of the last one of the page before, '' for the first page
//          limit        INTEGER         Facts of a page, >= 1
//          ids          LIST<STRING>    these and no others; empty = all, page by page
//          now          ZONED DATETIME  when they must hold
//          embedder_id  STRING          whose vectors can be compared
// RETURNS  id STRING, recall_count INTEGER, used_at ZONED DATETIME, reward_sum FLOAT, reward_count
//          INTEGER, valid_from ZONED DATETIME, valid_to ZONED DATETIME, sensitivity STRING, place
//          STRING: those of the same subject and object lie together; has_vector BOOLEAN; protection
//          STRING: what protects it, '' where nothing does; is_chained BOOLEAN; tags
//          LIST<STRING>
// SOURCE   Mnemosyne, "Semantic Consolidation"
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param ids => [];
//          :param now => datetime();
//          :param embedder_id => '';
CYPHER 25
CALL () {
  UNWIND $ids AS wanted
  MATCH (fact:Fact {scope: $scope, id: wanted})
  WHERE fact.status IN ['active', 'pending'] AND fact.valid_from <= $now AND fact.valid_to > $now
  RETURN fact
  UNION ALL
  // Nothing is read where some are chosen.
  UNWIND CASE WHEN size($ids) = 0 THEN [true] ELSE [] END AS is_whole
  MATCH (fact:Fact)
  WHERE fact.scope = $scope AND fact.id > $after AND fact.status IN ['active', 'pending']
    AND fact.valid_from <= $now AND fact.valid_to > $now
  WITH fact
  ORDER BY fact.scope, fact.id
  LIMIT $limit
  RETURN fact
}
WITH fact, EXISTS { (fact)-[:SUPERSEDES]-(:Fact) } AS is_chained
RETURN
  fact.id AS id,
  fact.recall_count AS recall_count,
  coalesce(fact.last_accessed_at, fact.recorded_at) AS used_at,
  fact.reward_sum AS reward_sum,
  fact.reward_count AS reward_count,
  fact.valid_from AS valid_from,
  fact.valid_to AS valid_to,
  fact.sensitivity AS sensitivity,
  coalesce(fact.subject_key, '') + '\n' + coalesce(fact.object_key, '') + '\n'
    + left(fact.text, 40) AS place,
  NOT fact.needs_vector AND fact.embedder_id = $embedder_id AS has_vector,
  CASE
    WHEN fact.pinned THEN 'pinned'
    WHEN fact.tier = 'core' THEN 'core'
    WHEN fact.status = 'pending' THEN 'pending'
    WHEN is_chained THEN 'chain'
    WHEN EXISTS {
      (fact)<-[:ABOUT|AGAINST]-(d:Decision)
      WHERE d.state IN ['open', 'unchecked']
    }
    THEN 'decision'
    ELSE ''
  END AS protection,
  is_chained,
  COLLECT {
    MATCH (fact)-[:TAGGED]->(tag:Tag)
    RETURN tag.key
  } AS tags
