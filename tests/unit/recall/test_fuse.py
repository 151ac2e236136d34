"""The order of an answer, from numbers alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from graphmem import Extraction, Message
from graphmem.models import ExtractionState
from graphmem.recall.fuse import Nominees, Ranked, nominate, rank, walk_seeds
from graphmem.recall.question import Question
from graphmem.recall.request import RecallOptions
from graphmem.recall.seeds import FactSeed, NodeSeed, Scale, Seeds, TurnSeed
from graphmem.recall.walk import Place, Reached
from graphmem.recall.when import Span
from graphmem.turn_text import turn_search_text
from graphmem.weights import FIELD_WEIGHTS, Weights

OPTIONS = RecallOptions(now=datetime(2026, 3, 1, tzinfo=UTC))
SCALE = Scale(
    held={"kiln": 3, "hot": 1}, sessions=4, turns=40, average_length=4, sample=40, mean=0.1,
    deviation=0.1,
)  # fmt: skip
QUESTION = Question(("hot", "kiln"), ("hot", "kiln", "ana"), "q", "q", ())
EMPTY = Seeds((), (), (), (), (), SCALE, ())


def text_turn(name: str, *tokens: str, session: str = "s", score: float = 1.0) -> TurnSeed:
    """Return a turn that the text leg found."""
    return TurnSeed(name, session, ("ana",), tokens=tokens, full_text_score=score)


def places(*names: str, session: str = "s") -> tuple[Place, ...]:
    """Return turns that follow each other."""
    after = [*names[1:], ""]
    return tuple(
        Place(name, session, 1000 + n, ("ana",), 4, False, following, None, is_eligible=True)
        for n, (name, following) in enumerate(zip(names, after, strict=True))
    )


def ordered(
    seeds: Seeds, where: tuple[Place, ...], options: RecallOptions = OPTIONS
) -> list[Ranked]:
    """Return the order of some places for some seeds."""
    nominees = nominate(seeds, QUESTION, options)
    return rank(nominees, Reached({}, where, {"s": len(where)}), QUESTION, options)


def nominees_of(seeds: Seeds) -> Nominees:
    """Return the candidates of some seeds."""
    return nominate(seeds, QUESTION, OPTIONS)


def test_rare_words_count_more_than_frequent_ones() -> None:
    """Frequencies are those of the scope."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln", "x"), text_turn("b", "hot", "x")))

    found = nominees_of(seeds)

    assert found.words.turns["b"] == 1.0
    assert 0 < found.words.turns["a"] < 1


def test_a_word_counts_by_the_field_that_it_stands_in() -> None:
    """In a summary more than in what was said; a field of weight 0 holds nothing."""
    said, told = (
        text_turn(name, *turn_search_text(messages, extraction, language="english").split())
        for name, messages, extraction in (
            ("said", [Message(role="user", content="kiln")], None),
            (
                "told",
                [Message(role="user", content="it")],
                Extraction(summary="kiln", state=ExtractionState.GIVEN),
            ),
        )
    )
    seeds = replace(EMPTY, text_turns=(said, told))
    deaf = replace(OPTIONS, field_weights={**FIELD_WEIGHTS, "summary": 0.0})

    assert nominees_of(seeds).words.turns["told"] > nominees_of(seeds).words.turns["said"]
    assert nominate(seeds, QUESTION, deaf).words.turns["told"] == 0


def test_a_turn_too_long_to_send_is_scored_by_lucene_on_the_same_scale() -> None:
    """Its score stands to the others' as Lucene says."""
    long = TurnSeed("long", "s", (), tokens=None, full_text_score=4.0)
    seeds = replace(EMPTY, text_turns=(long, text_turn("a", "kiln", score=2.0)))

    found = nominees_of(seeds)

    assert found.words.turns == pytest.approx({"long": 1.0, "a": 0.5})


def test_a_cosine_counts_by_its_distance_from_the_mean() -> None:
    """Four deviations above the mean weigh as much as the best text score."""
    seeds = replace(EMPTY, vector_turns=(TurnSeed("a", "s", (), cosine=0.5),))

    found = nominees_of(seeds)

    assert found.vector["a"] == pytest.approx(1.0)


def test_a_store_of_few_turns_has_no_spread_of_its_own() -> None:
    """One turn alone is its own mean, and would never count."""
    scale = replace(SCALE, sample=1, mean=0.7, deviation=0.0)
    seeds = replace(EMPTY, scale=scale, vector_turns=(TurnSeed("a", "s", (), cosine=0.7),))

    found = nominees_of(seeds)

    assert found.vector["a"] > 1


