"""One wrapper round every public operation: its scope, its timing, a log event and a span."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import GraphmemError

__all__ = ["Operation", "Progress", "operation"]

logger = logging.getLogger(__name__)

_CANCELLED = "cancelled"

# Called with how much is done, and of how much; None = nobody knows.
Progress = Callable[[int, int | None], None]


@dataclass(slots=True)
class Operation:
    """A running operation; stages add what they counted to `fields`."""

    name: str
    scope: str
    started: float = field(default_factory=time.perf_counter)
    fields: dict[str, int | float | str | bool] = field(default_factory=dict)

    @property
    def duration_ms(self) -> float:
        """Milliseconds since the start."""
        return (time.perf_counter() - self.started) * 1000


@contextmanager
def operation(name: str, scope: str, **fields: int | float | str | bool) -> Iterator[Operation]:
    """Time `name`, log it as one event and trace it as one span.

    Args:
        name: "stage.verb", such as "recall.run"; the same word in logs and spans.
        scope: The memory scope it acts in; logged as it is, since it is an owner's name
            that the caller chose, never message text.
        fields: Counts and flags to log; never message text, never keys.

    Yields:
        The running operation.
    """
    current = Operation(name, scope, fields=dict(fields))
    with _span(name) as span:
        try:
            yield current
        except BaseException as error:
            kind = _kind(error)
            _finish(current, span, kind)
            raise
        _finish(current, span, None)


def _kind(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return _CANCELLED
    return error.kind if isinstance(error, GraphmemError) else type(error).__name__


def _finish(current: Operation, span: Any, error_kind: str | None) -> None:
    fields: dict[str, Any] = {
        "scope": current.scope,
        "duration_ms": round(current.duration_ms, 3),
        **current.fields,
    }
    if error_kind is not None:
        fields["error_kind"] = error_kind
    # Who gives up knows it: that is no fault.
    level = logging.INFO if error_kind in (None, _CANCELLED) else logging.WARNING
    if logger.isEnabledFor(level):
        told = " ".join(f"{key}={value}" for key, value in fields.items())
        logger.log(level, "%s %s", current.name, told, extra={"graphmem": fields})
    if span is not None:
        for key, value in fields.items():
            span.set_attribute(f"graphmem.{key}", value)


def _span(name: str) -> AbstractContextManager[Any]:
    # A span is only worth making when the program itself uses OpenTelemetry: importing it
    # here would cost every other program the import.
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return nullcontext(None)
    tracer = trace.get_tracer("graphmem")
    span: AbstractContextManager[Any] = tracer.start_as_current_span(f"graphmem.{name}")
    return span
