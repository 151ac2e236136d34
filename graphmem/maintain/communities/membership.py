"""Which community a group of names is: the one that it was, as far as that can be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graphmem.ids import digest, new_id

__all__ = ["OldCommunity", "PlacedGroup", "community_by_member", "key_of", "place_groups"]


@dataclass(frozen=True, slots=True)
class OldCommunity:
    """A community as it stands in the store.

    Attributes:
        key: None where it was left half written.
        size: As it was written; there may be fewer `members` by now.
        members: Keys of the names that are in it, sorted.
    """

    id: str
    key: str | None
    size: int
    ordinal: int
    members: Sequence[str]

    @property
    def is_as_written(self) -> bool:
        """Whether its key tells of the members that it has."""
        # As many as before are not always the same: one may have gone while another came back.
        return self.size == len(self.members) and self.key == key_of(self.members)


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """A group of names and the community that it is.

    Attributes:
        members: Keys of the names, sorted.
        ordinal: 1 for the largest.
        is_new: Whether there is no such community yet.
        is_changed: Whether it has other members than before, or none before.
    """

    id: str
    key: str
    members: Sequence[str]
    ordinal: int
    is_new: bool
    is_changed: bool


def key_of(members: Iterable[str]) -> str:
    """Return what the same members always give."""
    return digest("community", *sorted(members))


def community_by_member(old: Iterable[OldCommunity]) -> dict[str, str]:
    """Return the id of the community that each name is in; those in none are not among them."""
    return {key: one.id for one in old for key in one.members}


def place_groups(
    groups: Iterable[Iterable[str]], old: Collection[OldCommunity]
) -> list[PlacedGroup]:
    """Return which community each group is.

    A group of exactly the members of a community is that one. Of the others the one that shares
    most with a community goes on as that one; what is left is new.

    Args:
        groups: Names that belong together; none of them is in two.
        old: The communities that there are.

    Returns:
        The groups by size, largest first.
    """
    ordered = sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group))
    keys = [key_of(group) for group in ordered]
    by_key = {one.key: one.id for one in old if one.is_as_written}
    claimed = {by_key[key] for key in keys if key in by_key}
    ids = {place: by_key[key] for place, key in enumerate(keys) if key in by_key}
    was_in = community_by_member(old)
    shared = sorted(
        (-count, place, community_id)
        for place, group in enumerate(ordered)
        if place not in ids
        for community_id, count in Counter(was_in[key] for key in group if key in was_in).items()
    )
    for _, place, community_id in shared:
        if place not in ids and community_id not in claimed:
            ids[place] = community_id
            claimed.add(community_id)
    return [
        PlacedGroup(
            id=ids.get(place) or new_id(),
            key=key,
            members=group,
            ordinal=place + 1,
            is_new=place not in ids,
            is_changed=key not in by_key,
        )
        for place, (group, key) in enumerate(zip(ordered, keys, strict=True))
    ]
