// NAME     tiers/list_facts
// DOES     Ids of the facts of a scope, the latest recorded first.
// MODE     read
// NEEDS    neo4j >= 2026.02
// PARAMS   scope          STRING          memory scope
//          statuses       LIST<STRING>    of the facts that are wanted
//          now            ZONED DATETIME  the instant at which they must hold
//          is_held        BOOLEAN         whether they must hold then
//          subject_key    STRING          of what they are about, or a name that was merged into
//                                         it; '' for anything
//          predicate      STRING          as written, in lower case; '' for any
//          predicate_key  STRING          key of its family, which counts too; '' where there is none
//          agent_id       STRING          which agent learned them; '' for any
//          tag_keys       LIST<STRING>    tags that each must have
//          k              INTEGER         the most facts, >= 0
// RETURNS  id STRING
// SOURCE   Graphorin, semantic tier
// COST     reads the facts of the scope, or those of the subject
// TRY      :param scope => 'demo';
//          :param statuses => ['active', 'pending'];
//          :param now => datetime();
//          :param is_held => true;
//          :param subject_key => '';
//          :param predicate => '';
//          :param predicate_key => '';
//          :param agent_id => '';
//          :param tag_keys => [];
//          :param k => 20;
CYPHER 25
CALL () {
  OPTIONAL MATCH (named:Term {scope: $scope, key: $subject_key})-[:MERGED_INTO]->{1,20}(into:Term)
  WHERE NOT EXISTS { (into)-[:MERGED_INTO]->(:Term) }
  RETURN coalesce(max(into.key), $subject_key) AS about
}
MATCH (f:Fact)
WHERE f.scope = $scope AND f.id >= '' AND f.status IN $statuses
  AND (NOT $is_held OR (f.valid_from <= $now AND f.valid_to > $now))
  AND (about = '' OR f.subject_key = about)
  AND (
    $predicate = '' OR toLower(f.predicate) = $predicate
    OR ($predicate_key <> '' AND f.predicate_key = $predicate_key)
  )
  AND ($agent_id = '' OR f.agent_id = $agent_id)
  AND all(key IN $tag_keys WHERE EXISTS {
    MATCH (f)-[:TAGGED]->(tag:Tag)
    WHERE tag.scope = $scope AND tag.key = key
  })
WITH f
ORDER BY f.recorded_at DESC, f.id
LIMIT $k
RETURN f.id AS id
