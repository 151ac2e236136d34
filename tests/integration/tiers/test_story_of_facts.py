"""Any story of stating, superseding, forgetting and restoring ends as a plain list says it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar
from uuid import uuid4

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from graphmem import GraphMemory, Settings
from graphmem.clock import OPEN_TO
from graphmem.testing import FrozenClock
from tests.integration.tiers.conftest import day

CITIES = ("Ulm", "Bonn", "Graz")
HOUR = timedelta(hours=1)


@dataclass(slots=True)
class Home:
    """A fact as the plain list has it."""

    id: str
    city: str
    start: datetime
    end: datetime = OPEN_TO
    status: str = "active"
    before: str = ""

    def holds(self, at: datetime) -> bool:
        """Return whether it is told of an instant."""
        return self.status in ("active", "superseded") and self.start <= at < self.end


class Homes(RuleBasedStateMachine):
    """Iris and where she lives."""

    memory: ClassVar[GraphMemory]
    clock: ClassVar[FrozenClock]

    def __init__(self) -> None:
        super().__init__()
        self.facts = self.memory.scoped(f"test/{uuid4().hex}").semantic
        self.homes: list[Home] = []
        self.began = self.clock.now()
        self.cities = 0

    @property
    def live(self) -> list[Home]:
        """Homes that hold now."""
        return [home for home in self.homes if home.status == "active"]

    @contextmanager
    def step(self) -> Iterator[datetime]:
        """An hour later something happens, and everything is as the list says."""
        now = self.clock.advance(HOUR)
        yield now
        told = {fact.id for fact in self.facts.list()}
        assert {home.id for home in self.homes if home.holds(now)} == told
        stored = {fact.id: fact for fact in self.facts.list(status="all")}
        assert {home.id: home.status for home in self.homes} == {
            fact.id: fact.status for fact in stored.values()
        }

    @rule(city=st.sampled_from(CITIES))
    def remember(self, city: str) -> None:
        """It is known, told again, or new and the end of what held."""
        with self.step() as now:
            known = [home for home in self.live if home.city == city]
            told_again = [
                home
                for home in self.homes
                if home.city == city and home.status == "forgotten" and home.end == OPEN_TO
            ]
            fact = self.facts.remember(f"Iris lives in {city}.")
            if known:
                assert known[0].id == fact.id
            elif told_again and not self.live:
                (revived,) = [home for home in told_again if home.id == fact.id]
                revived.status = "active"
            else:
                self._succeed(fact.id, city, now)

    @precondition(lambda self: self.live)
    @rule()
    def supersede(self) -> None:
        """A home that was never told before takes the place of the one that holds."""
        with self.step() as now:
            self.cities += 1
            city = f"Town{self.cities}"
            done = self.facts.supersede(self.live[0].id, f"Iris lives in {city}.", "moved")
            self._succeed(done.fact.id, city, now)

    @precondition(lambda self: any(home.status != "forgotten" for home in self.homes))
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        """It is told no longer, of no instant."""
        with self.step():
            known = [home for home in self.homes if home.status != "forgotten"]
            home = data.draw(st.sampled_from(known))
            self.facts.forget(home.id, "a test")
            home.before, home.status = home.status, "forgotten"

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """It is what it was, where nothing else holds by now."""
        gone = [
            home
            for home in self.homes
            if home.status == "forgotten" and (home.before == "superseded" or not self.live)
        ]
        if gone:
            with self.step():
                home = data.draw(st.sampled_from(gone))
                self.facts.restore(home.id)
                home.status = home.before

    @rule(hours=st.integers(0, 20))
    def look_back(self, hours: int) -> None:
        """as_of tells what the list tells of that instant."""
        at = max(self.began, self.clock.now() - hours * HOUR)
        found = self.facts.search("where does Iris live", as_of=at, limit=50)
        expected = {home.id for home in self.homes if home.holds(at)}
        assert expected == {hit.fact.id for hit in found}

    def _succeed(self, fact_id: str, city: str, now: datetime) -> None:
        for home in self.live:
            home.end, home.status = now, "superseded"
        assert fact_id not in {home.id for home in self.homes}
        self.homes.append(Home(fact_id, city, now))


def test_any_story_of_homes_ends_as_it_should(store_settings: Settings) -> None:
    """One home at a time, whatever is stated, forgotten and restored in which order."""
    clock = FrozenClock(day(6))
    changes = {"embedding_model": "none"}
    few = settings(
        max_examples=15,
        stateful_step_count=15,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )

    with GraphMemory.open(store_settings.model_copy(update=changes), clock=clock) as memory:
        machine = type("Told", (Homes,), {"memory": memory, "clock": clock})
        run_state_machine_as_test(machine, settings=few)  # type: ignore[no-untyped-call]  # bare
