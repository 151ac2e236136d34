// NAME     tiers/remove_procedure
// DOES     Tell a Procedure no longer; it stays in the store.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope         STRING          memory scope
//          procedure_id  STRING          the Procedure
//          reason        STRING          why
//          now           ZONED DATETIME  when
// RETURNS  id STRING; no row where there is no such Procedure
// SOURCE   Graphorin, "soft delete"
// TRY      :param scope => 'demo';
//          :param procedure_id => 'p1';
//          :param reason => 'by hand';
//          :param now => datetime();
CYPHER 25
MATCH (p:Procedure {scope: $scope, id: $procedure_id})
FOREACH (_ IN CASE WHEN p.status <> 'forgotten' THEN [1] ELSE [] END |
  SET
    p.status = 'forgotten',
    p.retired_at = $now,
    p.retired_reason = $reason
)
RETURN p.id AS id
