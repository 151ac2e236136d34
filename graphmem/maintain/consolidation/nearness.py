"""Which facts lie near to one another: vectors compared in blocks, exactly, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    Numbers = NDArray[np.int64]

__all__ = [
    "MARGIN",
    "MOST_IN_GROUP",
    "MOST_NEAR",
    "Group",
    "Near",
    "batches",
    "groups_of",
    "near_in",
]

# What is compared with all others of its Tag; a larger one is cut.
MOST_IN_GROUP = 20_000
# Of those that are worth more than a fact, so many are its candidates, the best of them: in a
# crowd of equals the best one stays, and all others are near to it.
MOST_NEAR = 32
# Numbers of vectors that are in memory at once: 128 MB.
_MOST_NUMBERS = 32_000_000
# Rows of a product; with the widest group it takes 20 MB.
_BLOCK = 256
# Vectors are kept as single precision numbers: a cosine that exceeds a threshold by no more is
# equal to it.
MARGIN = 1e-6
# What the product in single precision may be off by.
_ROUGH = 1e-4


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that are compared with one another: their numbers in the order of worth, ascending."""

    members: Numbers


@dataclass(slots=True)
class Near:
    """Pairs that are near, as three columns.

    Attributes:
        later: Number of the one that is worth less.
        earlier: Number of the other one.
        cosine: Raw.
        cut: Facts that had more candidates than are kept.
    """

    later: Numbers
    earlier: Numbers
    cosine: NDArray[np.float64]
    cut: int = 0


def groups_of(
    tags: Sequence[Sequence[int]], places: Sequence[str], *, most: int = MOST_IN_GROUP
) -> tuple[list[Group], int]:
    """Return the groups in which facts share a Tag, and how many facts are in cut ones.

    A Tag of more than `most` facts is cut into parts of those whose places lie together: those of
    the same subject and object come into one, and the guards let no others be the same.

    Args:
        tags: Numbers of the Tags of each fact; facts are numbered in the order of worth.
        places: What facts are ordered by where a Tag is cut.
        most: The most facts of a group, >= 2.
    """
    import numpy as np

    count = sum(map(len, tags))
    fact_of = np.fromiter((f for f, own in enumerate(tags) for _ in own), np.int64, count)
    tag_of = np.fromiter((tag for own in tags for tag in own), np.int64, count)
    order = np.argsort(tag_of, kind="stable")
    fact_of, tag_of = fact_of[order], tag_of[order]
    starts = np.flatnonzero(np.diff(tag_of, prepend=-1))
    groups: list[Group] = []
    cut = 0
    for members in np.split(fact_of, starts[1:]) if count else ():
        if len(members) > most:
            cut += len(members)
            ordered = sorted(members.tolist(), key=lambda one: (places[one], one))
            groups += [
                Group(np.array(sorted(ordered[start : start + most])))
                for start in range(0, len(ordered), most)
            ]
        elif len(members) > 1:
            groups.append(Group(members))
    return groups, cut


def batches(groups: Sequence[Group], width: int) -> Iterator[tuple[list[Group], Numbers]]:
    """Yield groups whose vectors fit into memory together, with the numbers of all in them."""
    import numpy as np

    room = max(2, _MOST_NUMBERS // max(1, width))
    batch: list[Group] = []
    inside: set[int] = set()
    for group in groups:
        added = set(group.members.tolist())
        if batch and len(inside | added) > room:
            yield batch, np.array(sorted(inside))
            batch, inside = [], set()
        batch.append(group)
        inside |= added
    if batch:
        yield batch, np.array(sorted(inside))


def near_in(vectors: Matrix, kinds: Numbers, threshold: float) -> Near:
    """Return the pairs of a group whose cosine is above a threshold.

    Args:
        vectors: One row a fact, in the order of worth; of any length but zero.
        kinds: Facts of different kinds are no pair.
        threshold: Raw cosine; it must be exceeded by more than `MARGIN`.

    Returns:
        Pairs by row numbers; a fact is paired with those before it.
    """
    import numpy as np

    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
    later, earlier, cosines, cut = [], [], [], 0
    for start in range(0, len(unit), _BLOCK):
        block = unit[start : start + _BLOCK]
        end = start + len(block)
        rough = block @ unit[:end].T > threshold - _ROUGH
        rough &= kinds[start:end, None] == kinds[None, :end]
        # Only with those before it.
        rough &= np.arange(end)[None, :] < np.arange(start, end)[:, None]
        row, column = np.nonzero(rough)
        exact = _cosines(unit, row + start, column)
        is_near = exact > threshold + MARGIN
        row, column, exact = row[is_near], column[is_near], exact[is_near]
        # Which of its candidates each is, the one worth most first.
        place = np.arange(len(row)) - np.searchsorted(row, row, side="left")
        cut += len(np.unique(row[place >= MOST_NEAR]))
        kept = place < MOST_NEAR
        later.append(row[kept] + start)
        earlier.append(column[kept])
        cosines.append(exact[kept])
    return Near(
        np.concatenate([*later, np.empty(0, np.int64)]),
        np.concatenate([*earlier, np.empty(0, np.int64)]),
        np.concatenate([*cosines, np.empty(0, np.float64)]),
        cut,
    )


def _cosines(unit: Matrix, one: Numbers, other: Numbers) -> NDArray[np.float64]:
    import numpy as np

    found = np.empty(len(one), np.float64)
    for start in range(0, len(one), _BLOCK * 16):
        part = slice(start, start + _BLOCK * 16)
        first, second = (unit[places[part]].astype(np.float64) for places in (one, other))
        lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
        found[part] = np.einsum("ij,ij->i", first, second) / np.maximum(lengths, 1e-30)
    return found
