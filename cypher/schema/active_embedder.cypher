// NAME     schema/active_embedder
// DOES     Tell which embedder the store is locked to.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   none
// RETURNS  id STRING, dimensions INTEGER, slot STRING, calibration MAP or null; no row before the
//          first embedder
// SOURCE   Graphorin, "Embedder lock"
// TRY      none
CYPHER 25
MATCH (e:Embedder {state: 'active'})
RETURN
  e.id AS id,
  e.dimensions AS dimensions,
  e.slot AS slot,
  CASE
    WHEN e.calibrated_at IS NOT NULL
    THEN e {
      .same_median, .different_median, .different_p90, .threshold, .sample, at: e.calibrated_at
    }
  END AS calibration
