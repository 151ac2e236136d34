"""All of a scope: to be copied, compared, and looked through for what is half done."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from graphmem.ids import scope_token
from tests.integration.conftest import Ask

__all__ = ["World", "copy", "differing", "faults", "lasting", "look", "plain", "used"]

DAY = timedelta(days=1)

# What is handed over: counted once, wherever it is.
_USAGE = ("validated_count", "recall_count", "reward_sum", "reward_count")
_PASSING = (
    "needs_community",
    "needs_comparison",
    "comparison_revision",
    "last_accessed_at",
    "restored_at",
    "deprecated_at",
    "tier",
)

# Of each run what it changed: how, and which node.
Changes = Mapping[str, list[tuple[Mapping[str, Any], Mapping[str, Any]]]]


@dataclass(frozen=True, slots=True)
class World:
    """All nodes of a scope and all its relationships, as they are in the store.

    Attributes:
        nodes: {labels, props}.
        links: {start, end, type, props}; ends by their place in `nodes`.
    """

    nodes: list[dict[str, Any]]
    links: list[dict[str, Any]]


async def look(ask: Ask, scope: str, *, vectors: bool = False) -> World:
    """Return everything in a scope; without vectors only whether a node has one."""
    nodes = await ask(
        "MATCH (n) WHERE n.scope = $scope RETURN elementId(n) AS place, labels(n) AS labels, "
        "CASE WHEN $vectors THEN properties(n) "
        "ELSE n {.*, embedding_a: n.embedding_a IS NOT NULL} END AS props "
        "ORDER BY labels(n)[0], n.id",
        scope=scope,
        vectors=vectors,
    )
    place = {node.pop("place"): number for number, node in enumerate(nodes)}
    links = await ask(
        "MATCH (n)-[r]->(m) WHERE n.scope = $scope RETURN elementId(n) AS start, "
        "elementId(m) AS end, type(r) AS type, properties(r) AS props",
        scope=scope,
    )
    return World(
        nodes,
        [{**link, "start": place[link["start"]], "end": place[link["end"]]} for link in links],
    )


async def copy(ask: Ask, world: World, scope: str) -> None:
    """Put the same into another scope."""
    token = scope_token(scope)
    rows = [
        {
            "labels": node["labels"],
            "props": {
                **node["props"],
                "scope": scope,
                **({"scope_token": token} if "scope_token" in node["props"] else {}),
            },
        }
        for node in world.nodes
    ]
    await ask(
        """
        CALL () {
          UNWIND range(0, size($nodes) - 1) AS place
          CREATE (n:$($nodes[place].labels))
          SET n = $nodes[place].props
          WITH n
          ORDER BY place
          RETURN collect(n) AS made
        }
        UNWIND $links AS link
        WITH made[link.start] AS start, made[link.end] AS end, link
        CREATE (start)-[r:$(link.type)]->(end)
        SET r = link.props
        """,
        nodes=rows,
        links=world.links,
    )


def plain(world: World, since: datetime) -> Counter[str]:
    """Return what a scope holds, but for receipts, drawn ids, and which run it was and when.

    Each property of a node is a line of its own, so that what differs is easily seen.
    """
    lines, names = Counter[str](), dict[int, str]()
    for place, node in enumerate(world.nodes):
        if node["labels"] == ["MaintenanceRun"]:
            continue
        told = _told(node)
        names[place] = f"{node['labels']} {told.get('id', told.get('key'))}"
        lines[names[place]] += 1
        for key, value in told.items():
            if key.startswith("embedding_"):
                lines[f"{names[place]} has a vector"] += bool(value)
            else:
                lines[f"{names[place]} {key} {_plain(key, value, since)}"] += 1
    for link in world.links:
        if link["start"] in names and link["end"] in names:
            told = {key: link["props"][key] for key in link["props"] if key != "handed_by"}
            ends = names[link["start"]], names[link["end"]]
            lines[f"{ends[0]} {link['type']} {ends[1]} {sorted(told.items())}"] += 1
    return lines


def _told(node: Mapping[str, Any]) -> dict[str, Any]:
    left_out: tuple[str, ...] = ("scope", "scope_token", "run_id")
    if node["labels"] == ["Community"]:
        # Its id is drawn, and its number is that of a store that grew otherwise.
        left_out = (*left_out, "id", "revision", "ordinal")
    if node["labels"] == ["Tombstone"]:
        # How it stood among others when it went.
        left_out = (*left_out, *_PASSING, "rank")
    return {key: value for key, value in node["props"].items() if key not in left_out}


def _plain(key: str, value: Any, since: datetime) -> str:
    if isinstance(value, list):
        return str([_plain(key, one, since) for one in value])
    if hasattr(value, "to_native"):
        time = value.to_native()
        if since <= time < since + DAY:
            return "when it ran"
        return "a week later" if since + 7 * DAY <= time < since + 8 * DAY else str(time)
    # How long it was idle is told in days and thousandths.
    return re.sub(r"\d", "#", value) if key == "retired_reason" else str(value)


def lasting(world: World) -> World:
    """Return what undo is to bring back: not what is derived, nor that something was gone.

    Nor what is gone for good: what was deleted long ago, and the decisions about that.
    """
    kept = [
        number
        for number, node in enumerate(world.nodes)
        if node["labels"] not in (["Community"], ["Decision"], ["Tombstone"])
    ]
    place = {number: new for new, number in enumerate(kept)}
    return World(
        [
            {
                "labels": world.nodes[number]["labels"],
                "props": {
                    key: value
                    for key, value in world.nodes[number]["props"].items()
                    if key not in (*_PASSING, "rank") and not key.startswith("version_")
                },
            }
            for number in kept
        ],
        [
            {**link, "start": place[link["start"]], "end": place[link["end"]]}
            for link in world.links
            if link["start"] in place and link["end"] in place
        ],
    )


def differing(one: Counter[str], other: Counter[str]) -> list[str]:
    """Return what only one of two has."""
    return [
        f"{sign} {line}"
        for sign, more, less in (("-", one, other), ("+", other, one))
        for line in sorted(more - less)
    ]


def faults(world: World, usage: Mapping[str, float], since: datetime) -> list[str]:
    """Return what is half done in a scope, and what its receipts do not tell."""
    found: list[str] = []
    changes: dict[str, list[Any]] = {}
    for link in world.links:
        if link["type"] == "CHANGED":
            run, node = (world.nodes[link[end]]["props"] for end in ("start", "end"))
            changes.setdefault(run["id"], []).append((link["props"], node))
    for node in world.nodes:
        told = node["props"]
        if len(node["labels"]) != 1:
            found.append(f"{told['id']} is of {node['labels']}")
        if node["labels"] == ["Tombstone"] and not any(
            other is told and change["how"] == "delete" and "undone_at" not in change
            for change, other in changes.get(told["run_id"], ())
        ):
            found.append(f"the Tombstone {told['id']} has no run")
    found += [
        f"{link} was handed over by nobody"
        for link in world.links
        if "handed_by" in link["props"]
        and not any(
            node["id"] == link["props"]["handed_from"] and "undone_at" not in change
            for change, node in changes.get(link["props"]["handed_by"], ())
        )
    ]
    now = used(world, since)
    found += [
        f"{key} is {now[key]} in all, and was {usage[key]}"
        for key in _USAGE
        if abs(now[key] - usage[key]) > 1e-9
    ]
    has_communities = any(node["labels"] == ["Community"] for node in world.nodes)
    runs = [node["props"] for node in world.nodes if node["labels"] == ["MaintenanceRun"]]
    runs = [run for run in runs if run["at"].to_native() >= since]
    told = sum(
        sum(json.loads(run["counts"]).values()) for run in runs if run["operation"] == "undo"
    )
    undone = sum("undone_at" in change for one in changes.values() for change, _ in one)
    if told != undone:
        found.append(f"undo tells of {told} nodes, of {undone}")
    return found + [
        fault
        for run in runs
        for fault in _receipt_faults(run, changes, has_communities=has_communities)
    ]


def _receipt_faults(
    run: Mapping[str, Any],
    changes: Changes,
    *,
    has_communities: bool,
) -> list[str]:
    counts = json.loads(run["counts"])
    if run["operation"] in ("undo", "communities", "maintain", "consolidate_and_decay"):
        return []
    mine = changes.get(run["id"], [])
    told = Counter(change["how"] for change, _ in mine)
    words = {"delete": "deleted", "deprecate": "deprecated", "widen": "widened"}
    found = [
        f"{run['operation']} tells of {counts.get(word, 0)} {word}, of {told[how]}"
        for how, word in words.items()
        # Communities are derived: those that go are counted, and nothing leads to them.
        if counts.get(word, 0) < told[how]
        or (counts.get(word, 0) > told[how] and not has_communities)
    ]
    if sorted(run["ids"]) != sorted(node["id"] for _, node in mine):
        found.append(f"{run['operation']} tells of {run['ids']} alone")
    return found


def used(world: World, since: datetime) -> dict[str, float]:
    """Return what facts have together of what is handed over, each counted once.

    Without what a purge may delete since then.
    """
    facts = [
        node["props"]
        for node in world.nodes
        if node["labels"] == ["Fact"]
        or (node["props"].get("was") == "Fact" and node["props"]["purge_after"].to_native() > since)
    ]
    handed = [
        link["props"]
        for link in world.links
        if link["type"] == "CHANGED"
        and "survivor_id" in link["props"]
        and "undone_at" not in link["props"]
    ]
    return {
        key: sum(one.get(key, 0) for one in facts) - sum(one.get(key, 0) for one in handed)
        for key in _USAGE
    }
