"""The multihop benchmark reads what its README says, and its rows rank what they should."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.hipporag import PhraseGraph
from benchmarks.report import Report
from benchmarks.scenarios.multihop import (
    Question,
    RememberingEmbedder,
    add_arguments,
    judge,
    load,
    read_data,
)
from graphmem.testing import HashedEmbedder

PASSAGES = [
    ("p1", "Journal of Kilns", "It is printed by Ember House."),
    ("p2", "Ember House", "It was founded by Ruth Vale."),
    ("p3", "Rain", "It fell on the hill."),
]
TRIPLES: dict[str, list[Any]] = {
    "p1": [["Journal of Kilns", "printed by", "Ember House"], ["two", "parts"], ["a", "", "b"]],
    "p2": [[" Ember House ", "founded by", "Ruth Vale"], "no triple"],
}
QUESTIONS = [
    {"question": "Who founded the printer?", "type": "2hop", "evidence": ["p1", "p2"]},
    {"question": "What of a passage that is not there?", "evidence": ["p9"]},
]


def write(folder: Path, *, with_triples: bool = True) -> Path:
    """Put a made-up set into a folder."""
    files: dict[str, list[dict[str, Any]]] = {
        "corpus": [{"id": name, "title": title, "text": text} for name, title, text in PASSAGES],
        "questions": QUESTIONS,
    }
    if with_triples:
        files["openie_gpt35"] = [{"id": name, "triples": said} for name, said in TRIPLES.items()]
    for name, lines in files.items():
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


class Taken:
    """What a memory was given."""

    def __init__(self) -> None:
        self.turns: list[dict[str, Any]] = []

    def add_turns(self, turns: list[dict[str, Any]], **_: object) -> list[argparse.Namespace]:
        """Keep the turns; name them by their place."""
        self.turns = turns
        return [argparse.Namespace(turn_id=f"t{place}") for place in range(len(turns))]

    def flush(self) -> None:
        """Do nothing: all is there."""


def test_triples_of_another_form_are_left_out_and_counted(tmp_path: Path) -> None:
    """Two parts, an empty one, or no list at all."""
    corpus = read_data(write(tmp_path))

    assert [("Journal of Kilns", "printed by", "Ember House")] == corpus.triples["p1"]
    assert [("Ember House", "founded by", "Ruth Vale")] == corpus.triples["p2"]
    assert 3 == corpus.dropped


def test_a_question_without_evidence_in_the_set_is_not_asked(tmp_path: Path) -> None:
    """No ranking could answer it."""
    corpus = read_data(write(tmp_path))

    assert [Question("Who founded the printer?", "2hop", ("p1", "p2"))] == corpus.questions


def test_triples_are_given_with_their_passage(tmp_path: Path) -> None:
    """Each passage is a turn in a session of its own; one without triples has none to extract."""
    corpus = read_data(write(tmp_path))
    corpus.triples["p2"].append(("x" * 301, "is", "a sentence"))
    taken = Taken()

    ids = load(taken, corpus, Report(scenario="multihop"))  # type: ignore[arg-type]  # its turns

    assert {"t0": "p1", "t1": "p2", "t2": "p3"} == ids
    assert ["p1", "p2", "p3"] == [turn["session_id"] for turn in taken.turns]
    assert "Journal of Kilns\nIt is printed by Ember House." == taken.turns[0]["question"]
    assert [{"text": f"{'x' * 301} is a sentence"}] == taken.turns[1]["extraction"]["facts"]
    assert {"triples": [], "facts": []} == taken.turns[2]["extraction"]


def test_without_triples_graphmem_extracts_by_itself(tmp_path: Path) -> None:
    """Nothing is given."""
    taken = Taken()
    corpus = read_data(write(tmp_path, with_triples=False))

    load(taken, corpus, Report(scenario="multihop"))  # type: ignore[arg-type]  # its turns

    assert all("extraction" not in turn for turn in taken.turns)


def test_a_folder_without_the_corpus_is_told(tmp_path: Path) -> None:
    """By the name of the file."""
    with pytest.raises(SystemExit, match="corpus"):
        read_data(tmp_path)


@pytest.mark.parametrize(
    ("ranked", "scores"),
    [
        (["p1", "p2"], (1.0, 1.0, 1.0, 1.0)),
        (["p1", "p3", "p2"], (0.5, 1.0, 1.0, 1.0)),
        (["p3", "p1"], (0.5, 0.5, 0.5, 0.0)),
        ([], (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_a_ranking_is_judged_by_the_share_of_evidence(
    ranked: list[str], scores: tuple[float, ...]
) -> None:
    """In the first 2, 5 and 10; and whether all of it is in the ten."""
    judged = judge(ranked, Question("?", "2hop", ("p1", "p2")))

    names = ("recall@2", "recall@5", "recall@10", "all@10")
    assert dict(zip(names, scores, strict=True)) == judged.scores


async def test_a_text_is_embedded_once() -> None:
    """All rows stand on the same vectors; a question's are apart."""
    inner = HashedEmbedder()
    asked: list[str] = []

    class Counting(HashedEmbedder):
        """Notes what it is asked for."""

        async def embed(self, texts: Sequence[str], **kind: Any) -> Any:
            """Embed as ever."""
            asked.extend(texts)
            return await inner.embed(texts, **kind)

    embedder = RememberingEmbedder(Counting())
    first = await embedder.embed(["a", "b", "a"])
    again = await embedder.embed(["b"])
    await embedder.embed(["b"], purpose="query")

    assert ["a", "b", "b"] == asked
    assert np.array_equal(first[1], again[0])


def vectors(texts: Sequence[str]) -> Any:
    """Return unit vectors: a text points where its first word does."""
    axes = {"journal": 0, "ember": 1, "ruth": 2, "rain": 3, "hill": 4}
    rows = np.zeros((len(texts), 6), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        row[axes.get(text.lower().split()[0], 5)] = 1.0
    return rows


def test_pagerank_reaches_the_passage_two_links_away() -> None:
    """From the ends of the nearest triples; what no link leads to comes last."""
    passages = vectors(["Journal", "Rain", "Ember"])
    triples = {
        0: [("Journal of Kilns", "printed by", "Ember House")],
        1: [("rain", "fell on", "hill")],
        2: [("ember  house", "founded by", "Ruth Vale")],
    }
    graph = PhraseGraph(passages, triples, vectors)

    ranked = graph.rank(vectors(["journal"])[0], 3)

    assert [0, 2, 1] == ranked


def test_names_that_mean_the_same_are_linked() -> None:
    """A cosine of .8 or more joins two spellings."""
    passages = vectors(["journal", "x", "x"])
    told = {0: [("Journal", "of", "Ruth")], 2: [("ruth vale", "sings", "hill")]}
    graph = PhraseGraph(passages, told, vectors)

    ranked = graph.rank(vectors(["journal"])[0], 3)

    assert [0, 2, 1] == ranked


def test_the_folder_is_an_option() -> None:
    """And has no default: no data is part of the project."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)

    assert Path("somewhere") == parser.parse_args(["--data", "somewhere"]).data
