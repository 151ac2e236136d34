"""A group of names goes on as the community that it was."""

from __future__ import annotations

from graphmem.maintain.communities.membership import OldCommunity, key_of, place_groups


def old(id_: str, *members: str, size: int | None = None) -> OldCommunity:
    """Return a community of these members."""
    return OldCommunity(id_, key_of(members), size or len(members), 1, sorted(members))


def test_the_key_follows_from_the_members() -> None:
    """The same members give the same key in any order, others another one."""
    assert key_of(["a", "b"]) == key_of(["b", "a"])
    assert key_of(["a", "b"]) != key_of(["ab"])


def test_the_same_members_are_the_same_community() -> None:
    """It is found by its key, whatever it shares with others, and is not changed."""
    placed = place_groups(
        [["a", "b"], ["c", "d", "e"]],
        [old("one", "a", "b"), old("two", "c", "d", "e")],
    )

    assert [("two", 1, False, False), ("one", 2, False, False)] == [
        (one.id, one.ordinal, one.is_new, one.is_changed) for one in placed
    ]


def test_a_group_goes_on_as_what_it_shares_most_with() -> None:
    """Of two groups that come of one community the larger part is that one, the other is new."""
    placed = place_groups(
        [["a", "b", "c"], ["d", "e"]],
        [old("one", "a", "b", "c", "d", "e")],
    )

    assert ("one", False, True) == (placed[0].id, placed[0].is_new, placed[0].is_changed)
    assert (True, True) == (placed[1].is_new, placed[1].is_changed)
    assert placed[1].id != "one"


def test_a_half_written_community_is_written_again() -> None:
    """One without a key, or with other members than it says, is changed."""
    without_key = OldCommunity("one", None, 2, 1, ["a", "b"])
    placed = place_groups(
        [["a", "b"], ["c", "d"]],
        [without_key, old("two", "c", "d", size=3)],
    )

    assert [("one", True), ("two", True)] == [(one.id, one.is_changed) for one in placed]


def test_nothing_is_nothing() -> None:
    """Without groups there is no community."""
    assert [] == place_groups([], [old("one", "a")])
