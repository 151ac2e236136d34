"""Communities as callers get them: names that belong together, and what was done to find them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from graphmem.models import Value

__all__ = ["Community", "CommunityEngine", "CommunityReport", "CommunityTerm", "SummaryMode"]

# "auto" takes the Graph Data Science library where the server has it.
CommunityEngine = Literal["auto", "gds", "python"]
# "local" asks no model.
SummaryMode = Literal["local", "llm"]


class CommunityTerm(Value):
    """A member of a community.

    Attributes:
        key: The name as names are compared.
        name: As it was written first.
        rank: How central it is in its scope, 0..1.
    """

    key: str
    name: str
    rank: float = 0.0


class Community(Value):
    """Names that are spoken of together.

    Attributes:
        key: Follows from the members: the same members, the same key.
        ordinal: 1 for the largest, when all were found anew; new ones get the next number.
        size: How many members it has.
        summary: What it is about, up to 100 characters; "" while that is due.
        summary_by: "local", or "llm:<model>@<host>".
        terms: The first members, by their rank.
    """

    id: str
    key: str
    ordinal: int
    size: int
    summary: str = ""
    summary_by: str = ""
    terms: tuple[CommunityTerm, ...] = ()


class CommunityReport(Value):
    """What putting names into communities came to.

    Attributes:
        run_id: Its receipt.
        engine: What found them: "gds", "python", or "" where nothing had changed.
        is_rebuild: Whether all were found anew, not only around what had changed.
        terms: Live names of the scope.
        communities: How many communities there are now.
        moved: Names that are in another community than before.
        created: Communities that are new.
        changed: Communities that have other members than before.
        kept: Communities with the members that they had.
        dropped: Communities of which no member was left.
        rounds: Rounds until nothing changed any more.
        converged: False where it was broken off at the cap on rounds.
        summaries: Summaries that were written without a model.
        llm_summaries: Summaries that a model wrote.
        llm_calls: Completions that were used.
        llm_failed: Summaries that a model should have written; they were written without it.
        prompt_tokens: Of these calls, as the endpoint reported.
        completion_tokens: As above.
        seconds: What each step took: "read", "propagate", "write", "summarise"; with "gds" the
            library copies and propagates in one.
        errors: What went wrong without ending it.
    """

    run_id: str
    engine: Literal["gds", "python", ""] = ""
    is_rebuild: bool = False
    terms: int = 0
    communities: int = 0
    moved: int = 0
    created: int = 0
    changed: int = 0
    kept: int = 0
    dropped: int = 0
    rounds: int = 0
    converged: bool = True
    summaries: int = 0
    llm_summaries: int = 0
    llm_calls: int = 0
    llm_failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: Mapping[str, float] = {}
    errors: tuple[str, ...] = ()
