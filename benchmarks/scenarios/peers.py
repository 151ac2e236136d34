"""graphmem beside graphiti-core and neo4j-graphrag: same server, vectors and given extraction.

Each library is used as its own documentation says (benchmarks/peers). Recall is measured on
conversations of LoCoMo, with the data's observations as facts and its entities as names; speed
on a made-up owner (benchmarks/made_up.py), whose every turn states a fact. Vectors are made
before, so that no time holds an embedding; each question goes to every system in turn. No
language model takes part: graphiti's recipes that end in a reranker model are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import names_of
from benchmarks.made_up import MadeUpEmbedder, MadeUpScope
from benchmarks.metrics import Judged, judge, mean_scores, percentile
from benchmarks.opening import new_prefix, open_memory
from benchmarks.peers.corpus import Corpus, Peer, Search, SharedVectors, of_scope, of_talk
from benchmarks.peers.graphiti import GraphitiPeer
from benchmarks.peers.graphrag import GraphragPeer
from benchmarks.progress import progress_line, shown
from benchmarks.report import Report, spread
from benchmarks.talks import load_talk, read_talks, talks_digest

if TYPE_CHECKING:
    from graphmem import GraphMemory
    from graphmem.config import Settings
    from graphmem.embed import Embedder

__all__ = ["add_arguments", "run"]

_EXTRACTION = "observations+entities"
_LIMIT = 10
# Deep enough for frac@20 and for five sessions; speed is measured with _LIMIT.
_DEPTH = 20
_SEED = 11
_DIMENSIONS = 384


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this scenario."""
    parser.add_argument("--data", type=Path, help="LoCoMo's folder; without it only speed")
    parser.add_argument(
        "--conversations", default="conv-26,conv-41,conv-47", help="names, separated by commas"
    )
    parser.add_argument("--facts", type=int, default=10_000, help="of the made-up owner; 0 = none")
    parser.add_argument("--recalls", type=int, default=60, help="timed ones of each system")
    # A server's compiler has not seen enough after thirty: graphmem took 68 ms then, and 39 later.
    parser.add_argument("--warm", type=int, default=120, help="untimed ones before them")


def run(chosen: argparse.Namespace, report: Report) -> None:
    """Measure recall, then speed."""
    versions: dict[str, str] = {}
    if chosen.data is not None:
        _recall(chosen, report)
        versions |= report.versions
    if chosen.facts:
        _speed(chosen, report)
    report.versions = {**versions, **report.versions}


def _recall(chosen: argparse.Namespace, report: Report) -> None:
    from graphmem.config import Settings
    from graphmem.embed import create_embedder

    settings = Settings.from_env()

    def make() -> Embedder:
        embedder = create_embedder(settings)
        assert embedder is not None, "recall needs an embedder: GRAPHMEM_EMBEDDING_MODEL says none"
        return embedder

    vectors = SharedVectors(make)
    talks = read_talks(chosen.data, _EXTRACTION, names_of(chosen.conversations))
    report.data_sha256 = talks_digest(chosen.data, _EXTRACTION)
    corpora = [of_talk(talk) for talk in talks]
    asked = [question.text for talk in talks for question in talk.questions]
    vectors.learn([*asked, *_texts(corpora)], progress_line("vectors"))
    judged: dict[str, list[Judged]] = {}
    with open_memory(report, embedder=vectors) as memory, _peers(memory, vectors) as peers:
        _note_versions(report, peers)
        for talk, corpus in zip(talks, corpora, strict=True):
            loaded = load_talk(memory, talk, _EXTRACTION, scope=f"{memory.scope}/{talk.name}")
            for peer in peers:
                peer.load(corpus)
            searches = {
                "graphmem": _graphmem(loaded.memory, loaded.ids),
                **_by_name(peers, corpus),
            }
            for question in shown(talk.questions, talk.name):
                for system, search in searches.items():
                    ranked = search(question.text, _DEPTH)
                    found = judge(ranked, question.evidence, talk.session, question.category)
                    judged.setdefault(system, []).append(found)
    report.tables["recall on LoCoMo"] = {
        system: {**mean_scores(scores), "n": len(scores)} for system, scores in judged.items()
    }
    best = max(scores["frac@10"] for name, scores in _means(judged).items() if "graphiti" in name)
    ours = _means(judged)["graphmem"]["frac@10"]
    report.notes.append(f"frac@10: graphmem {ours:.3f}, graphiti's best recipe {best:.3f}")


