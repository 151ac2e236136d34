// NAME     explore/orphans
// DOES     Tags, Intents, Terms and communities that lead nowhere any more: what clean-up deletes.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope  STRING   memory scope
//          k      INTEGER  how many of each label, 1..100
// RETURNS  nodes to draw, each with what still hangs on it
// SOURCE   graphmem, docs/maintain.md
// COST     reads the Tags, Intents, Terms and communities of the scope
// TRY      :param scope => 'demo';
//          :param k => 25;
CYPHER 25
CALL () {
  MATCH (tag:Tag)
  WHERE tag.scope = $scope AND tag.key >= '' AND NOT EXISTS {
    (tag)<-[:TAGGED]-(fact:Fact)
    WHERE fact.status IN ['active', 'pending', 'superseded']
  }
  RETURN tag AS orphan
  LIMIT $k
  UNION ALL
  MATCH (intent:Intent)
  WHERE intent.scope = $scope AND intent.key >= '' AND NOT EXISTS {
    (intent)<-[:SERVES]-(procedure:Procedure)
    WHERE procedure.status IN ['active', 'pending']
  }
  RETURN intent AS orphan
  LIMIT $k
  UNION ALL
  MATCH (term:Term)
  WHERE term.scope = $scope AND term.key >= ''
    AND NOT EXISTS { (term)<-[:MENTIONS]-(:Turn) }
    AND NOT EXISTS {
      (term)<-[:SUBJECT|OBJECT]-(fact:Fact)
      WHERE fact.status IN ['active', 'pending', 'superseded']
    }
    AND NOT EXISTS { (term)-[:MERGED_INTO]-(:Term) }
  RETURN term AS orphan
  LIMIT $k
  UNION ALL
  MATCH (community:Community)
  WHERE community.scope = $scope AND community.id >= '' AND NOT EXISTS {
    (community)<-[:IN_COMMUNITY]-(term:Term)
    WHERE term.status = 'active'
  }
  RETURN community AS orphan
  LIMIT $k
}
OPTIONAL MATCH left = (orphan)-[:TAGGED|SERVES|SUBJECT|OBJECT]-(child:Fact|Procedure)
WHERE child.scope = $scope
RETURN orphan, left
