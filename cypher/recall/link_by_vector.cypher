// NAME     recall/link_by_vector
// DOES     The Facts, Terms and Tags that are nearest in meaning to a question, and the Procedures
//          of the Intents that are.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          vector        VECTOR          of the question: the embedder's dimension, L2-normalised
//          session_from  STRING          session filter: '' for any, else the session
//          agent_from    STRING          agent filter, as session_from
//          project_from  STRING          project filter, as session_from
//          since         ZONED DATETIME  earliest time of a turn
//          until         ZONED DATETIME  latest time of a turn
//          now           ZONED DATETIME  facts must hold at this instant
//          fact_statuses LIST<STRING>    of the Facts that may be told
//          fact_pool     INTEGER         Facts that are nominated, 1..1000
//          near_pool     INTEGER         nearest Terms, nearest Tags, and nearest Intents, 1..100
//          any_procedure  BOOLEAN        whether Procedures need no Turn that the filters let in
//          procedure_pool INTEGER        Procedures that are nominated, 0..100
// RETURNS  one row of lists, each entry a list: vector_facts [id, cosine, ids of its turns],
//          near_terms [id, name, turns, cosine], near_tags [id, label, facts, cosine],
//          near_procedures [id, cosine of its Intent]
// SOURCE   HippoRAG 2, linking of the query
// COST     a vector probe for each status of facts, and two more; three where the scope has Intents
// TRY      :param scope => 'demo';
//          :param vector => [i IN range(1, 384) | 0.05];
//          :param session_from => '';
//          :param agent_from => '';
//          :param project_from => '';
//          :param since => datetime('0001-01-01T00:00:00Z');
//          :param until => datetime('9999-12-31T00:00:00Z');
//          :param now => datetime();
//          :param fact_statuses => ['active', 'pending'];
//          :param fact_pool => 50;
//          :param near_pool => 5;
//          :param any_procedure => true;
//          :param procedure_pool => 10;
CYPHER 25
CALL () {
  // A probe a status: IN inside of SEARCH needs a newer server than the rest does.
  UNWIND $fact_statuses AS status
  CALL (status) {
    MATCH (f:Fact)
    SEARCH f IN (
      VECTOR INDEX fact_embedding_{slot}
      FOR $vector
      WHERE f.scope = $scope AND f.status = status
        AND f.valid_from <= $now AND f.valid_to > $now
      LIMIT $fact_pool
    ) SCORE AS score
    RETURN f, score
  }
  WITH f, score
  // Who wants a secret fact asks for facts.
  WHERE coalesce(f.sensitivity, '') <> 'secret'
  WITH f, score
  ORDER BY score DESC
  LIMIT $fact_pool
  RETURN collect([
    f.id,
    2 * score - 1,
    COLLECT {
      MATCH (t:Turn)-[:STATES]->(f)
      WHERE t.scope = $scope AND t.status IN ['active', 'pending']
        AND ($session_from = '' OR t.session_id = $session_from)
        AND ($agent_from = '' OR t.agent_id = $agent_from)
        AND ($project_from = '' OR t.project = $project_from)
        AND t.at >= $since AND t.at <= $until
      RETURN t.id
      ORDER BY t.at DESC
      LIMIT 20
    }
  ]) AS vector_facts
}
CALL () {
  MATCH (x:Term)
  SEARCH x IN (
    VECTOR INDEX term_embedding_{slot}
    FOR $vector
    WHERE x.scope = $scope AND x.status = 'active'
    LIMIT $near_pool
  ) SCORE AS score
  // A name that only a secret fact tells is not given away.
  WITH x, score
  WHERE EXISTS { (x)<-[:MENTIONS]-(:Turn) } OR EXISTS {
    (x)<-[:SUBJECT|OBJECT]-(about:Fact)
    WHERE coalesce(about.sensitivity, '') <> 'secret'
  }
  RETURN collect([x.id, x.name, COUNT { (x)<-[:MENTIONS]-() }, 2 * score - 1]) AS near_terms
}
CALL () {
  MATCH (g:Tag)
  SEARCH g IN (
    VECTOR INDEX tag_embedding_{slot}
    FOR $vector
    WHERE g.scope = $scope AND g.status = 'active'
    LIMIT $near_pool
  ) SCORE AS score
  WITH g, score
  WHERE EXISTS {
    (g)<-[:TAGGED]-(tagged:Fact)
    WHERE coalesce(tagged.sensitivity, '') <> 'secret'
  }
  RETURN collect([g.id, g.label, COUNT { (g)<-[:TAGGED]-() }, 2 * score - 1]) AS near_tags
}
CALL () {
  // Most scopes have none: that is one look into an index of plain values.
  UNWIND CASE
    WHEN $procedure_pool > 0 AND EXISTS {
      MATCH (one:Intent)
      WHERE one.scope = $scope AND one.id >= ''
    }
    THEN [true]
    ELSE []
  END AS asked
  CALL (asked) {
    MATCH (i:Intent)
    SEARCH i IN (
      VECTOR INDEX intent_embedding_{slot}
      FOR $vector
      WHERE i.scope = $scope AND i.status = 'active'
      LIMIT $near_pool
    ) SCORE AS score
    MATCH (i)<-[:SERVES]-(p:Procedure)
    WHERE p.scope = $scope AND p.status IN ['active', 'pending']
      AND (
        ($any_procedure AND ($agent_from = '' OR p.agent_id = $agent_from)) OR EXISTS {
          (p)-[:DERIVED_FROM]->(t:Turn)
          WHERE t.scope = $scope AND t.status IN ['active', 'pending']
            AND ($session_from = '' OR t.session_id = $session_from)
            AND ($agent_from = '' OR t.agent_id = $agent_from)
            AND ($project_from = '' OR t.project = $project_from)
            AND t.at >= $since AND t.at <= $until
        }
      )
    RETURN p, 2 * score - 1 AS cosine
  }
  WITH p, cosine
  ORDER BY cosine DESC, p.priority DESC, p.id
  LIMIT $procedure_pool
  RETURN collect([p.id, cosine]) AS near_procedures
}
RETURN vector_facts, near_terms, near_tags, near_procedures
