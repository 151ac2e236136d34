"""Verdicts on a reply are those of the table in docs/extract.md."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphmem.errors import ExtractionError
from graphmem.extract.verdict import judge
from graphmem.llm import ChatReply
from graphmem.models import ExtractionState, Outcome

_DOC = Path(__file__).parents[3] / "docs" / "extract.md"
_ROW = re.compile(
    r"\| (?P<mark>`{2,4})(?P<reply>.*?)(?P=mark) \| (?P<finish>\w+) \| (?P<verdict>[\w-]+) "
    r"\| ?(?P<facts>\d*) \| ?(?P<dropped>\d*) \|"
)


def _rows() -> list[tuple[str, str, str, str, str]]:
    section = _DOC.read_text(encoding="utf-8").split("| Reply |")[1].split("\n\n")[0]
    lines = section.splitlines()[2:]
    rows = []
    for line in lines:
        found = _ROW.fullmatch(line)
        assert found is not None, f"a row of the verdict table that no test reads: {line}"
        reply = found["reply"].replace("⏎", "\n")
        if found["mark"] == "````":
            reply = reply.strip(" ")
        rows.append((reply, found["finish"], found["verdict"], found["facts"], found["dropped"]))
    return rows


_ROWS = _rows()


def _verdict(reply: ChatReply) -> tuple[str, str, str]:
    try:
        extraction = judge(reply)
    except ExtractionError as error:
        return error.kind, "", ""
    return "taken", str(len(extraction.facts)), str(len(extraction.dropped))


def _reply(value: object) -> ChatReply:
    return ChatReply(content=json.dumps(value), finish_reason="stop")


def test_the_table_is_long() -> None:
    """The documentation tells a verdict for every class of reply."""
    verdicts = {row[2] for row in _ROWS}

    assert len(_ROWS) >= 40
    assert {
        "taken",
        "no-json",
        "schema",
        "no-summary",
        "truncated",
        "empty",
        "content-filter",
    } == verdicts


@pytest.mark.parametrize(("reply", "finish", "verdict", "facts", "dropped"), _ROWS)
def test_each_row_of_the_table_holds(
    reply: str, finish: str, verdict: str, facts: str, dropped: str
) -> None:
    """The code gives the verdict that the documentation tells."""
    given = _verdict(ChatReply(content=reply, finish_reason=finish))

    assert (verdict, facts, dropped) == given


@pytest.mark.parametrize(("reply", "finish", "verdict", "facts", "dropped"), _ROWS)
def test_tool_arguments_get_the_same_verdict(
    reply: str, finish: str, verdict: str, facts: str, dropped: str
) -> None:
    """A tool call's arguments are judged as text is, and text beside them is ignored."""
    given = _verdict(
        ChatReply(content="Calling the tool.", tool_arguments=reply, finish_reason=finish)
    )

    assert (verdict, facts, dropped) == given


def test_wrong_types_keep_exactly_the_good_triples() -> None:
    """Bad items go one by one: a number becomes its digits, the rest of the list stays."""
    triples = [
        ["Sam", {"rel": "knows"}, "Li"],
        ["Sam", "age", 42],
        [None, "likes", "tea"],
        ["Sam", "likes"],
        ["Sam", "likes", "tea", "very"],
        ["Sam", "plays", "go"],
    ]

    extraction = judge(_reply({"summary": "Sam.", "triples": triples}))

    parts = [(fact.subject, fact.predicate, fact.object) for fact in extraction.facts]
    assert [("Sam", "age", "42"), ("Sam", "plays", "go")] == parts
    assert 4 == len(extraction.dropped)


@pytest.mark.parametrize(
    "predicate",
    ["step-parent of", "分为...几类", "règle_les-litiges", "24/7 on call", "has %", "MATCH"],
)
def test_predicates_are_kept_as_written(predicate: str) -> None:
    """A predicate is data, whatever characters it has."""
    extraction = judge(_reply({"summary": "A.", "triples": [["a", predicate, "b"]]}))

    assert [predicate] == [fact.predicate for fact in extraction.facts]


