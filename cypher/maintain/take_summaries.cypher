// NAME     maintain/take_summaries
// DOES     The next communities that wait for a summary, with what it may tell.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          after         STRING          id of the last one of the page before, '' for the first
//          limit         INTEGER         communities of a page, >= 1
//          written_by    LIST<STRING>    also those whose summary was written so: '' , 'local'
//          most_terms    INTEGER         names of each, the highest rank first
//          most_facts    INTEGER         facts of each, those most stated and recalled first
//          now           ZONED DATETIME  facts must hold at this instant
// RETURNS  due LIST<MAP>: in order, of each {id, revision, terms: names, facts: texts}
// SOURCE   Graph Memory, communities
// COST     the members of each, and what the first of them are the subject of
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 100;
//          :param written_by => ['local'];
//          :param most_terms => 6;
//          :param most_facts => 6;
//          :param now => datetime();
CYPHER 25
CALL () {
  MATCH (due:Community {scope: $scope, needs_summary: true})
  USING INDEX due:Community(scope, needs_summary)
  WHERE due.id > $after
  RETURN due AS c
  UNION
  UNWIND CASE WHEN size($written_by) = 0 THEN [] ELSE [1] END AS asked
  MATCH (due:Community)
  WHERE due.scope = $scope AND due.id > $after AND due.summary_by IN $written_by
  RETURN due AS c
}
WITH c
ORDER BY c.id
LIMIT $limit
CALL (c) {
  MATCH (c)<-[:IN_COMMUNITY]-(term:Term)
  WHERE term.status = 'active'
    // A name that only facts tell which are told no longer, or secret, is not given away.
    AND (
      EXISTS {
        (term)<-[:SUBJECT|OBJECT]-(told:Fact)
        WHERE told.status IN ['active', 'pending'] AND coalesce(told.sensitivity, '') <> 'secret'
      }
      OR (
        EXISTS { (term)<-[:MENTIONS]-(:Turn) }
        AND NOT EXISTS {
          (term)<-[:SUBJECT|OBJECT]-(untold:Fact|Tombstone)
          WHERE untold:Tombstone OR untold.status = 'forgotten'
            OR coalesce(untold.sensitivity, '') = 'secret'
        }
      )
    )
  WITH term
  ORDER BY coalesce(term.rank, 0.0) DESC, COUNT { (term)<-[:MENTIONS]-() } DESC, term.key
  LIMIT $most_terms
  RETURN collect(term) AS top
}
CALL (c, top) {
  UNWIND top AS term
  MATCH (term)<-[:SUBJECT]-(fact:Fact)
  WHERE fact.status IN ['active', 'pending'] AND coalesce(fact.sensitivity, '') <> 'secret'
    AND fact.valid_from <= $now AND fact.valid_to > $now
    // Of a name that is spoken of everywhere, what belongs here.
    AND NOT EXISTS {
      (fact)-[:OBJECT]->(other:Term)-[:IN_COMMUNITY]->(elsewhere:Community)
      WHERE elsewhere.scope = $scope AND elsewhere <> c
    }
  WITH DISTINCT fact
  ORDER BY fact.validated_count + fact.recall_count DESC, fact.confidence DESC, fact.id
  LIMIT $most_facts
  RETURN collect(fact.text) AS facts
}
RETURN
  // One row: the driver takes longer for a row than for what stands in it.
  collect({
    id: c.id,
    revision: c.revision,
    terms: [term IN top | term.name],
    facts: facts
  }) AS due
