// NAME     graph/find_unembedded
// DOES     Find nodes that wait for a vector, but for turns that get theirs with their extraction.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          skip_ids  LIST<STRING>  ids of nodes whose text the embedder refuses
//          limit     INTEGER       the most nodes of each label
// RETURNS  label STRING, id STRING, text STRING, summary STRING, extraction STRING
// SOURCE   graphmem, docs/graph.md
// TRY      :param scope => 'demo';
//          :param skip_ids => [];
//          :param limit => 25;
CYPHER 25
CALL () {
  MATCH (turn:Turn {scope: $scope, needs_vector: true})
  USING INDEX turn:Turn(scope, needs_vector)
  WHERE turn.extraction <> 'pending' AND NOT turn.id IN $skip_ids
  RETURN
    'Turn' AS label,
    turn.id AS id,
    turn.text AS text,
    turn.summary AS summary,
    turn.extraction AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (fact:Fact {scope: $scope, needs_vector: true})
  USING INDEX fact:Fact(scope, needs_vector)
  WHERE NOT fact.id IN $skip_ids
  RETURN 'Fact' AS label, fact.id AS id, fact.text AS text, '' AS summary, '' AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (term:Term {scope: $scope, needs_vector: true})
  USING INDEX term:Term(scope, needs_vector)
  WHERE NOT term.id IN $skip_ids
  RETURN 'Term' AS label, term.id AS id, term.name AS text, '' AS summary, '' AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (tag:Tag {scope: $scope, needs_vector: true})
  USING INDEX tag:Tag(scope, needs_vector)
  WHERE NOT tag.id IN $skip_ids
  RETURN 'Tag' AS label, tag.id AS id, tag.label AS text, '' AS summary, '' AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (intent:Intent {scope: $scope, needs_vector: true})
  USING INDEX intent:Intent(scope, needs_vector)
  WHERE NOT intent.id IN $skip_ids
  RETURN
    'Intent' AS label, intent.id AS id, intent.description AS text, '' AS summary, '' AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (procedure:Procedure {scope: $scope, needs_vector: true})
  USING INDEX procedure:Procedure(scope, needs_vector)
  WHERE NOT procedure.id IN $skip_ids
  RETURN
    'Procedure' AS label,
    procedure.id AS id,
    procedure.instruction AS text,
    '' AS summary,
    '' AS extraction
  LIMIT $limit
  UNION ALL
  MATCH (c:Community {scope: $scope, needs_vector: true})
  USING INDEX c:Community(scope, needs_vector)
  WHERE NOT c.id IN $skip_ids
  RETURN 'Community' AS label, c.id AS id, c.summary AS text, c.summary AS summary, '' AS extraction
  LIMIT $limit
}
RETURN label, id, text, summary, extraction
