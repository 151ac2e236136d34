"""Questions whose answer lies in several passages; a passage is a turn.

The folder holds `corpus` and `questions`, and where a model made triples of the passages
`openie_gpt35`, each as .jsonl or .jsonl.gz; benchmarks/README.md lists their fields. The triples
are given as the extraction of their passages; without them the local extractor works.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.bm25 import Bm25
from benchmarks.data import add_data_argument, data_digest, read_lines
from benchmarks.hipporag import PhraseGraph
from benchmarks.metrics import Judged, fraction_at, is_all_at, mean_scores
from benchmarks.opening import LOADED_BEFORE, add_prefix_argument, open_memory
from benchmarks.progress import progress_line, shown
from benchmarks.report import Report, spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphmem import GraphMemory
    from graphmem.embed import Embedder, Purpose

    Vectors = NDArray[np.float32]

__all__ = ["Corpus", "RememberingEmbedder", "add_arguments", "ask", "load", "read_data", "run"]

_DEPTHS = (2, 5, 10)
_DEPTH = 20
_TRIPLE_PARTS = 3
_WARM = 20
# What is longer is no name: such a triple is given as a sentence.
_LONGEST_NAME = 300


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the passages that it takes to answer it."""

    text: str
    category: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Corpus:
    """Passages with their triples, and what is asked of them.

    Attributes:
        passages: (title, text) by id.
        triples: By passage; empty where the set has none.
        dropped: Raw triples that do not have three parts.
    """

    passages: dict[str, tuple[str, str]] = field(default_factory=dict)
    triples: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    dropped: int = 0


class RememberingEmbedder:
    """An embedder that embeds each text once, so that all rows stand on the same vectors."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        self._known: dict[tuple[str, str], Vectors] = {}
        self.provider, self.model = inner.provider, inner.model
        self.dimensions = inner.dimensions
        self.batch_texts: int = getattr(inner, "batch_texts", 64)

    async def embed(self, texts: Sequence[str], *, purpose: Purpose = "document") -> Vectors:
        """Return a unit row for each text."""
        import numpy as np

        missing = [text for text in dict.fromkeys(texts) if (purpose, text) not in self._known]
        if missing:
            rows = await self._inner.embed(missing, purpose=purpose)
            self._known.update({(purpose, t): row for t, row in zip(missing, rows, strict=True)})
        return np.stack([self._known[purpose, text] for text in texts])

    def at_once(self, texts: Sequence[str], purpose: Purpose = "document") -> Vectors:
        """Return the same for a caller without an event loop."""
        return asyncio.run(self.embed(texts, purpose=purpose))

    async def close(self) -> None:
        """Let go of the embedder's threads."""
        await self._inner.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what can be chosen on the command line."""
    add_data_argument(parser)
    add_prefix_argument(parser)


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Load the passages, ask the questions, and put what was found into the report."""
    from graphmem import Settings
    from graphmem.embed import create_embedder

    corpus = read_data(chosen.data)
    report.data_sha256 = data_digest(chosen.data, _files(chosen.data))
    report.options = {
        **report.options,
        "extraction": "given" if corpus.triples else "local",
        "passages": len(corpus.passages),
        "triples": sum(len(found) for found in corpus.triples.values()),
        "triples_left_out": corpus.dropped,
    }
    inner = create_embedder(Settings.from_env())
    if inner is None:
        raise SystemExit("multihop stands beside rows of vectors: it needs an embedder")
    embedder = RememberingEmbedder(inner)
    with open_memory(report, embedder=embedder, prefix=chosen.prefix) as memory:
        ids = load(memory, corpus, report)
        if chosen.prefix:
            # What was there already was not loaded in that time.
            del report.figures["load"]
            report.notes.append(LOADED_BEFORE)
        ask(memory, corpus, ids, embedder, report)


