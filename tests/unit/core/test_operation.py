"""The wrapper round public operations: one log event and one span each."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from graphmem import InputError
from graphmem.operation import operation


@pytest.fixture(scope="module")
def spans() -> InMemorySpanExporter:
    """Everything that is traced from now on; a provider can be set once a process."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


def test_an_operation_is_one_event_with_scope_time_and_counts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Counts that a stage adds while it runs are in it."""
    with (
        caplog.at_level(logging.INFO, "graphmem.operation"),
        operation("recall.run", "acme/ana", limit=6) as current,
    ):
        current.fields["turns"] = 2

    (record,) = caplog.records
    fields = record.graphmem  # type: ignore[attr-defined]
    assert "recall.run" in record.getMessage()
    assert ("acme/ana", 6, 2) == (fields["scope"], fields["limit"], fields["turns"])
    assert fields["duration_ms"] >= 0


def test_a_failure_is_a_warning_with_its_kind_and_without_its_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """An error's text may hold what a user said."""
    with (
        caplog.at_level(logging.INFO, "graphmem.operation"),
        pytest.raises(InputError),
        operation("capture.add_turn", "acme/ana"),
    ):
        raise InputError("canary")

    (record,) = caplog.records
    assert logging.WARNING == record.levelno
    assert "error_kind=input" in record.getMessage()
    assert "canary" not in record.getMessage()


def test_an_operation_is_one_span_where_the_program_traces(spans: InMemorySpanExporter) -> None:
    """Name and fields are those of the log event."""
    spans.clear()

    with operation("recall.run", "acme/ana", limit=6):
        pass

    (span,) = spans.get_finished_spans()
    assert "graphmem.recall.run" == span.name
    assert span.attributes is not None
    assert ("acme/ana", 6) == (
        span.attributes["graphmem.scope"],
        span.attributes["graphmem.limit"],
    )


def test_no_program_pays_for_tracing_that_it_does_not_use() -> None:
    """OpenTelemetry is never imported by graphmem itself."""
    program = (
        "import sys; from graphmem.operation import operation\n"
        "with operation('recall.run', 's'): pass\n"
        "print(any(name.startswith('opentelemetry') for name in sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert "False" == done.stdout.strip()
