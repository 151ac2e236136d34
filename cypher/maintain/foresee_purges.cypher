// NAME     maintain/foresee_purges
// DOES     How many Facts and Procedures that decay deprecated are purged, by day.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING          memory scope
//          now         ZONED DATETIME  the instant that is asked about
//          after_days  FLOAT           how long they are kept, > 0
//          days        INTEGER         how far to look ahead, >= 0
// RETURNS  day INTEGER, nodes INTEGER: 0 is now; days without any are missing
// SOURCE   Graph Memory, decay
// COST     reads what decay deprecated
// TRY      :param scope => 'demo';
//          :param now => datetime();
//          :param after_days => 60.0;
//          :param days => 30;
CYPHER 25
CALL () {
  MATCH (fact:Fact {scope: $scope, deprecated_by: 'decay'})
  // Named, the id lets the index find them.
  WHERE fact.id >= '' AND fact.status = 'deprecated'
    AND NOT fact.pinned AND fact.tier <> 'core'
    AND NOT EXISTS { (fact)-[:SUPERSEDES]-(:Fact) }
    AND NOT EXISTS { (fact)<-[:ABOUT|AGAINST]-(d:Decision) WHERE d.state IN ['open', 'unchecked'] }
  RETURN fact.deprecated_at AS since
  UNION ALL
  MATCH (procedure:Procedure {scope: $scope, deprecated_by: 'decay'})
  WHERE procedure.id >= '' AND procedure.status = 'deprecated'
    AND NOT procedure.pinned AND procedure.tier <> 'core'
  RETURN procedure.deprecated_at AS since
}
// What nobody knows the time of begins its time now.
WITH coalesce(since, $now) AS since
WITH $after_days - ($now.epochSeconds - since.epochSeconds) / 86400.0 AS left
WITH CASE WHEN left > 0 THEN toInteger(ceil(left)) ELSE 0 END AS day
WHERE day <= $days
RETURN day, count(*) AS nodes
ORDER BY day
