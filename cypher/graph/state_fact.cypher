// NAME     graph/state_fact
// DOES     Count that a Fact was stated: by turns, which become its evidence, or by nobody's turn.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          fact_id   STRING        the Fact
//          turn_ids  LIST<STRING>  turns that state it; none = it was stated directly
//          told      MAP           properties of new links where it is known by another name; else {}
// RETURNS  turns LIST<STRING>: those of the turns that are there
// SOURCE   Graph Memory, validated_count
// TRY      :param scope => 'demo';
//          :param fact_id => 'f1';
//          :param turn_ids => [];
//          :param told => {};
CYPHER 25
MATCH (fact:Fact {scope: $scope, id: $fact_id})
SET fact.validated_count = fact.validated_count + CASE size($turn_ids) WHEN 0 THEN 1 ELSE 0 END
WITH fact
CALL (fact) {
  UNWIND $turn_ids AS turn_id
  MATCH (turn:Turn {scope: $scope, id: turn_id})
  MERGE (turn)-[stated:STATES]->(fact)
    ON CREATE SET
      fact.validated_count = fact.validated_count + 1,
      stated += $told
  RETURN collect(turn.id) AS turns
}
RETURN turns
