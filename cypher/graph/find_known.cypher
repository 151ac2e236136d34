// NAME     graph/find_known
// DOES     What is known beside each statement of a write that has no vectors: the same words, and
//          the same subject and predicate. Of a store without an embedder it is all there is:
//          there is no vector index to ask.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope       STRING        memory scope
//          asked       LIST<MAP>     {canonical_hash, subject_key, predicate_key, valid_from};
//                                    keys may be ''
//          named       LIST<STRING>  facts that are wanted by their id
//          slot_pool   INTEGER       facts of the same subject and predicate, nearest in time, on
//                                    either side, 1..100
//          predicates  LIST<STRING>  keys of predicates of which nobody said whether they are
//                                    functional
//          successions INTEGER       so many successions make one functional
// RETURNS  found LIST<MAP>: of each statement {exact, slot, near, cosines}, in order, the last two
//          empty;
//          functional LIST<STRING>: predicates that always had one object at a time;
//          named_facts LIST<MAP>: those of the named that are there
// SOURCE   Graphorin, stages 1 and 4
// COST     two index probes a statement
// TRY      :param scope => 'demo';
//          :param asked => [];
//          :param named => [];
//          :param slot_pool => 25;
//          :param predicates => [];
//          :param successions => 3;
CYPHER 25
CALL () {
  UNWIND range(0, size($asked) - 1) AS place
  WITH place, $asked[place] AS row
  CALL (row) {
    MATCH (f:Fact)
    WHERE f.scope = $scope AND f.canonical_hash = row.canonical_hash
    RETURN collect(f {
      .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
      .is_negated, .valid_from, .valid_to, .status, .recorded_at,
      .stated_at, .retired_at, .is_withdrawn,
      .subject_via, .object_via
    }) AS exact
  }
  CALL (row) {
    WITH row
    WHERE row.predicate_key <> '' AND row.subject_key <> ''
    MATCH (f:Fact)
    WHERE f.scope = $scope AND f.subject_key = row.subject_key
      AND f.predicate_key = row.predicate_key AND f.valid_from <= row.valid_from
      AND f.status IN ['active', 'pending', 'superseded']
    WITH f
    ORDER BY f.valid_from DESC
    LIMIT $slot_pool
    RETURN collect(f {
      .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
      .is_negated, .valid_from, .valid_to, .status, .recorded_at,
      .stated_at, .retired_at, .is_withdrawn,
      .subject_via, .object_via
    }) AS earlier
  }
  CALL (row) {
    WITH row
    WHERE row.predicate_key <> '' AND row.subject_key <> ''
    MATCH (f:Fact)
    WHERE f.scope = $scope AND f.subject_key = row.subject_key
      AND f.predicate_key = row.predicate_key AND f.valid_from > row.valid_from
      AND f.status IN ['active', 'pending', 'superseded']
    WITH f
    ORDER BY f.valid_from
    LIMIT $slot_pool
    RETURN collect(f {
      .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
      .is_negated, .valid_from, .valid_to, .status, .recorded_at,
      .stated_at, .retired_at, .is_withdrawn,
      .subject_via, .object_via
    }) AS later
  }
  WITH place, exact, earlier, later
  ORDER BY place
  RETURN collect({
    exact: exact, slot: earlier + later, near: [], cosines: []
  }) AS found
}
CALL () {
  // Learned, not declared: it followed on itself often, and no subject has two at once.
  UNWIND $predicates AS predicate
  CALL (predicate) {
    MATCH (old:Fact)
    WHERE old.scope = $scope AND old.predicate_key = predicate AND old.status = 'superseded'
      AND EXISTS {
        MATCH (old)<-[:SUPERSEDES]-(new:Fact)
        WHERE new.predicate_key = predicate AND new.subject_key = old.subject_key
      }
    WITH old
    LIMIT $successions
    RETURN count(old) AS successions
  }
  WITH predicate, successions
  WHERE successions = $successions
  CALL (predicate) {
    MATCH (f:Fact)
    WHERE f.scope = $scope AND f.predicate_key = predicate AND f.status IN ['active', 'pending']
      AND NOT f.is_negated
    WITH f
    LIMIT 1000
    WITH f.subject_key AS subject, count(DISTINCT f.object_key) AS objects
    RETURN max(objects) AS at_once
  }
  WITH predicate, at_once
  WHERE coalesce(at_once, 0) < 2
  RETURN collect(predicate) AS functional
}
CALL () {
  MATCH (f:Fact)
  WHERE f.scope = $scope AND f.id IN $named
  RETURN collect(f {
    .id, .text, .canonical_hash, .subject_key, .predicate_key, .object_key, .predicate,
    .is_negated, .valid_from, .valid_to, .status, .recorded_at,
    .stated_at, .retired_at, .is_withdrawn,
    .subject_via, .object_via
  }) AS named_facts
}
RETURN found, functional, named_facts
