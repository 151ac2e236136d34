"""Runs queries.

A `Database` takes a `Query` with its parameters and gives rows back. It routes reads to
readers, retries what may be retried, honours the configured database in every call, and turns
each of the driver's errors into one of graphmem's (driver_errors.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from graphmem.config import Settings
from graphmem.db.driver import (
    MIN_VERSION,
    ServerVersion,
    dotted,
    make_blocking_driver,
    make_driver,
    numbers,
)
from graphmem.db.driver_errors import driver_errors, to_store_error
from graphmem.db.values import from_driver, to_driver
from graphmem.errors import StoreError
from graphmem.queries import Query, get_query

if TYPE_CHECKING:
    from neo4j import AsyncDriver, AsyncSession, AsyncTransaction, Driver

__all__ = ["Counts", "Database", "Row", "Statement", "Transaction"]

# Opening is one question: longer means a routing table of unreachable addresses, which the
# driver would try again and again.
_OPEN_DEADLINE_S = 10.0
# A read that takes longer is none of this project's: the server hangs.
_READ_DEADLINE_S = 60.0
# A leader election takes some seconds; a deadlock is over in milliseconds.
_RETRY_TIME_S = 15.0
_FIRST_PAUSE_S = 0.1

# How long closing waits for what cancelled callers had begun: to connect takes milliseconds.
_ENDING_S = 1.0

Statement = tuple[Query, Mapping[str, Any]]
Row = dict[str, Any]
T = TypeVar("T")


@dataclass(slots=True)
class Counts:
    """What a database was asked so far; tests hold operations to their budget with it.

    Attributes:
        reads: Read statements; each is one round trip.
        writes: Write transactions that were committed.
        write_statements: Statements in them; each is one round trip.
        schema: Statements that changed constraints or indexes.
        implicit: Statements in transactions of their own making.
        retries: Attempts beyond the first, of any kind.
    """

    reads: int = 0
    writes: int = 0
    write_statements: int = 0
    schema: int = 0
    implicit: int = 0
    retries: int = 0

    @property
    def round_trips(self) -> int:
        """Statements sent and answered."""
        return self.reads + self.write_statements + self.schema + self.implicit

    def copy(self) -> Counts:
        """Return these counts as they are now."""
        return replace(self)

    def since(self, earlier: Counts) -> Counts:
        """Return what was added to `earlier`."""
        return Counts(
            **{
                name: getattr(self, name) - getattr(earlier, name)
                for name in self.__dataclass_fields__
            }
        )


class Transaction:
    """A write transaction that is under way; see `Database.transact`.

    Attributes:
        names: Queries that it ran so far.
    """

    def __init__(self, database: Database, inner: AsyncTransaction) -> None:
        self.names: list[str] = []
        self._database = database
        self._inner = inner

    async def run(self, query: Query, /, **params: Any) -> list[Row]:
        """Run a query of MODE write or read, and return its rows.

        Raises:
            StoreError: The parameters do not fit, or the query has another MODE.
        """
        _check_mode(query)
        values = self._database.checked(query, params)
        self.names.append(query.name)
        result = await self._inner.run(query.text, values)
        return [from_driver(record) async for record in result]


class Database:
    """One Neo4j database, used from one event loop.

    Attributes:
        name: The configured database, None = the user's home database.
        version: Which server answers.
        count: What was asked so far.
    """

    def __init__(self, driver: AsyncDriver, name: str | None, *, is_borrowed: bool) -> None:
        self.name = name
        self.version = ServerVersion("0")
        self.count = Counts()
        self._driver = driver
        self._is_borrowed = is_borrowed
        self._settings: Settings | None = None
        self._is_closed = False
        self._loop = asyncio.get_running_loop()
        self._has_looked_for_gds = False
        self._endings: set[asyncio.Task[None]] = set()
        # Opening asks once: a caller wants to hear at once that the address is wrong.
        self._retry_time_s = 0.0

    @classmethod
    async def open(
        cls,
        settings: Settings,
        *,
        driver: AsyncDriver | None = None,
        deadline_s: float = _OPEN_DEADLINE_S,
    ) -> Self:
        """Connect, and check that the server is fit for graphmem.

        Args:
            settings: `neo4j_uri`, `neo4j_username`, `neo4j_password`, `neo4j_database`.
            driver: Use this one of the caller's, made in the running event loop; it is left
                open by `close`.
            deadline_s: How long the server may take to answer; one that is known to be up may
                be slow on a busy machine.

        Raises:
            ConfigError: No address is set, or it is none.
            StoreError: By `kind`: "unreachable", "wrong-credentials", "database-not-found",
                "server-too-old".
        """
        is_borrowed = driver is not None
        if driver is None:
            driver = make_driver(settings)
        database = cls(driver, settings.neo4j_database, is_borrowed=is_borrowed)
        database._settings = None if is_borrowed else settings
        try:
            async with asyncio.timeout(deadline_s):
                database.version = await database._ask_version()
        except TimeoutError:
            await database.close()
            raise StoreError(
                f"Neo4j at {settings.neo4j_uri} did not answer within {deadline_s:.0f} s; "
                "is it up, and is that its Bolt port (7687 unless changed)? A single server is "
                "asked with bolt:// rather than neo4j://, whose routing table may name an "
                "address that cannot be reached from here (server.bolt.advertised_address)",
                kind="unreachable",
                retryable=True,
            ) from None
        except BaseException:
            await database.close()
            raise
        database._retry_time_s = _RETRY_TIME_S
        return database

    async def close(self) -> None:
        """Close the connections; a driver of the caller's stays open. May be called twice."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._endings:
            await asyncio.wait(self._endings, timeout=_ENDING_S)
        if not self._is_borrowed:
            await self._driver.close()
        # Whoever still waits for an answer has lost its connection, or never had one.
        if left := set(self._endings):
            for ending in left:
                ending.cancel()
            await asyncio.wait(left)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def run(self, query: Query, /, **params: Any) -> list[Row]:
        """Run one query in the transaction that its MODE asks for.

        Args:
            query: From `get_query`.
            params: A value for each declared parameter.

        Returns:
            Its rows; times are aware UTC datetimes.

        Raises:
            StoreError: The parameters do not fit (kind "query-parameters"), or the server
                refused or failed.
        """
        if query.mode == "write":
            return (await self.run_together([(query, params)]))[0]
        values = self.checked(query, params)
        await self._check_needs(query)
        if query.mode == "read":
            return await self._read(query, values)
        return await self._run_alone(query, values)

    async def run_together(self, statements: Sequence[Statement]) -> list[list[Row]]:
        """Run write queries in order in one transaction, retried as a whole.

        Args:
            statements: Queries of MODE write or read with their parameters.

        Returns:
            The rows of each.

        Raises:
            StoreError: As `run`; nothing was written then.
        """
        self._check_usable()
        for query, _ in statements:
            _check_mode(query)
            await self._check_needs(query)

        async def work(transaction: Transaction) -> list[list[Row]]:
            return [await transaction.run(query, **params) for query, params in statements]

        return await self.transact(work) if statements else []

    async def transact(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run a write transaction whose later queries follow from what the earlier ones read.

        Args:
            work: Runs the queries; leaving it commits, a fault in it rolls back. It is called
                again, from its beginning, after a passing fault of the server: what it does
                besides must bear that.

        Returns:
            What `work` returns.

        Raises:
            StoreError: As `run`; nothing was written then.
        """
        self._check_usable()
        names: list[str] = []

        async def attempt() -> T:
            session = self._session("WRITE")
            begun = await self._begin(session, session.begin_transaction())
            async with session, begun as inner:
                transaction = Transaction(self, inner)
                names[:] = []
                try:
                    return await work(transaction)
                finally:
                    names[:] = transaction.names

        done = await self._insist(attempt, lambda: ", ".join(dict.fromkeys(names)))
        self.count.writes += 1
        self.count.write_statements += len(names)
        return done

    def checked(self, query: Query, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters as the driver takes them.

        Raises:
            StoreError: They are not those that the query declares.
        """
        self._check_usable()
        if params.keys() != query.params.keys():
            missing = sorted(query.params.keys() - params.keys())
            unknown = sorted(params.keys() - query.params.keys())
            raise StoreError(
                f"{query.name}: parameters missing: {missing}, unknown: {unknown}",
                kind="query-parameters",
            )
        return query.packed(
            {name: to_driver(value, query.params[name], query) for name, value in params.items()}
        )

    def _check_usable(self) -> None:
        if self._is_closed:
            raise StoreError("this memory is closed; open a new one", kind="closed")
        self.check_loop()

    def check_loop(self) -> None:
        """Raise a StoreError in another event loop than the one it was opened in."""
        if asyncio.get_running_loop() is not self._loop:
            raise StoreError(
                "this memory was opened in another event loop, and its connections belong to "
                "that one; open one per loop, or use GraphMemory, which has a loop of its own",
                kind="wrong-event-loop",
            )

    async def gds_version(self) -> str | None:
        """Return the version of Graph Data Science, None where it is absent; asked once."""
        if not self._has_looked_for_gds:
            self.version = replace(self.version, gds=await self._ask_gds())
            self._has_looked_for_gds = True
        return self.version.gds

    @property
    def has_own_connection(self) -> bool:
        """Whether it knows how to connect: False where the caller brought a driver."""
        return self._settings is not None

    def blocking_driver(self) -> Driver | None:
        """Return a driver of its own for a library that knows no event loop.

        Whoever takes it closes it. None where the caller brought a driver: how that one
        connects is not known here.
        """
        return None if self._settings is None else make_blocking_driver(self._settings)

    async def _check_needs(self, query: Query) -> None:
        if "gds" in query.needs:
            found, wanted = await self.gds_version(), query.needs["gds"]
            if found is None or numbers(found) < wanted:
                raise StoreError(
                    f"{query.name} needs Graph Data Science {dotted(wanted)} or newer, the "
                    f"server has {found or 'none'}; install the plugin on it",
                    kind="needs-not-met",
                )
        wanted = query.needs["neo4j"]
        is_fit = self.version.text.endswith("-aura") or self.version.numbers >= wanted
        if not is_fit and query.name != "schema/components":
            raise StoreError(
                f"{query.name} needs Neo4j {dotted(wanted)} or newer, the server is "
                f"{self.version.text}",
                kind="needs-not-met",
            )

    async def _read(self, query: Query, values: Mapping[str, Any]) -> list[Row]:
        # An auto-commit transaction asks once where a managed one asks twice (the statement,
        # then COMMIT); repeating a read is harmless.
        async def attempt() -> list[Row]:
            try:
                async with asyncio.timeout(_READ_DEADLINE_S):
                    return await self._auto_commit(query, values, access="READ")
            except TimeoutError:
                raise StoreError(
                    f"{query.name} took longer than {_READ_DEADLINE_S:.0f} s; the server hangs "
                    "or is overloaded",
                    kind="timeout",
                    retryable=True,
                ) from None

        rows = await self._insist(attempt, lambda: query.name)
        self.count.reads += 1
        return rows

    async def _insist(self, attempt: Callable[[], Awaitable[T]], where: Callable[[], str]) -> T:
        """Try again what a passing fault hit, for a while.

        The driver's own managed transactions would do so too, but they take the memory limit
        for a passing fault, and the same transaction runs into it again.
        """
        deadline: float | None = None
        pause_s = _FIRST_PAUSE_S
        while True:
            try:
                return await attempt()
            except driver_errors() as error:
                failure = to_store_error(error, where())
                # From the first fault on: a long transaction may be tried again as well.
                deadline = deadline or time.monotonic() + self._retry_time_s
                if not _may_try_again(error, failure) or time.monotonic() + pause_s > deadline:
                    raise failure from None
            self.count.retries += 1
            await asyncio.sleep(pause_s * random.uniform(0.8, 1.2))  # noqa: S311 - jitter
            pause_s *= 2

    async def _run_alone(self, query: Query, values: Mapping[str, Any]) -> list[Row]:
        try:
            rows = await self._auto_commit(query, values, access="WRITE")
        except driver_errors() as error:
            raise to_store_error(error, query.name) from None
        if query.mode == "schema":
            self.count.schema += 1
        else:
            self.count.implicit += 1
        return rows

    async def _auto_commit(
        self, query: Query, values: Mapping[str, Any], *, access: str
    ) -> list[Row]:
        session = self._session(access)
        result = await self._begin(session, session.run(query.text, dict(values)))
        async with session:
            return [from_driver(record) async for record in result]

    async def _begin(self, session: AsyncSession, work: Coroutine[Any, Any, T]) -> T:
        """Return what `work` begins in a session, which is closed where that fails.

        Who is cancelled leaves at once, and what was begun is ended behind them: the driver
        leaves its socket open when it is broken off while it connects.
        """
        begun = asyncio.create_task(work)
        try:
            return await asyncio.shield(begun)
        except asyncio.CancelledError:
            ending = asyncio.create_task(_end(session, begun))
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)
            raise
        except BaseException:
            await session.close()
            raise

    def _session(self, access: str) -> AsyncSession:
        # The driver's own bookmark manager: what one session wrote, the next one reads, on
        # whichever member of a cluster.
        return self._driver.session(
            database=self.name,
            default_access_mode=access,
            bookmark_manager=self._driver.execute_query_bookmark_manager,
        )

    async def _ask_version(self) -> ServerVersion:
        row = (await self.run(get_query("schema/components")))[0]
        version = ServerVersion(row["version"])
        if not version.is_fit:
            raise StoreError(
                f"the server is Neo4j {version.text}, but graphmem needs {dotted(MIN_VERSION)} "
                "or newer (filters inside vector indexes); leave NEO4J_URI unset to use the "
                "managed local server, or upgrade it",
                kind="server-too-old",
            )
        return version

    async def _ask_gds(self) -> str | None:
        try:
            rows = await self.run(get_query("schema/gds_version"))
        except StoreError as error:
            if error.kind != "query":
                raise
            return None
        return str(rows[0]["version"])


def _check_mode(query: Query) -> None:
    if query.mode not in ("write", "read"):
        raise StoreError(
            f"{query.name} is of MODE {query.mode}: it cannot be part of a transaction",
            kind="query-parameters",
        )


def _may_try_again(error: Exception, failure: StoreError) -> bool:
    is_retryable = getattr(error, "is_retryable", None)
    return failure.retryable and callable(is_retryable) and bool(is_retryable())


async def _end(session: AsyncSession, begun: asyncio.Task[Any]) -> None:
    """Close a session when what was begun in it is there; nobody waits for what it brings."""
    with contextlib.suppress(*driver_errors()):
        try:
            await asyncio.wait([begun])
        finally:
            begun.cancel()
            await asyncio.wait([begun])
            if not begun.cancelled():
                begun.exception()
            await session.close()
