"""The synchronous memory has the methods of the asynchronous one, to the letter."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from graphmem import (
    AsyncGraphMemory,
    AsyncProcedural,
    AsyncSemantic,
    GraphMemory,
    Procedural,
    Semantic,
)
from graphmem.explanation import AsyncRecall
from graphmem.memory import AsyncReceipt
from graphmem.sync import SyncReceipt
from graphmem.sync.communities import SyncCommunities
from graphmem.sync.decay import SyncDecay
from graphmem.sync.recall import SyncRecall
from graphmem.sync.terms import SyncTerms
from graphmem.sync.traces import SyncTraces
from graphmem.tiers.communities import AsyncCommunities
from graphmem.tiers.decay import AsyncDecay
from graphmem.tiers.terms import AsyncTerms
from graphmem.tiers.traces import AsyncTraces

# Each loop has its own word for the same thing.
_SAME = {
    "AsyncReceipt": "SyncReceipt",
    "AsyncRecall": "SyncRecall",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
}
# Only an asynchronous program has asynchronous iterables.
_ONLY_ASYNC = " | AsyncIterable[TurnDraft | Mapping[str, Any]]"


def public(cls: type) -> dict[str, Any]:
    """Return the public members of a class by name."""
    return {name: member for name, member in vars(cls).items() if not name.startswith("_")}


def signature(member: Any) -> str:
    """Return a member's signature, in the words of the synchronous side."""
    function = member.__func__ if isinstance(member, classmethod) else member
    told = str(inspect.signature(function)).replace(_ONLY_ASYNC, "")
    for ours, theirs in _SAME.items():
        told = told.replace(ours, theirs)
    return told


PAIRS = [
    (AsyncGraphMemory, GraphMemory),
    (AsyncReceipt, SyncReceipt),
    (AsyncRecall, SyncRecall),
    (AsyncSemantic, Semantic),
    (AsyncProcedural, Procedural),
    (AsyncTerms, SyncTerms),
    (AsyncTraces, SyncTraces),
    (AsyncCommunities, SyncCommunities),
    (AsyncDecay, SyncDecay),
]
METHODS = [
    (ours, theirs, name)
    for ours, theirs in PAIRS
    for name, member in public(ours).items()
    if not isinstance(member, property)
    and name not in ("of", "model_config")
    and (callable(member) or isinstance(member, classmethod))
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_both_have_the_same_names(ours: type, theirs: type) -> None:
    """No method is on one side only."""
    assert public(ours).keys() == public(theirs).keys()


@pytest.mark.parametrize(("ours", "theirs", "name"), METHODS)
def test_a_method_takes_and_gives_the_same(ours: type, theirs: type, name: str) -> None:
    """Parameters, defaults and return types agree."""
    assert signature(public(ours)[name]) == signature(public(theirs)[name])


@pytest.mark.parametrize(("ours", "theirs", "name"), METHODS)
def test_a_method_is_told_in_the_same_words(ours: type, theirs: type, name: str) -> None:
    """The first lines of the docstrings agree."""
    first, second = (
        (inspect.getdoc(getattr(cls, name)) or "").splitlines()[0] for cls in (ours, theirs)
    )

    assert first == second
