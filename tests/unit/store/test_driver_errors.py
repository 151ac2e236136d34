"""What each error of the driver becomes."""

from __future__ import annotations

import ssl

import pytest
from neo4j.exceptions import (
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from graphmem.db.driver_errors import driver_errors, to_store_error
from graphmem.errors import StoreError


def server_error(code: str, message: str = "said the server") -> Exception:
    """Return the error that the driver makes of a server's failure."""
    error = Neo4jError._basic_hydrate(neo4j_code=code, message=message)
    assert isinstance(error, Exception)
    return error


@pytest.mark.parametrize(
    ("code", "kind", "is_retryable"),
    [
        ("Neo.ClientError.Security.Unauthorized", "wrong-credentials", False),
        ("Neo.ClientError.Security.AuthenticationRateLimit", "wrong-credentials", False),
        ("Neo.ClientError.Security.CredentialsExpired", "credentials-expired", False),
        ("Neo.ClientError.Security.Forbidden", "missing-rights", False),
        ("Neo.ClientError.Database.DatabaseNotFound", "database-not-found", False),
        ("Neo.TransientError.Database.DatabaseUnavailable", "unreachable", True),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", "constraint", False),
        ("Neo.ClientError.Statement.SyntaxError", "query", False),
        ("Neo.ClientError.Schema.IndexNotFound", "index-missing", False),
        ("Neo.TransientError.Transaction.DeadlockDetected", "busy", True),
        (
            "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
            "transaction-too-large",
            False,
        ),
        ("Neo.TransientError.General.TransientThing", "server", True),
        ("Neo.DatabaseError.General.UnknownError", "server", False),
    ],
)
def test_a_code_of_the_server_has_its_kind(code: str, kind: str, is_retryable: bool) -> None:
    """A program tells faults apart by kind, and knows whether to try again."""
    error = to_store_error(server_error(code), "recall/find")

    assert (kind, is_retryable) == (error.kind, error.retryable)
    assert "recall/find" in str(error)


def test_values_in_the_server_s_message_are_left_out() -> None:
    """The server quotes the statement below its first line: users' text stays out of errors."""
    error = to_store_error(server_error("Neo.ClientError.X.Y", "no\nmy secret diary"), "a/b")

    assert "secret" not in str(error)


def test_a_memory_limit_is_no_passing_fault() -> None:
    """The same transaction would run into it again, whatever the server calls it."""
    limit = server_error("Neo.TransientError.General.MemoryPoolOutOfMemoryError")
    deadlock = server_error("Neo.TransientError.Transaction.DeadlockDetected")

    assert (False, True) == tuple(
        to_store_error(error, "a/b").retryable for error in (limit, deadlock)
    )


def test_an_untrusted_certificate_is_told_as_such() -> None:
    """The hint names the scheme for a self-signed certificate."""
    error = ServiceUnavailable("could not connect")
    error.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")

    told = to_store_error(error, "schema/components")

    assert "unreachable" == told.kind
    assert "bolt+ssc://" in str(told)


def test_a_routing_failure_hints_at_the_advertised_address() -> None:
    """A single server with a wrong routing table is asked with bolt://."""
    told = to_store_error(ServiceUnavailable("Unable to retrieve routing information"), "a/b")

    assert "bolt://" in str(told)
    assert "advertised_address" in str(told)


@pytest.mark.parametrize("error", [SessionExpired("gone"), ConnectionResetError("gone")])
def test_a_lost_connection_may_be_tried_again(error: Exception) -> None:
    """It says nothing about what was asked."""
    told = to_store_error(error, "a/b")

    assert ("unreachable", True) == (told.kind, told.retryable)


def test_other_errors_of_the_driver_keep_their_message() -> None:
    """Nothing of the driver's leaves as it is."""
    told = to_store_error(ConfigurationError("odd option"), "a/b")

    assert "driver" == told.kind
    assert "odd option" in str(told)


def test_a_value_that_cannot_be_sent_is_the_caller_s() -> None:
    """Integers beyond 64 bits and lone surrogates fail in the driver's packing."""
    told = to_store_error(OverflowError("Integer out of bounds"), "a/b")

    assert "query-parameters" == told.kind


def test_an_error_of_graphmem_s_stays() -> None:
    """What was told once is not told again."""
    error = StoreError("closed", kind="closed")

    assert error is to_store_error(error, "a/b")


def test_all_of_the_driver_s_errors_are_caught() -> None:
    """Both roots of the driver's tree are among what a call may raise."""
    assert {Neo4jError, DriverError} < set(driver_errors())
