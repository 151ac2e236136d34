"""Free ports on loopback."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.errors import ServerError
from graphmem.server.ports import Reservation, choose_port, is_free


def free(_: int) -> bool:
    """Take whatever port is asked for."""
    return True


@pytest.fixture
def busy() -> Iterator[int]:
    """A port on which something listens."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen(1)
        yield holder.getsockname()[1]


def test_busy_port_is_not_free(busy: int) -> None:
    """A port on which something listens is not free."""
    assert not is_free(busy)


def test_port_on_all_addresses_is_not_free() -> None:
    """A program that listens on all addresses holds the port on loopback too."""
    with socket.socket() as holder:
        holder.bind(("0.0.0.0", 0))  # noqa: S104 - that is the case under test
        holder.listen(1)

        assert not is_free(holder.getsockname()[1])


def test_next_free_port_is_chosen(busy: int) -> None:
    """A busy first port leads to one after it."""
    chosen = choose_port(busy, take=free, taken=frozenset())

    assert chosen > busy
    assert is_free(chosen)


def test_taken_port_is_passed_over(busy: int) -> None:
    """A port that failed a moment ago is not chosen again."""
    first = choose_port(busy, take=free, taken=frozenset())

    assert choose_port(first, take=free, taken=frozenset({first})) > first


def test_fixed_port_that_is_busy_is_told(busy: int) -> None:
    """Who asks for one port gets that one, or an error that names it."""
    with pytest.raises(ServerError, match=f"port {busy} is taken") as caught:
        choose_port(busy, take=free, taken=frozenset(), is_fixed=True)

    assert caught.value.kind == "server-port"


def test_two_starts_hold_two_ports(tmp_path: Path, busy: int) -> None:
    """A port that another start holds is passed over, though nothing listens there yet."""
    with Reservation(tmp_path) as one, Reservation(tmp_path) as other:
        first = choose_port(busy, take=one.take, taken=frozenset())

        second = choose_port(first, take=other.take, taken=frozenset())

        assert second > first


def test_reservation_ends_with_the_start(tmp_path: Path, busy: int) -> None:
    """After a start its ports are nobody's again."""
    with Reservation(tmp_path) as one:
        port = choose_port(busy, take=one.take, taken=frozenset())
        assert one.take(port)

    with Reservation(tmp_path) as other:
        assert other.take(port)


def test_nothing_is_held_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A cache folder that cannot be made does not stop a start."""
    (tmp_path / "file").write_text("in the way")

    with Reservation(tmp_path / "file" / "ports") as reservation:
        assert reservation.take(50_000)
