// NAME     maintain/page_deprecated
// DOES     The next Facts or Procedures that decay deprecated long enough ago to be deleted.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING          memory scope
//          kind   STRING          'Fact' or 'Procedure'
//          until  ZONED DATETIME  those that it deprecated by then
//          after  STRING          id of the last one of the page before, '' for the first page
//          limit  INTEGER         nodes of a page, >= 1
// RETURNS  id STRING, text STRING, deprecated_at ZONED DATETIME, protected STRING: as of
//          maintain/score_value
// SOURCE   Graph Memory, decay
// COST     reads what decay deprecated
// TRY      :param scope => 'demo';
//          :param kind => 'Fact';
//          :param until => datetime();
//          :param after => '';
//          :param limit => 500;
CYPHER 25
CALL () {
  // The order is that of the index, to the letter: else each page would read all that is behind it.
  // Behind the last id there is nothing: what is not asked for is not read.
  MATCH (fact:Fact)
  WHERE fact.scope = $scope AND fact.deprecated_by = 'decay'
    AND fact.id > CASE $kind WHEN 'Fact' THEN $after ELSE '\uffff' END
    AND fact.status = 'deprecated' AND fact.deprecated_at <= $until
  WITH fact
  ORDER BY fact.scope, fact.deprecated_by, fact.id
  LIMIT $limit
  RETURN fact AS n
  UNION ALL
  MATCH (procedure:Procedure)
  WHERE procedure.scope = $scope AND procedure.deprecated_by = 'decay'
    AND procedure.id > CASE $kind WHEN 'Procedure' THEN $after ELSE '\uffff' END
    AND procedure.status = 'deprecated' AND procedure.deprecated_at <= $until
  WITH procedure
  ORDER BY procedure.scope, procedure.deprecated_by, procedure.id
  LIMIT $limit
  RETURN procedure AS n
}
RETURN
  n.id AS id,
  coalesce(n.text, n.instruction, '') AS text,
  n.deprecated_at AS deprecated_at,
  CASE
    WHEN coalesce(n.pinned, false) THEN 'pinned'
    WHEN n.tier = 'core' THEN 'core'
    WHEN EXISTS { (n)-[:SUPERSEDES]-(:Fact) } THEN 'chain'
    WHEN EXISTS {
      (n)<-[:ABOUT|AGAINST]-(d:Decision)
      WHERE d.state IN ['open', 'unchecked']
    } THEN 'decision'
    ELSE ''
  END AS protected
ORDER BY id
