"""The estimate of tokens leans to the safe side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.render.tokens import count_tokens


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("The cat sat on the mat.", 7, 9),
        ("Internationalisation of authentication is unfortunately underdocumented.", 10, 20),
        ("1234567890", 4, 6),
        ("def f(x): return {'a': x[0]}\n", 14, 26),
        ("我们明天去北京看展览", 8, 14),
        ("Привет, как дела?", 6, 12),
        ("👩\u200d🚀🔥", 6, 12),
    ],
)
def test_known_texts_are_counted_about_right(text: str, least: int, most: int) -> None:
    """At least what GPT-like tokenizers take, and not twice as much."""
    assert least <= count_tokens(text) <= most


@given(st.text(max_size=400), st.text(max_size=400))
def test_lines_can_be_counted_one_by_one(one: str, two: str) -> None:
    """Joining two blocks by a line end takes at most one token more."""
    assert count_tokens(f"{one}\n{two}") <= count_tokens(one) + count_tokens(two) + 1
