"""The caretaker: when a scope is due, and that nothing it runs into ends it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from types import SimpleNamespace

import pytest

from graphmem import caretaker as caretaker_module
from graphmem.caretaker import Caretaker
from graphmem.config import Settings
from graphmem.errors import MaintenanceBusy, StoreError
from graphmem.live_settings import SettingsHolder


class Ticks:
    """Counts ticks, and lets a test wait for them."""

    def __init__(self) -> None:
        self.scopes: list[str] = []
        self.facts = 0
        self.takes_s = 0.0
        self.fails_with: Exception | None = None
        self.may_begin = asyncio.Event()
        self.may_begin.set()

    async def tick(self, scope: str) -> None:
        """Note a tick; fail where the test wants it."""
        fault = self.fails_with
        self.scopes.append(scope)
        await asyncio.sleep(self.takes_s)
        if fault is not None:
            raise fault

    async def size(self, scope: str) -> int:
        """Return how many facts the test says there are."""
        return self.facts if scope else 0

    async def until_idle(self) -> None:
        """Wait until the test lets the queue be empty."""
        await self.may_begin.wait()

    async def until(self, count: int) -> list[str]:
        """Return the scopes of the ticks, once there are so many."""
        async with asyncio.timeout(5):
            while len(self.scopes) < count:
                await asyncio.sleep(0.001)
        return self.scopes


Open = Callable[..., Awaitable[tuple[Caretaker, Ticks]]]


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    """Makes caretakers with settings, and closes them."""
    made: list[Caretaker] = []

    async def make(**settings: object) -> tuple[Caretaker, Ticks]:
        ticks = Ticks()
        holder = SettingsHolder(Settings(**{"maintenance_every_h": 0, **settings}))
        made.append(
            Caretaker(holder, tick=ticks.tick, size=ticks.size, until_idle=ticks.until_idle)
        )
        return made[-1], ticks

    yield make
    for one in made:
        await one.close()


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_scope_is_due_after_so_many_turns(opened: Open) -> None:
    """Not before, and its count begins anew then."""
    caretaker, ticks = await opened(maintenance_interval=3)

    caretaker.note("a", 2)
    caretaker.note("b", 2)
    await settle()
    assert [] == ticks.scopes
    caretaker.note("a", 1)
    assert ["a"] == await ticks.until(1)
    caretaker.note("a", 2)
    await settle()
    assert ["a"] == ticks.scopes
    caretaker.note("a", 1)
    assert ["a", "a"] == await ticks.until(2)


async def test_it_waits_until_nothing_else_is_to_be_done(opened: Open) -> None:
    """A bulk load comes first, and counts as one."""
    caretaker, ticks = await opened(maintenance_interval=1)
    ticks.may_begin.clear()

    for _ in range(5):
        caretaker.note("a", 10)
        await settle()
    assert [] == ticks.scopes
    ticks.may_begin.set()
    await ticks.until(1)
    await settle()

    assert ["a"] == ticks.scopes


async def test_a_load_without_end_does_not_keep_it_for_ever(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No scope would ever be cleaned, though the load may be of another one."""
    monkeypatch.setattr(caretaker_module, "_MOST_WAIT_S", 0.01)
    caretaker, ticks = await opened(maintenance_interval=1)
    ticks.may_begin.clear()

    caretaker.note("a", 1)
    caretaker.note("b", 1)

    assert ["a", "b"] == await ticks.until(2)


async def test_what_met_another_run_stays_due(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one may do a part alone, or take something back; once is enough then."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    caretaker, ticks = await opened(maintenance_interval=3)
    ticks.fails_with = MaintenanceBusy("busy")

    caretaker.note("a", 3)
    await ticks.until(2)
    ticks.fails_with = None
    tried = len(ticks.scopes)
    await ticks.until(tried + 1)
    caretaker.note("a", 2)
    await asyncio.sleep(0.1)

    assert ["a"] * (tried + 1) == ticks.scopes


async def test_the_clock_goes_on_where_another_run_was_met(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not begin anew: a day would pass until the next one."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    began = time.monotonic()
    clock = SimpleNamespace(monotonic=lambda: began)
    monkeypatch.setattr(caretaker_module, "time", clock)
    caretaker, ticks = await opened(maintenance_interval=0, maintenance_every_h=1)
    ticks.fails_with = MaintenanceBusy("busy")

    caretaker.note("a", 1)
    clock.monotonic = lambda: began + 3700
    await ticks.until(1)
    await settle()
    clock.monotonic = lambda: began + 3800

    assert ["a", "a"] == (await ticks.until(2))[:2]


async def test_it_does_not_ask_again_and_again_for_a_scope_that_is_held(opened: Open) -> None:
    """Being refused takes no time, so that a rest by that time alone would be none."""
    caretaker, ticks = await opened(maintenance_interval=1)
    ticks.fails_with = MaintenanceBusy("busy")

    caretaker.note("a", 1)
    await ticks.until(1)
    caretaker.note("a", 1)
    await asyncio.sleep(0.1)

    assert ["a"] == ticks.scopes


@pytest.mark.parametrize(
    "fault",
    [StoreError("away"), RuntimeError("odd")],
    ids=lambda fault: type(fault).__name__,
)
async def test_a_fault_does_not_end_it(opened: Open, fault: Exception) -> None:
    """The next time it is tried again."""
    caretaker, ticks = await opened(maintenance_interval=1)
    ticks.fails_with = fault
    caretaker.note("a", 1)
    await ticks.until(1)

    ticks.fails_with = None
    caretaker.note("a", 1)

    assert ["a", "a"] == await ticks.until(2)


async def test_a_scope_rests_after_a_long_tick(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Upkeep of a large scope would else take all of the time."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    monkeypatch.setattr(caretaker_module, "_REST", 20.0)
    caretaker, ticks = await opened(maintenance_interval=1)
    ticks.takes_s = 0.02

    started = time.monotonic()
    while len(ticks.scopes) < 2:
        caretaker.note("a", 1)
        await asyncio.sleep(0.005)

    assert time.monotonic() - started > 0.4


async def test_it_rests_whatever_the_clock_says(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What makes a scope due is one thing, and how much of the time upkeep takes another."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    monkeypatch.setattr(caretaker_module, "_REST", 20.0)
    caretaker, ticks = await opened(maintenance_interval=0, maintenance_every_h=0.02 / 3600)
    ticks.takes_s = 0.02

    started = time.monotonic()
    caretaker.note("a", 1)
    await ticks.until(2)

    assert time.monotonic() - started > 0.4


async def test_it_can_be_off(opened: Open) -> None:
    """Then nothing runs in the background."""
    caretaker, ticks = await opened(maintenance_interval=0)

    caretaker.note("a", 1000)
    await settle()

    assert [] == ticks.scopes


async def test_a_scope_is_due_by_the_clock(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few turns came."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    caretaker, ticks = await opened(maintenance_interval=0, maintenance_every_h=0.02 / 3600)

    caretaker.note("a", 1)

    assert ["a"] == (await ticks.until(1))[:1]


async def test_a_scope_is_due_past_a_size(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """At most once an hour, and only where turns came."""
    monkeypatch.setattr(caretaker_module, "_LOOK_S", 0.01)
    monkeypatch.setattr(caretaker_module, "_HOUR_S", 0.05)
    caretaker, ticks = await opened(maintenance_interval=0, maintenance_size=100)

    ticks.facts = 100
    caretaker.note("a", 1)
    await asyncio.sleep(0.2)
    assert [] == ticks.scopes
    ticks.facts = 101
    await ticks.until(1)
    await asyncio.sleep(0.2)

    assert ["a"] == ticks.scopes
