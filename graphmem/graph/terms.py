"""Names that mean the same, and one name that means two: joined and parted by hand, reversibly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.errors import InputError
from graphmem.graph.change import FactChange, change_facts, raise_routes
from graphmem.graph.plan import fact_hash, qualifier_of
from graphmem.ids import digest, scope_token
from graphmem.models import FactDraft
from graphmem.queries import get_query
from graphmem.terms import MergedTerm, SplitTerm, Term
from graphmem.text import canonical_hash, check_text, search_text, term_key

if TYPE_CHECKING:
    from graphmem.db import Database
    from graphmem.db.database import Transaction

__all__ = ["are_near_identifiers", "list_terms", "merge_terms", "split_term", "unmerge_term"]

# As in capture: a name that an index holds.
_MAX_NAME = 500
_MAX_QUALIFIER = 100
# Graphorin's bound of reasons, in characters.
_MAX_REASON = 512
# A writer follows so many merges, one after the other, and no more (graph/write_terms).
_MOST_MERGES = 10
# No vectors are written here, but the query of a slot must be named.
_ANY_SLOT = "a"
_UNSTATED = "it was stated by a name alone that stands for itself again"


@dataclass(frozen=True, slots=True)
class _Standing:
    """A Term under its lock.

    Attributes:
        into_name: What stands for it, None where nothing does.
        depth: How many merges lead to it one after the other.
    """

    key: str
    name: str
    into_name: str | None
    depth: int


def are_near_identifiers(one: str, other: str) -> bool:
    """Tell whether two names differ in their numbers alone, as INV-1041 and INV-1042 do."""
    first, second = term_key(one), term_key(other)
    numbers = [re.findall(r"\d+", key) for key in (first, second)]
    if not all(numbers) or numbers[0] == numbers[1]:
        return False
    return re.sub(r"\d", "", first) == re.sub(r"\d", "", second)


async def merge_terms(
    db: Database,
    scope: str,
    name: object,
    alias: object,
    *,
    reason: object = "",
    force: bool = False,
    now: datetime,
) -> MergedTerm:
    """Let one Term stand for another one too; one transaction.

    Args:
        db: The store.
        scope: Whose memory it is.
        name: Of the Term that stands for both.
        alias: Of the one that leads to it from now on.
        reason: Why; kept with the merge.
        force: Also where they differ in their numbers alone.
        now: When; aware UTC.

    Raises:
        InputError: One is not there, they cannot be merged, or a value is out of bounds; nothing
            was written. The message says what to do.
        StoreError: The server failed; nothing was written.
    """
    into_key, alias_key = _key(name, "name"), _key(alias, "alias")
    why = _reason(reason)
    if into_key == alias_key:
        raise InputError(f"{name!r} and {alias!r} are one Term already: there is nothing to merge")
    if are_near_identifiers(into_key, alias_key) and not force:
        raise InputError(
            f"{name!r} and {alias!r} differ in a number alone, as identifiers of different things "
            "do: pass force=True if they mean the same",
            kind="near-identifiers",
        )

    async def work(transaction: Transaction) -> MergedTerm:
        standing = await _locked(transaction, scope, [into_key, alias_key], moved=alias_key)
        into = _found(standing, into_key, name, scope)
        other = _found(standing, alias_key, alias, scope)
        _check_mergeable(into, other)
        (row,) = await transaction.run(
            get_query("graph/merge_terms"),
            scope=scope,
            key=alias_key,
            into_key=into_key,
            now=now,
            reason=why,
        )
        (term,) = await _read(transaction, scope, keys=[into_key])
        return MergedTerm(
            alias=other.name,
            term=term,
            reason=why,
            at=now,
            mentions=row["mentions"],
            facts=row["facts"],
        )

    return await db.transact(work)


async def unmerge_term(db: Database, scope: str, alias: object, *, now: datetime) -> Term:
    """Let a merged Term stand for itself again; one transaction.

    What was said by its name goes back to it, what was said since it was merged included, and so
    does what was said by names that had been merged into it. What turns stated by its name, and
    was known by the other one, is a fact of its own from then on.

    Args:
        db: The store.
        scope: Whose memory it is.
        alias: Its name.
        now: When; aware UTC.

    Raises:
        InputError: There is no such Term, or it is no alias; nothing was written.
        StoreError: The server failed; nothing was written.
    """
    key = _key(alias, "alias")

    async def work(transaction: Transaction) -> Term:
        standing = await _locked(transaction, scope, [key], moved=key)
        found = _found(standing, key, alias, scope)
        if found.into_name is None:
            raise InputError(
                f"{found.name!r} is no alias: terms() shows the aliases of each Term",
                kind="term-not-merged",
            )
        (returned,) = await transaction.run(
            get_query("graph/return_statements"),
            scope=scope,
            scope_token=scope_token(scope),
            now=now,
            key=key,
        )
        await transaction.run(get_query("graph/unmerge_term"), scope=scope, key=key)
        unstated = [
            FactChange(id=fact_id, status="forgotten", reason=_UNSTATED, is_withdrawn=True)
            for fact_id in returned["unstated"]
        ]
        await change_facts(transaction, scope, unstated, now=now)
        await _tell_apart(transaction, scope, key, rest=term_key(found.into_name), now=now)
        (term,) = await _read(transaction, scope, keys=[key])
        return term

    return await db.transact(work)


async def split_term(
    db: Database,
    scope: str,
    name: object,
    *,
    qualifier: object,
    turn_ids: Sequence[str],
    language: str,
    now: datetime,
) -> SplitTerm:
    """Tell two apart that bear one name; one transaction.

    Args:
        db: The store.
        scope: Whose memory it is.
        name: The name that both bear.
        qualifier: What one of them is, such as "baker": it is called "Ana (baker)" then.
        turn_ids: Turns that speak of that one.
        language: Of stop words and stems of the full-text index.
        now: The time of the change.

    Raises:
        InputError: There is no such Term, a turn does not speak of it, or a value is out of
            bounds; nothing was written.
        StoreError: The server failed; nothing was written.
    """
    key, told = _key(name, "name"), _qualifier(qualifier)
    if not turn_ids:
        raise InputError(
            "turn_ids names no turn: pass those that speak of the one with the qualifier"
        )

    async def work(transaction: Transaction) -> SplitTerm:
        standing = await _locked(transaction, scope, [key], moved=key)
        whole = _found(standing, key, name, scope)
        _check_splittable(whole)
        new_name = f"{whole.name} ({told})"
        new_key = term_key(new_name)
        await _make(transaction, scope, whole.key, new_name, language)
        (row,) = await transaction.run(
            get_query("graph/find_told"), scope=scope, key=key, turn_ids=list(turn_ids)
        )
        if missing := sorted(set(turn_ids) - set(row["turns"])):
            raise InputError(
                f"turn {', '.join(missing)} does not speak of {whole.name!r} in this scope",
                ids=missing,
            )
        moves = [_moved(scope, fact, new_name) for fact in row["facts"]]
        (moved,) = await transaction.run(
            get_query("graph/split_term"),
            scope=scope,
            key=key,
            to_key=new_key,
            turn_ids=list(turn_ids),
            facts=sorted(moves, key=lambda move: str(move["id"])),
        )
        await _tell_apart(transaction, scope, new_key, rest=key, now=now)
        terms = {term.key: term for term in await _read(transaction, scope, keys=[key, new_key])}
        return SplitTerm(
            term=terms[new_key],
            rest=terms[key],
            mentions=moved["mentions"],
            fact_ids=tuple(sorted(move["new_id"] for move in moves)),
        )

    return await db.transact(work)


async def list_terms(db: Database, scope: str, *, limit: int, query: object = None) -> list[Term]:
    """Return Terms with their aliases, the most mentioned first; what is merged is no Term.

    Args:
        db: The store.
        scope: Whose memory it is.
        limit: The most to return.
        query: Only those of which a name or alias contains it; None = all.

    Raises:
        InputError: `query` is blank or too long.
        StoreError: The server failed.
    """
    word = "" if query is None else _key(query, "query")
    return await _read(db, scope, word=word, limit=limit)


async def _tell_apart(
    transaction: Transaction, scope: str, key: str, *, rest: str, now: datetime
) -> None:
    """Let what one of two had ended of the other one be told again."""
    changed = await transaction.run(
        get_query("graph/tell_apart"), scope=scope, now=now, key=key, rest=rest
    )
    await raise_routes(transaction, scope, changed)


async def _locked(
    transaction: Transaction, scope: str, keys: Sequence[str], *, moved: str
) -> dict[str, _Standing]:
    """Lock Terms and all that were merged with them; return those that are there, by key.

    What speaks of the one whose mentions move is locked before them, as by every other writer.
    """
    await transaction.run(get_query("graph/lock_mentions"), scope=scope, key=moved)
    held: set[str] = set()
    while True:
        (row,) = await transaction.run(get_query("graph/lock_terms"), scope=scope, keys=list(keys))
        # Until a lock was had, another writer may have merged further ones with them.
        if held.issuperset(row["locked"]):
            return {entry["key"]: _Standing(**entry) for entry in row["terms"]}
        held.update(row["locked"])


def _found(standing: Mapping[str, _Standing], key: str, name: object, scope: str) -> _Standing:
    if key not in standing:
        raise InputError(
            f"there is no Term {name!r} in scope {scope!r}: terms() lists those that are",
            kind="term-not-found",
        )
    return standing[key]


def _check_mergeable(into: _Standing, other: _Standing) -> None:
    if into.into_name is not None:
        if into.into_name == other.name:
            what = f"unmerge_term({into.name!r}) first, or leave it so"
        else:
            what = f"merge into {into.into_name!r}, which stands for it"
        raise InputError(
            f"{into.name!r} is an alias of {into.into_name!r} itself: {what}", kind="term-merged"
        )
    if other.into_name is not None:
        raise InputError(
            f"{other.name!r} is an alias of {other.into_name!r} already: "
            f"unmerge_term({other.name!r}) first, or merge {other.into_name!r}",
            kind="term-merged",
        )
    if other.depth >= _MOST_MERGES:
        raise InputError(
            f"{other.name!r} stands for names that were merged {_MOST_MERGES} times one after the "
            "other: unmerge those, and merge each of them by itself",
            kind="term-merged",
        )


def _check_splittable(whole: _Standing) -> None:
    if whole.into_name is not None:
        raise InputError(
            f"{whole.name!r} is an alias of {whole.into_name!r}: split that one, or "
            f"unmerge_term({whole.name!r}) first",
            kind="term-merged",
        )
    if told := qualifier_of(whole.name):
        raise InputError(
            f"{whole.name!r} is told apart by {told!r} already: split the bare name, or merge this "
            "one into it first"
        )


async def _make(transaction: Transaction, scope: str, key: str, name: str, language: str) -> None:
    """Make the Term of a name where it is missing, and lock it beside the one of `key`."""
    new_key = term_key(name)
    made = {
        "id": digest("term", scope, new_key),
        "key": new_key,
        "name": name,
        "qualifier": qualifier_of(name),
        "search_text": search_text(name, language=language),
        "vector": None,
    }
    rows = await transaction.run(
        get_query("graph/write_terms", _ANY_SLOT),
        scope=scope,
        scope_token=scope_token(scope),
        embedder_id="",
        terms=sorted([made, {"id": None, "key": key}], key=lambda row: str(row["key"])),
    )
    if rows:
        raise InputError(
            f"{name!r} is an alias of another Term already: unmerge_term({name!r}) first, or take "
            "another qualifier",
            kind="term-merged",
        )


def _moved(scope: str, fact: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a fact as it is when one of its ends bears another name."""
    draft = FactDraft(
        text=fact["text"],
        subject=name if fact["is_subject"] and fact["subject"] else fact["subject"],
        predicate=fact["predicate"],
        object=name if fact["is_object"] and fact["object"] else fact["object"],
    )
    # The same sentence, said of somebody else.
    hashed = fact_hash(draft) if draft.subject else canonical_hash(f"{draft.text} {name}")
    return {
        "id": fact["id"],
        # Of the old id too: what says the same already stays a fact of its own.
        "new_id": digest("fact", scope, hashed, fact["id"]),
        "canonical_hash": hashed,
        "subject": draft.subject,
        "object": draft.object,
        "is_subject": fact["is_subject"],
        "is_object": fact["is_object"],
    }


async def _read(
    runner: Database | Transaction,
    scope: str,
    *,
    word: str = "",
    keys: Sequence[str] = (),
    limit: int | None = None,
) -> list[Term]:
    rows = await runner.run(
        get_query("graph/list_terms"),
        scope=scope,
        word=word,
        keys=list(keys),
        k=len(keys) if limit is None else limit,
    )
    return [Term(**{**row, "aliases": tuple(row["aliases"])}) for row in rows]


def _key(value: object, name: str) -> str:
    return term_key(_bounded(value, name, _MAX_NAME))


def _qualifier(value: object) -> str:
    told = " ".join(_bounded(value, "qualifier", _MAX_QUALIFIER).split())
    if "(" in told or ")" in told:
        raise InputError(f"qualifier must hold no brackets, got {told!r}: they are put around it")
    return told


def _reason(value: object) -> str:
    return "" if value == "" else _bounded(value, "reason", _MAX_REASON)


def _bounded(value: object, name: str, most: int) -> str:
    text = check_text(value, name)
    if len(text) > most:
        raise InputError(f"{name} has {len(text):,} characters, at most {most:,} are taken")
    return text
