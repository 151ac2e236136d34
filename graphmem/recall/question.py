"""A question taken apart: its tokens, the names in it, and the parameters of the queries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.clock import OPEN_FROM, OPEN_TO
from graphmem.ids import scope_token
from graphmem.recall.request import RecallOptions, RecallRequest
from graphmem.recall.when import Span, named_spans
from graphmem.text import MAX_QUERY_TOKENS, analyse, lucene_query, term_key

__all__ = ["Question", "filter_params", "take_apart"]

# A range up to the last code point takes any value in, in an index that orders by code points.
# Plain Cypher orders by UTF-16, where "\uffee" lies behind it: there '' stands for any.
_LAST_CHARACTER = "\U0010ffff"
# How many tokens are counted in the scope; of a longer question the first ones, the others
# are as rare as they are among the nominated turns.
_COUNTED_TOKENS = 24
# Names of more words are rare, and each length costs as many keys as there are words.
_MAX_NAME_WORDS = 4
_MAX_NAME_CHARACTERS = 6
_MAX_KEYS = 400
# Quotation marks and the punctuation of East Asian texts are written as escapes: they look
# like others.
_WORDS = re.compile(r"[^\s,;:!?()\[\]{}\"\u201c\u201d\u00ab\u00bb\u3001\u3002\uff0c\uff1f\uff01]+")
_EDGES = ".'`*_-/\\|<>\u2018\u2019"
_POSSESSIVE = re.compile(r"['\u2019]s?$")
# Written without spaces: a name is looked for at each place.
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0eff]+")


@dataclass(frozen=True, slots=True)
class Question:
    """What the queries need of a question.

    Attributes:
        tokens: Its analysed words, each once, in order; at most 512.
        keys: Term keys of its runs of one to four words: what it may name.
        turn_query: Lucene query over Turns, None where there is no token.
        fact_query: The same over Facts.
        token_queries: (token, Lucene query that counts its turns in the scope).
        spans: The times that it names.
    """

    tokens: tuple[str, ...]
    keys: tuple[str, ...]
    turn_query: str | None
    fact_query: str | None
    token_queries: tuple[tuple[str, str], ...]
    spans: tuple[Span, ...] = ()


def take_apart(request: RecallRequest, options: RecallOptions) -> Question:
    """Return what the queries need of a question."""
    tokens = tuple(dict.fromkeys(analyse(request.query, options.language, asking=True)))
    if len(tokens) > MAX_QUERY_TOKENS:
        half = MAX_QUERY_TOKENS // 2
        tokens = tokens[:half] + tokens[-half:]
    in_scope = {"scope_token": scope_token(request.scope)}
    filters = dict(in_scope)
    if request.session_id is not None:
        filters["session_token"] = scope_token(request.scope, request.session_id)
    if request.agent_id is not None:
        filters["agent_token"] = scope_token(request.scope, "agent", request.agent_id)
    counted = ((token, lucene_query([token], in_scope)) for token in tokens[:_COUNTED_TOKENS])
    return Question(
        tokens=tokens,
        keys=tuple(dict.fromkeys(_keys(request.query)))[:_MAX_KEYS],
        turn_query=lucene_query(tokens, filters),
        fact_query=lucene_query(tokens, in_scope),
        token_queries=tuple((token, query) for token, query in counted if query is not None),
        spans=named_spans(request.query, options.now),
    )


def filter_params(request: RecallRequest) -> dict[str, str | datetime]:
    """Return the filters as ranges: a vector index takes no 'or any'."""
    params: dict[str, Any] = {}
    for name, value in (
        ("session", request.session_id),
        ("agent", request.agent_id),
        ("project", request.project),
    ):
        params[f"{name}_from"] = "" if value is None else value
        params[f"{name}_to"] = _LAST_CHARACTER if value is None else value
    params["since"] = request.since or OPEN_FROM
    params["until"] = request.until or OPEN_TO
    return params


def _keys(query: str) -> Iterator[str]:
    words = [word.strip(_EDGES) for word in _WORDS.findall(query)]
    words = [word for word in words if word]
    for size in range(1, _MAX_NAME_WORDS + 1):
        for start in range(len(words) - size + 1):
            name = " ".join(words[start : start + size])
            yield term_key(name)
            bare = _POSSESSIVE.sub("", name)
            if bare and bare != name:
                yield term_key(bare)
    for run in _UNSPACED.findall(query):
        for size in range(1, min(_MAX_NAME_CHARACTERS, len(run)) + 1):
            for start in range(len(run) - size + 1):
                yield term_key(run[start : start + size])
