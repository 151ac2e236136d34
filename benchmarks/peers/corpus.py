"""What every system is given: the same texts, names, facts and vectors."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.made_up import MadeUpScope
from benchmarks.talks import Talk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphmem.embed import Embedder

__all__ = ["Corpus", "Item", "ItemFact", "Peer", "Search", "SharedVectors", "of_scope", "of_talk"]

_BATCH = 64
# Rankings by the id of an item, best first; the last argument is how many are wanted.
Search = Callable[[str, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class ItemFact:
    """A statement between two names."""

    text: str
    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Item:
    """One turn.

    Attributes:
        id: The data's id of it.
        text: As "name: words" where somebody speaks.
        at: When.
        names: What it mentions, each once.
        facts: What it states.
    """

    id: str
    text: str
    at: datetime
    names: tuple[str, ...]
    facts: tuple[ItemFact, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Turns that belong to one owner."""

    name: str
    items: tuple[Item, ...]

    @property
    def facts(self) -> int:
        """How many facts it holds."""
        return sum(len(item.facts) for item in self.items)

    def texts(self) -> list[str]:
        """Return every text that some system wants a vector of, each once."""
        wanted: dict[str, None] = {}
        for item in self.items:
            wanted[item.text] = None
            wanted.update(dict.fromkeys(item.names))
            wanted.update(dict.fromkeys(fact.text for fact in item.facts))
        return list(wanted)


class Peer(Protocol):
    """A library that is measured.

    Attributes:
        name: As it stands in the tables.
        version: Of the library.
    """

    name: str
    version: str

    def load(self, corpus: Corpus) -> None:
        """Store a corpus as the library's own documentation says."""
        ...

    def searches(self, corpus: Corpus) -> Mapping[str, Search]:
        """Return its ways to search that corpus, the plainest one first."""
        ...

    def close(self) -> None:
        """Remove what was stored, and disconnect."""
        ...


class SharedVectors:
    """Vectors that are made once and used by every system; as graphmem's embedder, too.

    Args:
        make: Makes an embedder; each event loop gets its own.
        called: The embedder that these go by: a store takes vectors of one only.
    """

    def __init__(self, make: Callable[[], Embedder], *, called: Embedder | None = None) -> None:
        self._make = make
        self._embedder = make()
        self._known: dict[str, NDArray[np.float32]] = {}
        named = called or self._embedder
        self.provider = named.provider
        self.model = named.model
        self.dimensions = named.dimensions

    def learn(
        self, texts: Iterable[str], progress: Callable[[int, int | None], None] | None = None
    ) -> None:
        """Make the vectors of `texts`, so that nobody's time holds an embedding."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]

        async def make() -> None:
            embedder = self._make()
            for start in range(0, len(missing), _BATCH):
                batch = missing[start : start + _BATCH]
                rows = await embedder.embed(batch, purpose="document")
                self._known.update(zip(batch, rows, strict=True))
                if progress is not None:
                    progress(start + len(batch), len(missing))
            await embedder.close()

        asyncio.run(make())

    def row(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a text that was learned."""
        return self._known[text]

    def floats(self, text: str) -> list[float]:
        """Return the same as plain numbers."""
        found: list[float] = self._known[text].tolist()
        return found

    async def embed(
        self, texts: Sequence[str], *, purpose: str = "document"
    ) -> NDArray[np.float32]:
        """Return one row a text; what was not learned is embedded now."""
        import numpy as np

        del purpose
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            rows = await self._embedder.embed(missing, purpose="document")
            self._known.update(zip(missing, rows, strict=True))
        return np.stack([self._known[text] for text in texts])

    async def close(self) -> None:
        """Let go of the embedder."""
        await self._embedder.close()


def of_talk(talk: Talk) -> Corpus:
    """Return a conversation with its observations as facts and its entities as names.

    An observation has a speaker as its subject. Its object is the first name of the turn that
    stands in its text, else the other speaker: who links facts needs two ends.
    """
    speakers = list(dict.fromkeys(str(turn["speaker"]) for turn in talk.turns))
    return Corpus(
        talk.name,
        tuple(
            _item(talk, turn, text, speakers)
            for turn, text in zip(talk.turns, talk.texts, strict=True)
        ),
    )


def of_scope(scope: MadeUpScope) -> Corpus:
    """Return a made-up scope: a fact and about four names a turn."""
    items = []
    for draft in scope.drafts():
        found = draft["extraction"]
        facts = tuple(ItemFact(" ".join(triple), *triple) for triple in found["triples"])
        text = f"{draft['question']} {draft['answer']}"
        names = tuple(found["mentions"])
        items.append(Item(draft["turn_key"], text, draft["at"], names, facts))
    return Corpus(scope.name, tuple(items))


def _item(talk: Talk, turn: Mapping[str, Any], text: str, speakers: Sequence[str]) -> Item:
    speaker = str(turn["speaker"])
    names = list(dict.fromkeys([speaker, *talk.names.get(turn["id"], ())]))
    facts = []
    for fact in talk.facts.get(turn["id"], ()):
        subject = str(fact["speaker"])
        others = [name for name in (*names, *speakers) if name != subject]
        named = [name for name in others if _stands_in(name, fact["text"])]
        facts.append(ItemFact(str(fact["text"]), subject, "said", (named or others)[0]))
    ends = [end for fact in facts for end in (fact.subject, fact.object)]
    at = datetime.fromisoformat(turn["time"]).replace(tzinfo=UTC) + timedelta(seconds=turn["pos"])
    return Item(str(turn["id"]), text, at, tuple(dict.fromkeys([*names, *ends])), tuple(facts))


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) is not None
