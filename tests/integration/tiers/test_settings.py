"""Settings of the conflict pipeline: hot ones hold from now on, wrong ones are told."""

from __future__ import annotations

import logging

import pytest

from graphmem import AsyncGraphMemory, ConfigError, DecisionKind, Stage
from graphmem.conflict import Family, define_locale_pack
from graphmem.graph.conflict import resolve
from graphmem.testing import FrozenClock, HashedEmbedder
from tests.integration.tiers.conftest import Configure


async def kind_of(memory: AsyncGraphMemory, clock: FrozenClock, *texts: str) -> str:
    """State one after the other; return what became of the last one."""
    for text in texts:
        clock.advance(60)
        done = await memory.semantic.remember_with_decision(text)
    return str(done.decision.kind)


async def test_a_pipeline_that_is_off_writes_straight_through_and_warns_once(
    memory: AsyncGraphMemory,
    clock: FrozenClock,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both homes stand, each decision says why, and one line tells it for the whole process."""
    monkeypatch.setattr(resolve._Warned, "is_done", False)
    await memory.configure(conflict_mode="off")

    with caplog.at_level(logging.WARNING, logger="graphmem"):
        await kind_of(memory, clock, "Iris lives in Ulm.", "Iris moved to Bonn.", "Iris is 40.")

    assert 3 == len(await memory.semantic.list())
    assert {Stage.OFF} == {one.stage for one in await memory.semantic.conflicts()}
    assert 1 == len([line for line in caplog.records if "conflict.off" in line.message])


async def test_a_predicate_is_functional_from_the_moment_the_caller_says_so(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Before that both stand; afterwards the next one ends the one before it."""

    async def says(what: str) -> str:
        clock.advance(60)
        done = await memory.semantic.remember_with_decision(
            f"Guild chairs {what}", subject="Guild", predicate="chairs", object=what
        )
        return str(done.decision.kind)

    await says("the fair")
    before = await says("the market")

    await memory.configure(functional_predicates=["chairs"])
    after = await says("the parade")

    assert (DecisionKind.PENDING, DecisionKind.SUPERSEDE) == (before, after)


async def test_zones_are_those_of_the_moment(memory: AsyncGraphMemory, clock: FrozenClock) -> None:
    """What nearly says the same is the same where the caller sets the threshold lower."""
    texts = ("The heating hums at night", "The heating makes noise at night")
    other = ("A kettle sings at noon", "A kettle makes music at noon")
    before = await kind_of(memory, clock, *texts)

    await memory.configure(conflict_thresholds={"hot": 0.6, "near_dup": 0.5, "cold": 0.4})
    after = await kind_of(memory, clock, *other)

    assert (DecisionKind.PENDING, DecisionKind.DEDUP) == (before, after)


async def test_hot_alone_decides_where_the_caller_wants_graphorin_s_letter(
    memory: AsyncGraphMemory, clock: FrozenClock
) -> None:
    """Guarded, a number keeps two statements apart; always, nearness is all."""
    words = " ".join(f"word{n}" for n in range(40))
    guarded = await kind_of(memory, clock, f"{words} 12 jars", f"{words} 13 jars")

    await memory.configure(conflict_hot="always")
    always = await kind_of(memory, clock, f"{words} 14 jars")

    assert DecisionKind.DEDUP != guarded
    assert DecisionKind.DEDUP == always


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"conflict_locales": ("en", "tlh")}, "tlh"),
        ({"functional_predicates": ("likes",), "multi_predicates": ("enjoys",)}, "likes"),
    ],
)
async def test_a_wrong_setting_is_told_when_a_memory_is_opened(
    settings_with: Configure, embedder: HashedEmbedder, wrong: dict[str, object], told: str
) -> None:
    """Not with the first statement."""
    with pytest.raises(ConfigError, match=told):
        await AsyncGraphMemory.open(settings_with(**wrong), embedder=embedder)


async def test_a_language_of_the_caller_s_is_read(
    settings_with: Configure, embedder: HashedEmbedder, clock: FrozenClock
) -> None:
    """A pack that is given to open() splits sentences that no shipped one splits."""
    pack = define_locale_pack(
        "it", families=[Family("lives_in", phrases=("abita a",), cardinality="functional")]
    )
    texts = ("Iris abita a Roma.", "Iris abita a Torino.")
    async with await AsyncGraphMemory.open(
        settings_with(), embedder=embedder, clock=clock
    ) as memory:
        without = await kind_of(memory, clock, *texts)

    async with await AsyncGraphMemory.open(
        settings_with(scope=f"{settings_with().scope}/it"),
        embedder=embedder,
        clock=clock,
        locale_packs=[pack],
    ) as memory:
        with_pack = await kind_of(memory, clock, *texts)

    assert DecisionKind.SUPERSEDE != without
    assert DecisionKind.SUPERSEDE == with_pack
