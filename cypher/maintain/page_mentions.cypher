// NAME     maintain/page_mentions
// DOES     What the next turns of a scope mention, where they mention more than one.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING   memory scope
//          after       STRING   id of the last turn of the page before, '' for the first page
//          limit       INTEGER  turns of a page, >= 1
//          most_terms  INTEGER  Terms of a turn that count, the weightiest first, >= 2
// RETURNS  turns LIST<LIST>: in order, [id, keys] of each turn, also where it mentions one or none
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param after => '';
//          :param limit => 1000;
//          :param most_terms => 20;
CYPHER 25
MATCH (turn:Turn)
WHERE turn.scope = $scope AND turn.id > $after AND turn.status IN ['active', 'pending']
WITH turn
ORDER BY turn.scope, turn.id
LIMIT $limit
RETURN
  // One row: the driver takes longer for a row than for what stands in it.
  collect([
    turn.id,
    COLLECT {
      MATCH (turn)-[mention:MENTIONS]->(term:Term)
      WHERE term.scope = $scope AND term.status = 'active'
      // One that was called by two names is mentioned twice.
      WITH term.key AS key, max(mention.weight) AS weight
      ORDER BY weight DESC, key
      LIMIT $most_terms
      RETURN key
    }
  ]) AS turns
