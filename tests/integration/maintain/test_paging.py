"""What goes through a scope page by page reads each node once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.db import Database
from graphmem.queries import Query, all_queries
from tests.house.test_cypher_files import _sample

PAGED = [
    query
    for query in all_queries()
    if query.stage == "maintain"
    and {"after", "limit"} <= set(query.params)
    # Of those that wait for a summary there are few.
    and query.name != "maintain/take_summaries"
]
# The first of a sort are kept, and the sort is by what a page goes on from.
KEPT = re.compile(r"`\w+\.(id|key)` ASC")


@pytest.mark.parametrize("query", PAGED, ids=lambda query: query.name)
async def test_a_page_is_read_in_the_order_of_an_index(db: Database, query: Query) -> None:
    """Else each page reads all that is behind it: twice the nodes would take four times as long.

    Ordered by the scope first, to the letter of the index, the server reads as many as the page
    has; ordered by the id alone it reads all and keeps the first ones.
    """
    sent: dict[str, Any] = query.packed({name: _sample(p.type) for name, p in query.params.items()})
    async with db._driver.session(
        notifications_disabled_classifications=["UNRECOGNIZED"]
    ) as session:
        plan = (await (await session.run(f"EXPLAIN {query.text}", sent)).consume()).plan

    assert [] == [step for step in _sorts(plan) if KEPT.match(step)]


def _sorts(plan: Any) -> Iterator[str]:
    if plan["operatorType"].startswith("Top"):
        yield plan["args"]["Details"]
    for child in plan.get("children", ()):
        yield from _sorts(child)
