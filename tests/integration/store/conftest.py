"""A database on the shared server, and queries that are written beside their test."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from graphmem.config import Settings
from graphmem.db import Database
from graphmem.queries import Query, parse_query


def _settings_of(address: Any, **changes: object) -> Settings:
    values = {
        "neo4j_uri": address.uri,
        "neo4j_username": address.username,
        "neo4j_password": address.password,
    }
    return Settings.checked({**values, **changes})


def _statement(body: str, mode: str = "read", needs: str = "", **params: str) -> Query:
    declared = "\n//          ".join(f"{name}  {kind}" for name, kind in params.items())
    tries = "\n//          ".join(f":param {name} => 0;" for name in params)
    content = (
        f"// NAME     tests/adhoc\n// DOES     What a test needs.\n// MODE     {mode}\n"
        f"// NEEDS    neo4j >= 2026.02{needs and ', ' + needs}\n"
        f"// PARAMS   {declared or 'none'}\n// RETURNS  rows\n// SOURCE   tests\n"
        f"// TRY      {tries or 'none'}\nCYPHER 25\n{body}\n"
    )
    return parse_query(content, name="tests/adhoc", path="tests")


@pytest.fixture
def settings_of() -> Callable[..., Settings]:
    """Make settings of a server's address, with further fields by name."""
    return _settings_of


@pytest.fixture
def statement() -> Callable[..., Query]:
    """Make a query that stands in no file: body, mode, needs, and types of parameters by name."""
    return _statement


@pytest.fixture
def scope() -> str:
    """A scope that no other test acts in."""
    return f"store-{secrets.token_hex(8)}"


@pytest.fixture
async def db(neo4j_server: Any) -> AsyncIterator[Database]:
    """The shared server's database."""
    async with await Database.open(_settings_of(neo4j_server)) as database:
        yield database
