"""How a question is taken apart."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.clock import OPEN_FROM, OPEN_TO
from graphmem.ids import scope_token
from graphmem.recall.question import Question, filter_params, take_apart
from graphmem.recall.request import RecallOptions, recall_request

OPTIONS = RecallOptions(now=datetime(2026, 3, 1, tzinfo=UTC))


def question(text: str, **filters: str) -> Question:
    """Return the parts of a question in the scope "s"."""
    return take_apart(recall_request(text, scope="s", limit=6, **filters), OPTIONS)


def test_names_of_up_to_four_words_are_keys() -> None:
    """A Term is found by its exact key, whatever its length and case."""
    keys = question("Did Ana visit the Musée d'Orsay Grand Hall?").keys

    assert {"ana", "musée d'orsay", "musée d'orsay grand hall", "visit"} <= set(keys)


def test_a_possessive_names_its_owner() -> None:
    """Ana's and Carlos' are Ana and Carlos."""
    keys = question("Is Ana\u2019s desk beside Carlos' one?").keys

    assert {"ana", "carlos"} <= set(keys)


def test_names_inside_unspaced_text_are_keys() -> None:
    """Chinese has no blanks to split at."""
    keys = question("李明在北京做什么").keys

    assert {"李明", "北京"} <= set(keys)


def test_the_scope_is_in_every_query() -> None:
    """No leg is asked without it."""
    asked = question("hot kiln", session_id="a")

    mark = f"+scope_token:{scope_token('s')}^0"
    queries = [asked.turn_query, asked.fact_query, *(query for _, query in asked.token_queries)]
    assert len(queries) == 4
    assert all(query is not None and query.startswith(mark) for query in queries)


def test_session_and_agent_filter_inside_the_index() -> None:
    """Their tokens stand in the query over turns."""
    asked = question("hot kiln", session_id="a", agent_id="b")

    assert asked.turn_query is not None
    assert scope_token("s", "a") in asked.turn_query
    assert scope_token("s", "agent", "b") in asked.turn_query


def test_a_question_without_words_asks_no_index() -> None:
    """An empty Lucene query is an error, so there is none."""
    asked = question("*?")

    assert (asked.turn_query, asked.fact_query, asked.token_queries) == (None, None, ())


def test_a_long_question_stays_bounded() -> None:
    """Tokens, keys and counted tokens have their most."""
    asked = question(" ".join(f"word{n}" for n in range(5000)))

    assert len(asked.tokens) <= 512
    assert len(asked.keys) <= 400
    assert len(asked.token_queries) <= 24


def test_no_filter_is_a_range_that_takes_all_in() -> None:
    """A vector index takes no 'or any'."""
    params = filter_params(recall_request("kiln", scope="s", limit=6, session_id="a"))

    assert (params["session_from"], params["session_to"]) == ("a", "a")
    assert (params["agent_from"], params["agent_to"]) == ("", "\U0010ffff")
    assert (params["since"], params["until"]) == (OPEN_FROM, OPEN_TO)
