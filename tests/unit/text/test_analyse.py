"""One analysis for writing and asking, over the scripts and signs that people use."""

from __future__ import annotations

import time

import pytest

from graphmem.errors import ConfigError
from graphmem.text import analyse, search_text


@pytest.mark.parametrize(
    ("asked", "stored"),
    [
        ("kilns", "The kiln reaches 1240 degrees."),
        ("Ana", "Ana's bakery"),
        ("cafe", "the Café"),
        ("Café", "Cafe\u0301"),
        ("STRASSE", "an der straße"),
        ("Neo4j", "\uff2e\uff45\uff4f\uff14\uff4a"),
        ("1041", "see INV-1041"),
        ("node", "we run node.js"),
        ("user_id", "the userId field"),
        ("email", "by e-mail"),
        ("10:30", "at 10:30 sharp"),
        ("1240", "1,240 degrees"),
        ("O\u2019Brien", "Mrs O'Brien"),
        ("👍", "fine 👍🏽"),
        ("👩🏽\u200d💻", "Shipped with 👩🏽\u200d💻"),
        ("北京大学", "会议改到周五下午\uff0c在北京大学东门"),
        ("東京タワー", "来週の東京タワー見学"),
        ("서울대", "서울대학교 회의"),
        ("猫", "我的猫很大"),
        ("कार्यक्रम", "यह कार्यक्रम है"),
        ("كتاب", "كِتَاب"),
        ("กรุงเทพ", "ไปกรุงเทพมหานคร"),
    ],
)
def test_what_is_asked_is_found_in_what_is_stored(asked: str, stored: str) -> None:
    """Every token of the question stands in the text's own tokens."""
    tokens = analyse(asked, asking=True)

    assert tokens
    assert set() == set(tokens) - set(analyse(stored))


@pytest.mark.parametrize(
    ("asked", "stored"),
    [("INV-1041", "see inv1041"), ("node.js", "we run NodeJS"), ("GPT-4", "on gpt4")],
)
def test_an_identifier_is_found_without_its_joints(asked: str, stored: str) -> None:
    """The whole name is one token, however it is joined."""
    assert set(analyse(asked, asking=True)) & set(analyse(stored))


@pytest.mark.parametrize(
    ("one", "other"),
    [("C++", "C"), ("C#", "C"), ("C++", "C#"), ("1.5", "15"), ("ﬁve", "ive"), ("北京", "京北")],
)
def test_different_words_share_no_token(one: str, other: str) -> None:
    """What looks alike and is not the same stays apart."""
    common = set(analyse(one, asking=True)) & set(analyse(other, asking=True))

    assert set() == common


def test_stop_words_are_left_out_with_their_contractions() -> None:
    """Words that stand in every sentence are not looked up, however the quote is written."""
    tokens = analyse("What did you do, and why don\u2019t we say it's the kiln?")

    assert ["say", "kiln"] == tokens


def test_pairs_only_are_asked_where_a_run_is_longer() -> None:
    """Single characters are stored for questions of one character."""
    assert ["北京"] == analyse("北京", asking=True)
    assert ["北", "京", "北京"] == analyse("北京")


def test_english_and_chinese_stand_side_by_side() -> None:
    """A mixed text gives the words of both."""
    assert ["meet", "北京", "friday"] == analyse("meeting 北京 on Friday", asking=True)


def test_other_languages_are_stemmed_by_their_own_rules() -> None:
    """German endings go in German, elided articles in French."""
    assert analyse("Häuser", "german") == analyse("Häusern", "german")
    assert analyse("arbre", "french") == analyse("l'arbre", "french")


def test_language_none_leaves_words_as_they_are() -> None:
    """Neither stop words nor stems."""
    assert ["the", "kilns"] == analyse("The kilns", "none")


def test_an_unknown_language_is_an_error_that_lists_the_known_ones() -> None:
    """A typo in the setting is told, not ignored."""
    with pytest.raises(ConfigError, match=r"'klingon'.*english"):
        analyse("word", "klingon")


def test_no_token_is_longer_than_64_characters() -> None:
    """A blob without spaces cannot exceed what the index takes."""
    tokens = analyse(f"{'a' * 100_000} {'x-' * 5_000}y {'字' * 300}")

    assert max(map(len, tokens)) <= 64


@pytest.mark.parametrize("text", ["", "   ", "*", "?!...", "---", "'", "\u200d", "\ud83d"])
def test_text_without_words_gives_no_token(text: str) -> None:
    """Signs alone are nothing to look up."""
    assert [] == analyse(text)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "aA",
        "a.",
        "a-b'",
        "c+",
        "'",
        "1,",
        "e\u0301",
        "👩🏽\u200d💻",
        "会议",
        "The kiln's at 10:30. ",
    ],
)
def test_time_is_linear_in_the_length(piece: str) -> None:
    """A long text of the worst kind takes a second or so, not hours."""
    text = piece * (300_000 // len(piece))
    started = time.thread_time()

    analyse(text)

    assert time.thread_time() - started < 5


def test_a_long_text_stays_findable_by_every_word() -> None:
    """Beyond 20,000 tokens each further word counts once."""
    repeated = "kiln " * 50_000
    rare = " ".join(f"word{number}x" for number in range(30_000))

    stored = search_text(repeated, rare).split()

    assert 20_000 == stored.count("kiln")
    assert "word29999x" in stored


def test_search_text_joins_the_tokens_of_all_its_texts() -> None:
    """Speaker and words are found under one entry."""
    assert "ana live lyon" == search_text("Ana", "lives in Lyon")