def read_data(folder: Path) -> Corpus:
    """Return the passages, triples and questions of a folder.

    Raises:
        SystemExit: A file is missing.
    """
    corpus = Corpus()
    for line in read_lines(folder, "corpus"):
        corpus.passages[line["id"]] = (line["title"], line["text"])
    for line in read_lines(folder, "openie_gpt35") if "openie_gpt35" in _files(folder) else ():
        for triple in line["triples"]:
            parts = [str(part).strip() for part in triple] if isinstance(triple, list) else []
            if len(parts) == _TRIPLE_PARTS and all(parts):
                corpus.triples.setdefault(line["id"], []).append((parts[0], parts[1], parts[2]))
            else:
                corpus.dropped += 1
    for line in read_lines(folder, "questions"):
        evidence = tuple(one for one in line["evidence"] if one in corpus.passages)
        if evidence:
            kind = str(line.get("type", ""))
            corpus.questions.append(Question(line["question"], kind, evidence))
    return corpus


def load(memory: GraphMemory, corpus: Corpus, report: Report) -> dict[str, str]:
    """Add every passage as a turn of a session of its own; return passage ids by turn id."""
    started = time.perf_counter()
    turns = [_turn(corpus, name) for name in corpus.passages]
    receipts = memory.add_turns(turns, wait=True, progress=progress_line("passages"))
    load_s = time.perf_counter() - started
    memory.flush()
    report.figures["load"] = {
        "turns": len(receipts),
        "seconds": round(load_s, 1),
        "seconds_with_vectors": round(time.perf_counter() - started, 1),
    }
    return {receipt.turn_id: name for receipt, name in zip(receipts, corpus.passages, strict=True)}


def ask(
    memory: GraphMemory,
    corpus: Corpus,
    ids: Mapping[str, str],
    embedder: RememberingEmbedder,
    report: Report,
) -> None:
    """Ask every question of graphmem and of the rows beside it."""
    names = list(corpus.passages)
    texts = [_text(*corpus.passages[name]) for name in names]
    bm25 = Bm25(names, texts)
    passages = embedder.at_once([_as_stored(text) for text in texts])
    places = {name: place for place, name in enumerate(names)}
    triples = {places[name]: found for name, found in corpus.triples.items()}
    graph = PhraseGraph(passages, triples, embedder.at_once) if triples else None
    for question in corpus.questions[:_WARM]:
        memory.recall(question.text)
    judged: dict[str, list[Judged]] = {}
    recall_ms = []
    for question in shown(corpus.questions, "questions"):
        query = embedder.at_once([question.text], "query")[0]
        found = memory.recall(question.text, limit=_DEPTH)
        parts = found.trace.timings_ms
        recall_ms.append(parts.get("total", 0.0) - parts.get("embed", 0.0))
        rankings = {
            "graphmem": [ids[hit.turn.id] for hit in found.turns],
            "bm25": bm25.rank(question.text, _DEPTH),
            "dense": [names[row] for row in (-(passages @ query)).argsort()[:_DEPTH]],
        }
        if graph is not None:
            rankings["pagerank"] = [names[row] for row in graph.rank(query, _DEPTH)]
        for system, ranked in rankings.items():
            judged.setdefault(system, []).append(judge(ranked, question))
    report.tables["passages"] = {name: mean_scores(scores) for name, scores in judged.items()}
    report.tables["recall, ms"] = {"graphmem": spread(recall_ms)}
    report.figures["questions"] = len(corpus.questions)


def judge(ranked: Sequence[str], question: Question) -> Judged:
    """Score one ranking: share of the passages in the top k, and whether all are in the ten."""
    scores = {f"recall@{depth}": fraction_at(ranked, question.evidence, depth) for depth in _DEPTHS}
    scores["all@10"] = float(is_all_at(ranked, question.evidence, 10))
    return Judged(question.category, scores)


def _turn(corpus: Corpus, name: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "question": _text(*corpus.passages[name]),
        "session_id": name,
        "turn_key": name,
    }
    if corpus.triples:
        triples = corpus.triples.get(name, ())
        named = [one for one in triples if max(len(one[0]), len(one[2])) <= _LONGEST_NAME]
        told = [{"text": " ".join(one)} for one in triples if one not in named]
        values["extraction"] = {"triples": named, "facts": told}
    return values


def _text(title: str, text: str) -> str:
    return f"{title}\n{text}"


def _as_stored(text: str) -> str:
    # The stored turn says who speaks.
    return f"user: {text}"


def _files(folder: Path) -> list[str]:
    triples = [folder / f"openie_gpt35.jsonl{ending}" for ending in ("", ".gz")]
    has_triples = any(path.is_file() for path in triples)
    return ["corpus", "questions", *(["openie_gpt35"] if has_triples else [])]
