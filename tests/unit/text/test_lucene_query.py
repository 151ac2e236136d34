"""The full-text query holds plain words, whatever is asked."""

from __future__ import annotations

import time

import pytest

from graphmem.text import MAX_QUERY_TOKENS, analyse, lucene_query

_FILTER = {"scope_token": "ab12"}


def test_filters_must_hold_and_add_no_score() -> None:
    """Each filter is required with boost 0; any of the words will do."""
    query = lucene_query(["kiln", "hot"], {"scope_token": "ab", "session_token": "cd"})

    assert "+scope_token:ab^0 +session_token:cd^0 +search_text:(kiln hot)" == query


@pytest.mark.parametrize("tokens", [[], [""], [" "]])
def test_there_is_no_query_without_a_token(tokens: list[str]) -> None:
    """An empty query would be a syntax error."""
    assert lucene_query(tokens, _FILTER) is None


@pytest.mark.parametrize("sign", list("+-&|!(){}[]^\"~*?:\\/<>=@#$%;,.'`"))
def test_every_sign_is_escaped(sign: str) -> None:
    """No sign of the query language gets through, first, last, doubled or alone."""
    query = lucene_query([sign, f"{sign}a", f"a{sign}", sign * 2], {})

    assert f"+search_text:(\\{sign} \\{sign}a a\\{sign} \\{sign}\\{sign})" == query


def test_operators_are_words_and_words_stay_whole() -> None:
    """AND, OR and NOT lose their meaning; words that hold them are left alone."""
    query = lucene_query(["ANDOVER", "ORONO", "NOTARY", "TOR", "AND", "OR", "NOT"], {})

    assert r"+search_text:(ANDOVER ORONO NOTARY TOR \AND \OR \NOT)" == query


@pytest.mark.parametrize("count", [10, 512, 513, 3_000, 20_000])
def test_a_pasted_document_is_clipped_to_its_ends(count: int) -> None:
    """At most 512 words: the first and the last 256, in bounded time."""
    tokens = [f"w{number}" for number in range(count)]
    started = time.thread_time()

    query = lucene_query(tokens, _FILTER)

    assert query is not None
    asked = query[query.index("(") + 1 : -1].split()
    assert min(count, MAX_QUERY_TOKENS) == len(asked)
    assert ("w0", f"w{count - 1}") == (asked[0], asked[-1])
    assert time.thread_time() - started < 1


def test_a_repeated_word_is_one_clause() -> None:
    """Repetition cannot exceed the number of clauses."""
    assert "+search_text:(kiln)" == lucene_query(["kiln"] * 5_000, {})


@pytest.mark.parametrize("question", ["*", "?", "OR", "NOT", "tea AND NOT coffee", "half^", "/q x"])
def test_odd_questions_end_in_words_or_in_nothing(question: str) -> None:
    """What remains of a question is letters only."""
    query = lucene_query(analyse(question, asking=True), {})

    assert query is None or query[len("+search_text:(") : -1].replace(" ", "").isalnum()
