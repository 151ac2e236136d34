"""An open memory in a scope of its own, and a picture of everything in a scope."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import AsyncGraphMemory, GraphMemory
from graphmem.cli import cleaning, communities, decay, maintain, procedures, runs
from graphmem.cli.root import run
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.conftest import Ask, Configure

Picture = Callable[[AsyncGraphMemory], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed for programs."""
        assert 0 == self.code, self.err
        return json.loads(self.out)


Shell = Callable[..., Printed]


@pytest.fixture
def clock() -> FrozenClock:
    """Time stands still unless a test moves it."""
    return FrozenClock(datetime(2026, 6, 1, tzinfo=UTC))


@pytest.fixture
async def memory(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> AsyncIterator[AsyncGraphMemory]:
    """A memory without a model."""
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, clock=clock
    ) as opened:
        yield opened


@pytest.fixture
def opened(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> Callable[..., GraphMemory]:
    """Open the memory of this test, as commands do."""

    def open_memory(_: str | None = None) -> GraphMemory:
        return GraphMemory.open(settings_with(), embedder=embedder, clock=clock)

    return open_memory


@pytest.fixture
def shell(
    opened: Callable[..., GraphMemory],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    """Run a command on the shared server, on a terminal eighty columns wide."""
    monkeypatch.setenv("COLUMNS", "80")
    for module in (cleaning, communities, decay, maintain, procedures, runs):
        monkeypatch.setattr(module, "open_memory", opened)

    def command(*arguments: str) -> Printed:
        code = run([*arguments])
        told = capsys.readouterr()
        return Printed(code, told.out, told.err)

    return command


@pytest.fixture
def picture(ask: Ask) -> Picture:
    """All nodes of a scope with their properties and all its relationships; receipts left out.

    Taken when the background has given it the vectors that it owed.
    """

    async def take(memory: AsyncGraphMemory) -> dict[str, Any]:
        await memory.flush()
        nodes = await ask(
            "MATCH (n) WHERE n.scope = $scope AND NOT n:MaintenanceRun "
            "RETURN labels(n) AS labels, properties(n) AS props ORDER BY labels(n)[0], n.id",
            scope=memory.scope,
        )
        links = await ask(
            "MATCH (n)-[r]->(m) WHERE n.scope = $scope AND NOT n:MaintenanceRun "
            "RETURN n.id AS start, type(r) AS type, properties(r) AS props, m.id AS end "
            "ORDER BY n.id, type(r), m.id",
            scope=memory.scope,
        )
        return {"nodes": nodes, "links": links}

    return take


async def decide(ask: Ask, scope: str, decided: Mapping[str, tuple[str, str]]) -> None:
    """Let the fact `new` supersede `old`, and make decisions about others.

    Args:
        ask: Of the server.
        scope: Where the facts are.
        decided: The relationship that a decision has to a fact, and its state, by the fact's id.
    """
    await ask(
        "MATCH (new:Fact {scope: $scope, id: 'new'}), (old:Fact {scope: $scope, id: 'old'}) "
        "CREATE (new)-[:SUPERSEDES]->(old)",
        scope=scope,
    )
    for key, (link, state) in decided.items():
        await ask(
            "MATCH (f:Fact {scope: $scope, id: $id}) CREATE "
            "(:Decision {scope: $scope, id: 'd' + $id, state: $state})-[:$($link)]->(f)",
            scope=scope,
            id=key,
            state=state,
            link=link,
        )
