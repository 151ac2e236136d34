"""The steps of an ablation."""

from __future__ import annotations

from benchmarks.ablation import SHIPPED, steps_of
from graphmem.config import Settings


def test_each_step_is_a_change_that_a_memory_takes() -> None:
    """All are hot settings in their range; the names of the rows differ."""
    shipped = Settings()
    steps = steps_of(shipped)

    for step in steps:
        Settings.checked(dict(step.settings))

    assert len(steps) == len({step.name for step in steps})


def test_parts_are_added_to_one_leg_until_all_are_on() -> None:
    """The first row has the text alone, the last one before what ships has every part and link."""
    shipped = Settings()
    steps = steps_of(shipped)
    first = steps[0].settings["recall_weights"]
    place = next(n for n, step in enumerate(steps) if step.name == SHIPPED)

    assert ["text"] == [part for part, weight in first.items() if weight]
    assert shipped.recall_weights == steps[place - 1].settings["recall_weights"]
    assert shipped.link_weights == steps[place - 1].settings["link_weights"]


def test_what_ships_changes_nothing() -> None:
    """Put back at the end, it leaves the settings as they were."""
    shipped = Settings(recall_weights={"graph": 0.7}, recall_value_weight=0.1)

    step = next(step for step in steps_of(shipped) if step.name == SHIPPED)

    assert shipped == Settings.checked(dict(step.settings))


def test_each_part_is_left_out_once() -> None:
    """The others keep the weights that ship."""
    shipped = Settings()

    left_out = {
        step.name: step.settings["recall_weights"]
        for step in steps_of(shipped)
        if step.name.startswith("without ")
    }

    assert {f"without {part}" for part in shipped.recall_weights} == set(left_out)
    assert {**shipped.recall_weights, "graph": 0.0} == left_out["without graph"]