def test_context_before_and_after_lends_a_score() -> None:
    """The turn right before lends most; one further away less; another session nothing."""
    seeds = replace(EMPTY, text_turns=(text_turn("c", "kiln"),))
    where = (*places("a", "b", "c", "d", "e"), *places("z", session="other"))

    found = {turn.id: turn.parts.get("neighbours", 0.0) for turn in ordered(seeds, where)}

    assert found["d"] > found["b"] > found["e"] > found["a"] > 0
    assert found["z"] == 0


def test_a_turn_that_filters_keep_out_only_lends_context() -> None:
    """It stands in no answer."""
    seeds = replace(EMPTY, text_turns=(text_turn("b", "kiln"),))
    where = places("a", "b")
    where = (where[0], where[1]._replace(is_eligible=False))

    found = ordered(seeds, where)

    assert [turn.id for turn in found] == ["a"]
    assert found[0].parts["neighbours"] > 0


def test_equal_scores_are_ordered_by_the_newer_turn() -> None:
    """And the same way each time."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln"), text_turn("b", "kiln")))
    lone = tuple(place._replace(next_id="") for place in places("a", "b"))

    found = ordered(seeds, lone)

    assert [turn.id for turn in found] == ["b", "a"]


@pytest.mark.parametrize("keys", [("hot",), ("ana", "bo")])
def test_a_speaker_counts_only_when_one_alone_is_named(keys: tuple[str, ...]) -> None:
    """Nobody named, or both, tells nothing apart."""
    other = TurnSeed("b", "s", ("bo",), tokens=("kiln",), full_text_score=1.0)
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln"), other))

    found = nominate(seeds, replace(QUESTION, keys=keys), OPTIONS)

    assert found.speaker == ""


def test_a_fact_lends_its_score_to_the_turns_that_state_it() -> None:
    """Also to such as no leg found."""
    seeds = replace(EMPTY, text_facts=(FactSeed("f", ("a", "b"), tokens=("kiln", "hot")),))

    found = nominees_of(seeds)

    assert found.facts == {"a": 1.0, "b": 1.0}
    assert set(found.scores) == {"a", "b"}


def test_a_fact_that_fits_by_words_and_by_vector_lends_both() -> None:
    """The best fact counts, not the sum of all."""
    seeds = replace(
        EMPTY,
        text_facts=(FactSeed("f", ("a",), tokens=("kiln", "hot")),),
        vector_facts=(FactSeed("f", ("a",), cosine=0.5), FactSeed("g", ("a", "b"), cosine=0.3)),
    )

    found = nominees_of(seeds)

    assert found.facts == pytest.approx({"a": 1.0 + 1.0, "b": 0.5})


def test_of_facts_only_those_of_turns_that_may_answer_cover_the_question() -> None:
    """A filter keeps the others out."""
    facts = (FactSeed("f", (), tokens=("kiln", "hot")), FactSeed("g", ("a",), tokens=("hot",)))

    found = nominees_of(replace(EMPTY, text_facts=facts))

    assert 0 < found.fact_coverage < 1


def test_a_turn_covers_the_question_together_with_those_around_it() -> None:
    """Who answers leaves out what was just said; two turns away still belongs to it."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln"), text_turn("c", "hot")))
    weight = OPTIONS.weights.coverage

    found = {turn.id: turn.parts.get("coverage", 0.0) for turn in ordered(
        seeds, places("a", "b", "c", "d", "e", "f")
    )}  # fmt: skip

    assert found["a"] == found["b"] == found["c"] == pytest.approx(weight)
    assert 0 < found["d"] == found["e"] < weight
    assert found["f"] == 0


def test_a_long_turn_covers_what_it_holds() -> None:
    """Its text is not sent, but which words of the question are in it is."""
    long = TurnSeed("long", "s", (), tokens=None, held=("hot", "kiln"), full_text_score=4.0)
    seeds = replace(EMPTY, text_turns=(long,))

    (found,) = ordered(seeds, places("long"))

    assert found.parts["coverage"] == pytest.approx(OPTIONS.weights.coverage)


def test_a_short_turn_counts_less_and_a_long_one_only_so_much_more() -> None:
    """By the logarithm, and from e times the average on no more."""
    where = tuple(
        place._replace(length=length, next_id="")
        for place, length in zip(places("a", "b", "c", "d", "e"), (1, 4, 11, 4000, 0), strict=True)
    )
    weight = OPTIONS.weights.length

    found = {turn.id: turn.parts.get("length", 0.0) for turn in ordered(EMPTY, where)}

    expected = {"a": -weight, "b": 0.0, "c": weight, "d": weight, "e": 0.0}
    assert found == pytest.approx(expected)