def test_predicates_that_differ_by_a_mark_stay_two() -> None:
    """Cleaning never makes two statements one."""
    triples = [["Ana", predicate, "boat"] for predicate in ("owns", "owns?", "owns (formerly)")]

    extraction = judge(_reply({"summary": "A.", "triples": triples}))

    assert ["owns", "owns?", "owns (formerly)"] == [fact.predicate for fact in extraction.facts]


def test_half_a_surrogate_pair_is_replaced() -> None:
    """A lone surrogate never leaves the verdict; whole emoji do."""
    reply = ChatReply(
        content=r'{"summary": "ok \ud83d", "triples": [["A\u0000", "likes", "\ud83d\ude80"]]}'
    )

    extraction = judge(reply)

    assert "ok \ufffd" == extraction.summary
    assert [("A\ufffd", "🚀")] == [(fact.subject, fact.object) for fact in extraction.facts]


def test_what_a_good_reply_tells_is_kept() -> None:
    """Every field of a valid reply arrives, with the tokens that it cost."""
    reply = ChatReply(
        content=json.dumps(
            {
                "summary": "Iris bought a loom.",
                "outcome": "Completed",
                "triples": [{"subject": "Iris", "predicate": "bought", "object": "loom"}],
                "tags": ["weaving", "Weaving"],
                "intent": "find a loom",
            }
        ),
        prompt_tokens=310,
        completion_tokens=44,
    )

    extraction = judge(reply)

    assert ExtractionState.DONE == extraction.state
    assert Outcome.COMPLETED == extraction.outcome
    assert "Iris bought loom" == extraction.facts[0].text
    assert ("weaving",) == extraction.tags
    assert "find a loom" == extraction.intent
    assert (310, 44) == (extraction.prompt_tokens, extraction.completion_tokens)


def test_refusals_and_missing_choices_are_named() -> None:
    """A refusal and an answer without choices have reasons of their own."""
    refused = _verdict(ChatReply(refusal="I will not."))
    nothing = _verdict(ChatReply(has_choice=False))

    assert ("refused", "no-choices") == (refused[0], nothing[0])


def test_the_reply_is_kept_as_length_and_hash_only() -> None:
    """A refused reply leaves its measure, and no word of it in the message."""
    secret = "Zanzibar password hunter2 is no JSON"

    with pytest.raises(ExtractionError) as caught:
        judge(ChatReply(content=secret))

    assert len(secret) == caught.value.reply_length
    assert 64 == len(caught.value.reply_hash)
    assert "hunter2" not in str(caught.value)


def test_truncation_names_the_tokens() -> None:
    """The error tells after how many tokens the reply was cut."""
    with pytest.raises(ExtractionError, match="truncated at 1024 tokens"):
        judge(ChatReply(content="{", finish_reason="length", completion_tokens=1024))


def test_strict_items_refuses_a_single_bad_item() -> None:
    """With strict items one bad triple quarantines the turn; repeats still do not."""
    bad = _reply({"summary": "A.", "triples": [["a", "b", "c"], ["a", "b"]]})
    repeated = _reply({"summary": "A.", "triples": [["a", "b", "c"], ["A", "b", "c"]]})

    with pytest.raises(ExtractionError) as caught:
        judge(bad, strict_items=True)

    assert "bad-item" == caught.value.kind
    assert 1 == len(judge(repeated, strict_items=True).facts)


def test_endless_replies_are_bounded() -> None:
    """Names, summaries and lists beyond any use are cut, and each cut is counted."""
    triples = [[f"s{number}", "is", "x" * 1000] for number in range(100)]

    extraction = judge(_reply({"summary": "w" * 5000, "triples": triples}))

    assert 64 == len(extraction.facts)
    assert 2000 == len(extraction.summary)
    assert 300 == len(extraction.facts[0].object)
    assert 36 + 64 + 1 == len(extraction.dropped)


@pytest.mark.parametrize("reply", ["[" * 100_000, '{"a":' * 50_000, "9" * 10_000, "\ufeff", "{"])
def test_hostile_replies_are_refused_quietly(reply: str) -> None:
    """Depth and size of a reply end in quarantine, never in another exception."""
    given = _verdict(ChatReply(content=reply))

    assert given[0] in ("no-json", "empty")
