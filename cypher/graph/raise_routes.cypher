// NAME     graph/raise_routes
// DOES     Give nodes that are told again the Tags, Terms and Intents that were cleaned up since:
//          those that lead to them are made anew where they are missing.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING        memory scope
//          ids    LIST<STRING>  of Facts and Procedures, sorted
// RETURNS  raised INTEGER: links that lead on again
// SOURCE   graphmem, docs/maintain.md
// TRY      :param scope => 'demo';
//          :param ids => [];
CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (fact:Fact {scope: $scope, id: id})-[old:TAGGED]->(buried:Tombstone)
  WHERE buried.was = 'Tag'
  MERGE (tag:Tag {scope: $scope, key: buried.key})
    ON CREATE SET
      tag.scope_token = buried.scope_token,
      tag.id = buried.id,
      tag.label = buried.label,
      tag.status = 'active',
      tag.needs_vector = true
  MERGE (fact)-[new:TAGGED]->(tag)
    ON CREATE SET new = properties(old)
  DELETE old
  RETURN count(old) AS tags
}
CALL () {
  UNWIND $ids AS id
  MATCH (fact:Fact {scope: $scope, id: id})-[old:SUBJECT]->(buried:Tombstone)
  WHERE buried.was = 'Term'
  MERGE (term:Term {scope: $scope, key: buried.key})
    ON CREATE SET
      term.scope_token = buried.scope_token,
      term.id = buried.id,
      term.name = buried.name,
      term.search_text = buried.search_text,
      term.qualifier = buried.qualifier,
      term.status = 'active',
      term.needs_vector = true,
      term.needs_community = true
  MERGE (fact)-[new:SUBJECT]->(term)
    ON CREATE SET new = properties(old)
  DELETE old
  RETURN count(old) AS subjects
}
CALL () {
  UNWIND $ids AS id
  MATCH (fact:Fact {scope: $scope, id: id})-[old:OBJECT]->(buried:Tombstone)
  WHERE buried.was = 'Term'
  MERGE (term:Term {scope: $scope, key: buried.key})
    ON CREATE SET
      term.scope_token = buried.scope_token,
      term.id = buried.id,
      term.name = buried.name,
      term.search_text = buried.search_text,
      term.qualifier = buried.qualifier,
      term.status = 'active',
      term.needs_vector = true,
      term.needs_community = true
  MERGE (fact)-[new:OBJECT]->(term)
    ON CREATE SET new = properties(old)
  DELETE old
  RETURN count(old) AS objects
}
CALL () {
  UNWIND $ids AS id
  MATCH (procedure:Procedure {scope: $scope, id: id})-[old:SERVES]->(buried:Tombstone)
  WHERE buried.was = 'Intent'
  MERGE (intent:Intent {scope: $scope, key: buried.key})
    ON CREATE SET
      intent.scope_token = buried.scope_token,
      intent.id = buried.id,
      intent.description = buried.description,
      intent.status = 'active',
      intent.needs_vector = true
  MERGE (procedure)-[:SERVES]->(intent)
  DELETE old
  RETURN count(old) AS intents
}
RETURN tags + subjects + objects + intents AS raised