def test_turns_of_a_time_that_the_question_names_count_more() -> None:
    """The nearer the more; without a named time it plays no part."""
    day = date(2023, 5, 7)
    at_ms = int(datetime(2023, 5, 7, 12, tzinfo=UTC).timestamp() * 1000)
    where = tuple(
        place._replace(at_ms=at_ms + days * 86_400_000, next_id="")
        for place, days in zip(places("on", "near", "far"), (0, 3, 300), strict=True)
    )
    asked = replace(QUESTION, spans=(Span(day, day),))
    nominees = nominate(EMPTY, asked, OPTIONS)

    timed = rank(nominees, Reached({}, where, {}), asked, OPTIONS)
    timeless = rank(nominees, Reached({}, where, {}), QUESTION, OPTIONS)

    assert [turn.id for turn in timed] == ["on", "near", "far"]
    assert timed[0].parts["time"] == OPTIONS.weights.time
    assert all("time" not in turn.parts for turn in timeless)


def test_what_follows_a_question_answers_it() -> None:
    """A turn that only asks seldom holds an answer; the one after it does."""
    first, second, third = places("a", "b", "c")
    weight = OPTIONS.weights.reply

    found = {
        turn.id: turn.parts.get("reply", 0.0)
        for turn in ordered(EMPTY, (first._replace(asks=True), second, third))
    }

    assert found == {"a": -weight, "b": weight, "c": 0.0}


def test_shares_of_the_start_are_those_of_the_knobs() -> None:
    """Turns, terms and facts each have theirs; a rarer term has more."""
    seeds = replace(
        EMPTY,
        text_turns=(text_turn("a", "kiln"), text_turn("b", "hot")),
        text_facts=(FactSeed("f", (), tokens=("kiln",)),),
        terms=(NodeSeed("rare", "rare", 1), NodeSeed("common", "common", 30)),
    )

    start = walk_seeds(seeds, nominees_of(seeds), QUESTION, OPTIONS)

    walk = OPTIONS.walk
    assert sum(start.turns.values()) == pytest.approx(walk.turn_share)
    assert sum(start.terms.values()) == pytest.approx(walk.term_share)
    assert sum(start.facts.values()) == pytest.approx(walk.fact_share)
    assert start.terms["rare"] > start.terms["common"]


def test_facts_are_begun_at_by_vector_and_words() -> None:
    """The five best by cosine over the best one's plus .7 of their text; ends get as much."""
    seeds = replace(
        EMPTY,
        text_facts=(FactSeed("worded", (), tokens=("kiln",)),),
        vector_facts=(FactSeed("near", (), cosine=0.8), FactSeed("far", (), cosine=0.4)),
    )

    start = walk_seeds(seeds, nominees_of(seeds), QUESTION, OPTIONS)

    weight = OPTIONS.walk.end_weight
    assert start.ends == pytest.approx(
        {"near": weight, "worded": 0.7 * weight, "far": 0.5 * weight}
    )


def test_the_graph_counts_as_far_as_the_question_is_linked_to_facts() -> None:
    """The cube root of the mass; in full from half of the start on ends of facts, else less."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln"),))
    linked = Reached({"a": 0.8, "b": 0.1}, places("a", "b"), {"s": 2}, linkage=0.6)

    order = rank(nominees_of(seeds), linked, QUESTION, OPTIONS)
    half = rank(nominees_of(seeds), replace(linked, linkage=0.25), QUESTION, OPTIONS)
    apart = rank(nominees_of(seeds), replace(linked, linkage=0.0), QUESTION, OPTIONS)

    weight = OPTIONS.weights.graph
    parts = [{turn.id: turn.parts["graph"] for turn in turns} for turns in (order, half, apart)]
    assert parts[0] == pytest.approx({"a": weight, "b": weight / 2})
    assert parts[1] == pytest.approx({"a": weight / 2, "b": weight / 4})
    assert parts[2] == pytest.approx({"a": weight / 20, "b": weight / 40})


def test_what_one_turn_holds_in_full_needs_no_walk() -> None:
    """A direct question is answered by its own turn, however much else is linked to it."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln", "hot"), text_turn("b", "x")))
    linked = Reached({"b": 1.0, "a": 0.1}, places("a", "b"), {"s": 2}, linkage=1.0)

    order = rank(nominees_of(seeds), linked, QUESTION, OPTIONS)

    assert [turn.id for turn in order] == ["a", "b"]
    assert order[1].parts["graph"] == pytest.approx(OPTIONS.weights.graph / 20)