def _speed(chosen: argparse.Namespace, report: Report) -> None:
    from graphmem.config import Settings
    from graphmem.embed import create_embedder

    scope = MadeUpScope("owner", 0, chosen.facts, seed=_SEED)
    corpus = of_scope(scope)
    asked = [one.text for one in scope.questions(chosen.warm + chosen.recalls)]
    # Under the name of the embedder of the environment, since the store knows that one.
    called = create_embedder(Settings.from_env())
    width = (called.dimensions if called else None) or _DIMENSIONS
    vectors = SharedVectors(lambda: MadeUpEmbedder(width), called=called)
    vectors.learn([*asked, *corpus.texts()])
    with open_memory(report, embedder=vectors) as memory, _peers(memory, vectors) as peers:
        _note_versions(report, peers)
        owner = memory.scoped(f"{memory.scope}/owner")
        rates: dict[str, dict[str, float | int | str | None]] = {}
        started = time.perf_counter()
        owner.add_turns(scope.drafts(), progress=progress_line("graphmem, turns"), wait=True)
        owner.flush()
        rates["graphmem"] = _rate(corpus, started)
        for peer in peers:
            started = time.perf_counter()
            peer.load(corpus)
            rates[peer.name] = _rate(corpus, started)
        report.tables["turns a second, with their vectors"] = rates
        searches = {"graphmem": _graphmem(owner, {}), **_by_name(peers, corpus)}
        times = _timed(searches, asked, chosen.warm)
    title = f"milliseconds a search at {corpus.facts} facts of one owner"
    ours = percentile(times["graphmem"], 50)
    report.tables[title] = {
        system: {**spread(values), "to_graphmem": round(percentile(values, 50) / ours, 1)}
        for system, values in times.items()
    }


def _timed(
    searches: Mapping[str, Search], asked: Sequence[str], warm: int
) -> dict[str, list[float]]:
    """Return the milliseconds of each system, asked in turn."""
    times: dict[str, list[float]] = {system: [] for system in searches}
    for place, question in enumerate(shown(asked, "asked")):
        for system, search in searches.items():
            started = time.perf_counter()
            search(question, _LIMIT)
            if place >= warm:
                times[system].append((time.perf_counter() - started) * 1000)
    return times


@contextmanager
def _peers(memory: GraphMemory, vectors: SharedVectors) -> Iterator[list[Peer]]:
    settings: Settings = memory.settings
    if settings.neo4j_uri is None:
        from graphmem.server import managed_settings

        settings = managed_settings(settings)
    prefix = new_prefix()
    peers: list[Peer] = []
    try:
        peers.append(GraphitiPeer(settings, vectors, prefix))
        peers.append(GraphragPeer(settings, vectors, prefix))
        yield peers
    finally:
        for peer in peers:
            peer.close()


def _graphmem(memory: GraphMemory, ids: Mapping[str, str]) -> Search:
    def search(question: str, limit: int) -> Sequence[str]:
        hits = memory.recall(question, limit=limit).turns
        return [ids.get(hit.turn.id, hit.turn.id) for hit in hits]

    return search


def _by_name(peers: Sequence[Peer], corpus: Corpus) -> dict[str, Search]:
    return {
        f"{peer.name} {way}": search
        for peer in peers
        for way, search in peer.searches(corpus).items()
    }


def _note_versions(report: Report, peers: Sequence[Peer]) -> None:
    report.versions = {**report.versions, **{peer.name: peer.version for peer in peers}}


def _texts(corpora: Sequence[Corpus]) -> Iterator[str]:
    for corpus in corpora:
        yield from corpus.texts()


def _means(judged: Mapping[str, Sequence[Judged]]) -> dict[str, dict[str, float]]:
    return {system: dict(mean_scores(scores)) for system, scores in judged.items()}


def _rate(corpus: Corpus, started: float) -> dict[str, float | int | str | None]:
    seconds = time.perf_counter() - started
    return {"rate": round(len(corpus.items) / seconds, 1), "turns": len(corpus.items)}
