"""Every error of the driver, told in graphmem's words with the next step."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from functools import cache

from graphmem.errors import StoreError

__all__ = ["driver_errors", "to_store_error"]

# A missing full-text index is told as the failure of the procedure that asks it.
_NO_TEXT_INDEX = "no such fulltext schema index"
_MEMORY_CODES = frozenset(
    {
        "Neo.TransientError.General.MemoryPoolOutOfMemoryError",
        "Neo.TransientError.General.TransactionMemoryLimit",
        "Neo.TransientError.General.TransactionOutOfMemoryError",
        "Neo.TransientError.General.OutOfMemoryError",
        "Neo.ClientError.General.TransactionOutOfMemoryError",
    }
)

# By code: (kind, whether the same call may succeed later, what is wrong and what to do next).
_BY_CODE: dict[str, tuple[str, bool, str]] = {
    "Neo.ClientError.Security.Unauthorized": (
        "wrong-credentials",
        False,
        "the server refuses this user name or password; check NEO4J_USERNAME and NEO4J_PASSWORD",
    ),
    "Neo.ClientError.Security.AuthenticationRateLimit": (
        "wrong-credentials",
        False,
        "the server has locked this user for some seconds after wrong passwords; check "
        "NEO4J_PASSWORD, wait, and try once",
    ),
    "Neo.ClientError.Security.CredentialsExpired": (
        "credentials-expired",
        False,
        "the server wants this user's password changed first; do so with ALTER CURRENT USER "
        "SET PASSWORD",
    ),
    "Neo.ClientError.Security.Forbidden": (
        "missing-rights",
        False,
        "this user lacks a right; graphmem needs to read, to write, and to make constraints, "
        "indexes and new names of labels and properties",
    ),
    "Neo.ClientError.Database.DatabaseNotFound": (
        "database-not-found",
        False,
        "the server has no such database; check NEO4J_DATABASE, or leave it unset for the "
        "user's home database",
    ),
    "Neo.TransientError.Database.DatabaseUnavailable": (
        "unreachable",
        True,
        "the database is not up yet or has been stopped; try again, or look at SHOW DATABASES",
    ),
    "Neo.ClientError.Schema.ConstraintValidationFailed": (
        "constraint",
        False,
        "a node with this key is there already",
    ),
    "Neo.ClientError.Statement.SyntaxError": (
        "query",
        False,
        "the server does not accept this statement; is it older than 2026.02, or was a file in "
        "cypher/ changed?",
    ),
    "Neo.ClientError.Schema.IndexNotFound": (
        "index-missing",
        False,
        "an index is missing: open the memory again, which makes what is missing",
    ),
    "Neo.ClientError.General.ReadOnly": (
        "missing-rights",
        False,
        "the database is read-only",
    ),
    "Neo.TransientError.Transaction.DeadlockDetected": (
        "busy",
        True,
        "writers stood in each other's way for longer than they were tried again",
    ),
    "Neo.TransientError.Transaction.LockAcquisitionTimeout": (
        "busy",
        True,
        "another transaction held a lock for too long",
    ),
    "Neo.ClientError.Transaction.TransactionTimedOut": (
        "timeout",
        True,
        "the server's limit for the duration of a transaction was reached",
    ),
}


@cache
def driver_errors() -> tuple[type[Exception], ...]:
    """Return all that a call of the driver may raise, for an `except`.

    The last three come from values that it cannot send: text with lone surrogates, integers
    beyond 64 bits, objects of unknown types.
    """
    from neo4j.exceptions import DriverError, Neo4jError

    return (Neo4jError, DriverError, OSError, ValueError, TypeError, OverflowError)


def to_store_error(error: Exception, where: str) -> StoreError:
    """Return what `error` means for a user of graphmem.

    Args:
        error: Whatever the driver raised.
        where: Names of the queries concerned.

    Returns:
        A StoreError with a kind; `error` itself when it is one.
    """
    from neo4j.exceptions import DriverError, Neo4jError, ServiceUnavailable, SessionExpired

    if isinstance(error, StoreError):
        return error
    if isinstance(error, Neo4jError):
        return _of_server(error.code or "", error.message or "", where, error.is_retryable())
    is_lost = isinstance(error, (ServiceUnavailable, SessionExpired, OSError))
    # A name that no address is found for is a ValueError to the driver.
    if is_lost or _is_certificate(error) or "DNS resolve" in str(error):
        return _unreachable(error, where)
    if isinstance(error, DriverError):
        return StoreError(
            f"{where}: the driver gave up ({_line(str(error))})",
            kind="driver",
            retryable=error.is_retryable(),
        )
    return StoreError(
        f"{where}: {type(error).__name__}: {_line(str(error))}; a value that the database "
        "cannot hold?",
        kind="query-parameters",
    )


def _of_server(code: str, message: str, where: str, is_retryable: bool) -> StoreError:
    if code in _MEMORY_CODES:
        return StoreError(
            f"{where}: the transaction is larger than the server allows; write fewer items at "
            f"once, or raise dbms.memory.transaction.total.max ({_line(message)})",
            kind="transaction-too-large",
            retryable=False,
        )
    if _NO_TEXT_INDEX in message:
        code = "Neo.ClientError.Schema.IndexNotFound"
    if code in _BY_CODE:
        kind, retryable, told = _BY_CODE[code]
        return StoreError(f"{where}: {told} ({_line(message)})", kind=kind, retryable=retryable)
    return StoreError(
        f"{where}: the server refused or failed: {code}: {_line(message)}",
        kind="server",
        retryable=is_retryable,
    )


def _unreachable(error: Exception, where: str) -> StoreError:
    causes = list(_chain(error))
    if any(_is_certificate(cause) for cause in causes):
        hint = (
            "its certificate is not trusted, or it has none: use bolt+ssc:// or neo4j+ssc:// for "
            "a self-signed one, bolt:// or neo4j:// for a server without encryption"
        )
    elif any("rout" in str(cause).lower() for cause in causes):
        hint = (
            "it gave no address that can be reached from here: with a single server use "
            "bolt:// instead of neo4j://, or set its server.bolt.advertised_address"
        )
    else:
        hint = (
            "is it running, and are host and port of NEO4J_URI right? Leave NEO4J_URI unset to "
            "use the managed local server"
        )
    return StoreError(
        f"{where}: Neo4j cannot be reached ({_line(str(error))}); {hint}",
        kind="unreachable",
        retryable=True,
    )


def _is_certificate(error: BaseException) -> bool:
    return isinstance(error, ssl.SSLError) or type(error).__name__ == "BoltSecurityError"


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    while current is not None:
        yield current
        current = current.__cause__ or current.__context__


def _line(text: str) -> str:
    # The server quotes the statement below the first line, and values in it; users' text does
    # not belong in an error message.
    first = text.strip().split("\n")[0]
    limit = 300
    return first if len(first) <= limit else f"{first[:limit]}…"
