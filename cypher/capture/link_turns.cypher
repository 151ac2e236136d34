// NAME     capture/link_turns
// DOES     Link turns that are new in their sessions by NEXT, in the order of (at, seq); a late import is put between its neighbours.
// MODE     write
// NEEDS    neo4j >= 2026.02
// PARAMS   scope     STRING        memory scope
//          turn_ids  LIST<STRING>  turns of a batch; those that are linked already stay as they are
// RETURNS  links INTEGER, links made
// SOURCE   Graph Memory, "Turn navigation"
// COST     four index probes a turn
// TRY      :param scope => 'demo';
//          :param turn_ids => [];
CYPHER 25
UNWIND $turn_ids AS turn_id
MATCH (turn:Turn {scope: $scope, id: turn_id})
WHERE NOT EXISTS { (turn)-[:NEXT]-(:Turn) }
// Every turn of the batch is there by now, so its neighbours are the final ones, whether they
// are old or new themselves.
// Ordering by the whole key of the index reads one entry of it. Without the hints the planner
// scans all turns when its statistics are those of a small store; they want every property of
// the index to be asked for, so a seq above 0, which each has.
CALL (turn) {
  OPTIONAL MATCH (tied:Turn)
  USING INDEX tied:Turn(scope, session_id, at, seq)
  WHERE
    tied.scope = $scope AND
    tied.session_id = turn.session_id AND
    tied.at = turn.at AND
    tied.seq < turn.seq
  WITH tied
  ORDER BY tied.scope DESC, tied.session_id DESC, tied.at DESC, tied.seq DESC
  LIMIT 1
  RETURN tied AS tied_before
}
CALL (turn) {
  MATCH (before:Turn)
  USING INDEX before:Turn(scope, session_id, at, seq)
  WHERE
    before.scope = $scope AND
    before.session_id = turn.session_id AND
    before.at < turn.at AND
    before.seq > 0
  WITH before
  ORDER BY before.scope DESC, before.session_id DESC, before.at DESC, before.seq DESC
  LIMIT 1
  RETURN collect(before) AS before
}
CALL (turn) {
  OPTIONAL MATCH (tied:Turn)
  USING INDEX tied:Turn(scope, session_id, at, seq)
  WHERE
    tied.scope = $scope AND
    tied.session_id = turn.session_id AND
    tied.at = turn.at AND
    tied.seq > turn.seq
  WITH tied
  ORDER BY tied.scope, tied.session_id, tied.at, tied.seq
  LIMIT 1
  RETURN tied AS tied_after
}
CALL (turn) {
  MATCH (after:Turn)
  USING INDEX after:Turn(scope, session_id, at, seq)
  WHERE
    after.scope = $scope AND
    after.session_id = turn.session_id AND
    after.at > turn.at AND
    after.seq > 0
  WITH after
  ORDER BY after.scope, after.session_id, after.at, after.seq
  LIMIT 1
  RETURN collect(after) AS after
}
WITH
  collect({
    turn: turn,
    before: coalesce(tied_before, head(before)),
    after: coalesce(tied_after, head(after))
  }) AS places
// What stood before a new turn has a new successor.
CALL (places) {
  UNWIND places AS place
  WITH DISTINCT place.before AS before
  WHERE before IS NOT NULL
  MATCH (before)-[old:NEXT]->(:Turn)
  DELETE old
}
CALL (places) {
  UNWIND
    [place IN places WHERE place.before IS NOT NULL | [place.before, place.turn]] +
    [place IN places WHERE place.after IS NOT NULL | [place.turn, place.after]] AS pair
  WITH DISTINCT pair[0] AS earlier, pair[1] AS later
  CREATE (earlier)-[:NEXT]->(later)
  RETURN count(*) AS links
}
RETURN links