def test_a_fact_that_the_walk_began_at_is_not_counted_twice() -> None:
    """Where the graph counts in full, what a turn states is in its mass."""
    seeds = replace(EMPTY, text_facts=(FactSeed("f", ("a",), tokens=("kiln", "hot")),))
    linked = Reached({"a": 1.0}, places("a"), {"s": 1}, linkage=0.5)

    [turn] = rank(nominees_of(seeds), linked, QUESTION, OPTIONS)
    [alone] = rank(nominees_of(seeds), replace(linked, linkage=0.0), QUESTION, OPTIONS)

    assert "facts" not in turn.parts
    assert alone.parts["facts"] > 0


def test_a_session_of_one_turn_adds_nothing_to_it() -> None:
    """What is said in it is what the turn says."""
    seeds = replace(
        EMPTY,
        text_turns=(text_turn("a", "kiln", session="lone"), text_turn("b", "kiln", session="s")),
    )
    where = (*places("a", session="lone"), *places("b", "c"))
    nominees = nominees_of(seeds)

    found = rank(nominees, Reached({}, where, {"lone": 1, "s": 2}), QUESTION, OPTIONS)

    sessions = {turn.id: turn.parts.get("session", 0.0) for turn in found}
    assert sessions["a"] == 0
    assert sessions["b"] > 0


def test_a_passage_is_long_enough() -> None:
    """Past 300 characters more of them say nothing."""
    scale = replace(SCALE, average_length=900)
    where = tuple(
        place._replace(length=length, next_id="")
        for place, length in zip(places("a", "b", "c"), (400, 2000, 100), strict=True)
    )

    found = {
        turn.id: turn.parts.get("length", 0.0)
        for turn in ordered(replace(EMPTY, scale=scale), where)
    }

    assert (found["a"], found["b"]) == (0, 0)
    assert found["c"] < 0


def test_nothing_nominated_starts_no_walk() -> None:
    """No division by zero, no walk over the whole graph."""
    start = walk_seeds(EMPTY, nominees_of(EMPTY), QUESTION, OPTIONS)

    assert (start.turns, start.terms, start.facts, start.ends) == ({}, {}, {}, {})


def test_parts_sum_to_the_score_in_both_modes() -> None:
    """What is told is all that counts."""
    seeds = replace(
        EMPTY,
        text_turns=(text_turn("a", "kiln"), text_turn("b", "hot")),
        vector_turns=(TurnSeed("b", "s", (), cosine=0.4), TurnSeed("c", "s", (), cosine=-0.2)),
    )

    for mode in (OPTIONS, replace(OPTIONS, mode="rrf")):
        for turn in ordered(seeds, places("a", "b", "c"), mode):
            assert sum(turn.parts.values()) == pytest.approx(turn.score, abs=1e-12)


def test_reciprocal_ranks_are_summed_by_their_formula() -> None:
    """1 / (60 + rank) of each list that the turn is in, and nothing else."""
    seeds = replace(
        EMPTY,
        text_turns=(text_turn("a", "kiln"), text_turn("b", "hot")),
        vector_turns=(TurnSeed("b", "s", (), cosine=0.4), TurnSeed("c", "s", (), cosine=0.2)),
        text_facts=(FactSeed("f", ("c",), tokens=("kiln",)),),
    )
    nominees = nominees_of(seeds)
    reached = Reached({"a": 0.2, "b": 0.1}, places("a", "b", "c"), {"s": 3})

    found = rank(nominees, reached, QUESTION, replace(OPTIONS, mode="rrf"))

    scores = {turn.id: turn.score for turn in found}
    assert scores == pytest.approx(
        {"a": 1 / 62 + 1 / 61, "b": 1 / 61 + 1 / 61 + 1 / 62, "c": 1 / 62 + 1 / 61}
    )


def test_a_list_without_weight_takes_no_part_in_reciprocal_ranks() -> None:
    """Ranks have no weights: a list is there or it is not."""
    seeds = replace(
        EMPTY,
        text_turns=(text_turn("a", "kiln"),),
        vector_turns=(TurnSeed("a", "s", (), cosine=0.4),),
    )
    options = replace(OPTIONS, mode="rrf", weights=Weights(text=0.0, vector=7.0))

    (found,) = ordered(seeds, places("a"), options)

    assert found.parts == {"vector": pytest.approx(1 / 61)}


def test_each_part_weighs_what_its_weight_says() -> None:
    """Twice the weight is twice the part; without weight the part is not told at all."""
    seeds = replace(EMPTY, text_turns=(text_turn("a", "kiln"), text_turn("b", "hot")))
    heavy, none = (
        replace(OPTIONS, weights=Weights(text=weight, neighbours=0.0)) for weight in (2.0, 0.0)
    )

    twice, without = (ordered(seeds, places("a", "b"), options) for options in (heavy, none))

    assert twice[0].parts["text"] == 2.0
    assert [turn.parts.get("text") for turn in without] == [None, None]
