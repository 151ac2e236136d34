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
  UNWIND CASE $kind WHEN 'Fact' THEN [1] ELSE [] END AS asked
  MATCH (fact:Fact {scope: $scope, deprecated_by: 'decay'})
  WHERE fact.status = 'deprecated' AND fact.deprecated_at <= $until AND fact.id > $after
  RETURN fact AS n
  UNION ALL
  UNWIND CASE $kind WHEN 'Procedure' THEN [1] ELSE [] END AS asked
  MATCH (procedure:Procedure {scope: $scope, deprecated_by: 'decay'})
  WHERE procedure.status = 'deprecated' AND procedure.deprecated_at <= $until
    AND procedure.id > $after
  RETURN procedure AS n
}
WITH n
ORDER BY n.id
LIMIT $limit
RETURN
  n.id AS id,
  coalesce(n.text, n.instruction, '') AS text,
  n.deprecated_at AS deprecated_at,
  CASE
    WHEN coalesce(n.pinned, false) THEN 'pinned'
    WHEN n.tier = 'core' THEN 'core'
    WHEN EXISTS {
      (n)<-[:ABOUT|AGAINST]-(d:Decision)
      WHERE d.state IN ['open', 'unchecked']
    } THEN 'decision'
    WHEN EXISTS { (n)-[:SUPERSEDES]-(:Fact) } THEN 'chain'
    ELSE ''
  END AS protected
