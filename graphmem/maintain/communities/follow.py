"""Putting those Terms into communities anew that changed, and whomever that moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphmem.ids import new_id
from graphmem.maintain.communities.label_propagation import revote
from graphmem.maintain.communities.membership import OldCommunity
from graphmem.maintain.communities.membership_writing import read_old, write_moves
from graphmem.maintain.communities.term_links import MOST_TERMS
from graphmem.maintain.runs import each
from graphmem.queries import get_query

if TYPE_CHECKING:
    from graphmem.maintain.communities.work import CommunityWork

__all__ = ["REBUILT_SHARE", "follow_changes"]

# Terms that wait, taken up in one transaction.
_TAKEN = 5000
# Terms whose links are read at once.
_LINKED = 200
# One of which more is told is not moved by what is new of it: its links alone would be a scan.
_HUB_LINKS = 1000
# Rounds of votes around what changed; whoever is not at rest then waits for the next rebuild.
_FOLLOWED_ROUNDS = 20
# Where more of the scope than this has changed, finding all anew costs no more.
REBUILT_SHARE = 1 / 3
# In front of the key of a Term whose community is to be made; behind every id.
_NEW = "~"


async def follow_changes(work: CommunityWork) -> bool:
    """Let those vote that changed, and whom that moves; return False where all had better."""
    db, run = work.db, work.run
    with work.timed("read"):
        taken = await _take_waiting(work)
        old = await read_old(db, run)
    waiting = {key for key, (is_live, _) in taken.items() if is_live}
    work.total = len(waiting)
    with work.timed("propagate"):
        voted = await _vote(work, waiting, old)
    if voted is None:
        return False
    if taken:
        work.used = "python"
    moves: dict[str, str | None] = dict(voted.moves)
    # What does not stand for itself any more is in none.
    moves |= {key: None for key, (is_live, where) in taken.items() if not is_live and where}
    was = {**voted.was, **{key: where for key, (_, where) in taken.items()}}
    # Terms that went by another way left a gap.
    affected = {one.id for one in old.values() if not one.is_as_written}
    affected |= {new for new in moves.values() if new is not None}
    affected |= {where for key in moves if (where := was.get(key)) is not None}
    with work.timed("write"):
        work.written = await write_moves(
            run,
            moves,
            old,
            affected=affected,
            touched={where for _, where in taken.values() if where is not None},
        )
    work.advance(len(waiting))
    return True


@dataclass(frozen=True, slots=True)
class _Voted:
    """Where Terms belong from now on, of those that move, and where they have been."""

    moves: Mapping[str, str]
    was: Mapping[str, str | None]


async def _vote(
    work: CommunityWork, waiting: set[str], old: Mapping[str, OldCommunity]
) -> _Voted | None:
    links: dict[str, dict[str, float]] = {}
    was: dict[str, str | None] = {}
    labels: dict[str, str] = {}
    asked = set(waiting)
    rounds = 0
    while asked and rounds < _FOLLOWED_ROUNDS:
        for key in await _read_links(work, sorted(asked - links.keys()), links, was, labels):
            # Nothing links it any more: it belongs nowhere but to itself.
            where = was[key]
            if where is not None and where in old and len(old[where].members) > 1:
                labels[key] = _NEW + key
        if len(links) > REBUILT_SHARE * work.terms:
            return None
        changed = revote((key for key in asked if key in links), links, labels)
        rounds += bool(changed)
        asked = {near for key in changed for near in links[key]}
    work.rounds, work.converged = rounds, not asked
    new_ids: dict[str, str] = {}
    moves = {}
    for key, label in labels.items():
        is_new = label.startswith(_NEW)
        target = new_ids.setdefault(label, new_id()) if is_new else label
        if (key in links or is_new) and target != was[key]:
            moves[key] = target
    return _Voted(moves, was)


async def _read_links(
    work: CommunityWork,
    keys: list[str],
    links: dict[str, dict[str, float]],
    was: dict[str, str | None],
    labels: dict[str, str],
) -> list[str]:
    """Read the links of Terms and where their neighbours are; return those that have none."""
    alone = []
    for start in range(0, len(keys), _LINKED):
        await work.run.renew()
        rows = await work.db.run(
            get_query("maintain/link_terms"),
            scope=work.run.scope,
            keys=keys[start : start + _LINKED],
            most_terms=MOST_TERMS,
            hub_links=_HUB_LINKS,
        )
        for row in rows:
            key = row["key"]
            links[key] = {other: weight for other, weight, _ in row["near"]}
            for name, where in [(key, row["community_id"]), *((o, c) for o, _, c in row["near"])]:
                was.setdefault(name, where)
                labels.setdefault(name, was[name] or _NEW + name)
            if not row["near"] and not row["is_hub"]:
                alone.append(key)
    return alone


async def _take_waiting(work: CommunityWork) -> dict[str, tuple[bool, str | None]]:
    """Take up the Terms that wait: whether each is live, and where it is."""
    taken: dict[str, tuple[bool, str | None]] = {}
    while True:
        rows = await work.run.write(
            get_query("maintain/take_waiting_terms"), each(), scope=work.run.scope, limit=_TAKEN
        )
        for row in rows:
            taken[row["key"]] = (row["is_live"], row["community_id"])
        if len(rows) < _TAKEN:
            return taken
