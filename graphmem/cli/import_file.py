"""`graphmem import`: take over conversations from files."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.console import (
    JsonFlag,
    ScopeOption,
    bar,
    note,
    open_memory,
    print_json,
    wait_for,
    wait_for_vectors,
)
from graphmem.cli.formats import BadLine, FoundTurn, read_jsonl, read_locomo, read_openai
from graphmem.errors import InputError
from graphmem.models import TurnDraft

__all__ = ["Format", "drafts_of", "import_file"]


class Format(StrEnum):
    """The kinds of files that can be imported."""

    JSONL = "jsonl"
    OPENAI = "openai"
    LOCOMO = "locomo"


_READERS = {Format.JSONL: read_jsonl, Format.OPENAI: read_openai, Format.LOCOMO: read_locomo}
# One transaction each; a bar that moves.
_BATCH_SIZE = 200
# What is listed of the pieces that were passed over; all of them are counted.
_LISTED = 20


def import_file(
    file: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, readable=True, help="The file; .gz too.")
    ],
    *,
    file_format: Annotated[
        Format,
        typer.Option(
            "--format",
            help="jsonl: one turn a line; openai: chat messages; locomo: LoCoMo's own JSON.",
        ),
    ] = Format.JSONL,
    session: Annotated[
        str | None, typer.Option(help="The session of turns that name none themselves.")
    ] = None,
    skip_bad: Annotated[
        bool,
        typer.Option("--skip-bad", help="Pass over and count what cannot be stored; else stop."),
    ] = False,
    wait: Annotated[
        bool,
        typer.Option(
            "--wait/--no-wait", help="Wait until all turns are extracted and have vectors."
        ),
    ] = True,
    scope: ScopeOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Import conversations from a file. Importing it again changes nothing."""
    started = time.perf_counter()
    found = list(_READERS[file_format](read_lines(file), session_id=session))
    bad: list[BadLine] = []
    with open_memory(scope) as memory:
        # All pieces are looked at before the first is stored: a file with a fault in it
        # leaves nothing half done.
        drafts = list(drafts_of(found, memory.scope, bad, is_strict=not skip_bad))
        with bar("Importing", "turns", len(drafts)) as progress:
            receipts = memory.add_turns(drafts, batch_size=_BATCH_SIZE, progress=progress)
        stored_s = time.perf_counter() - started
        if wait:
            wait_for(receipts)
            wait_for_vectors(memory)
        states = Counter(receipt.wait(0).extraction.value for receipt in receipts)
    created = sum(receipt.created for receipt in receipts)
    report = {
        "file": str(file),
        "turns": len(receipts),
        "created": created,
        "already_there": len(receipts) - created,
        "other_content": sum(receipt.is_other_content for receipt in receipts),
        "passed_over": [{"place": piece.place, "reason": piece.reason} for piece in bad],
        "extraction": dict(states),
        "seconds": round(time.perf_counter() - started, 3),
        "turns_per_s": round(len(receipts) / stored_s, 1),
    }
    if as_json:
        print_json(report)
        return
    for piece in bad[:_LISTED]:
        note(f"passed over: {piece.place}: {piece.reason}")
    typer.echo(
        f"{created} turns imported, {report['already_there']} were there already, "
        f"{len(bad)} passed over ({report['turns_per_s']} turns/s)"
    )
    if report["other_content"]:
        note(
            f"{report['other_content']} of those already there say something else in the file; "
            "what was stored first stays"
        )
    typer.echo("extraction: " + (", ".join(f"{n} {state}" for state, n in states.items()) or "-"))


def drafts_of(
    found: Iterable[FoundTurn | BadLine], scope: str, bad: list[BadLine], *, is_strict: bool
) -> Iterator[TurnDraft]:
    """Yield the turns that can be stored.

    Args:
        found: What a reader found.
        scope: Whose memory they go to.
        bad: What cannot be stored is put here, with its reason.
        is_strict: Stop at the first one instead.

    Raises:
        InputError: The first piece that cannot be stored, when `is_strict`.
    """
    from graphmem.capture.intake import draft_any
    from graphmem.extract.given import given_extraction

    now = datetime.now(UTC)
    for piece in found:
        if isinstance(piece, FoundTurn):
            try:
                draft = draft_any(
                    piece.values, scope=scope, now=now, read_extraction=given_extraction
                )
            except InputError as error:
                fault = BadLine(piece.place, str(error))
            else:
                yield draft
                continue
        else:
            fault = piece
        if is_strict:
            raise InputError(
                f"{fault.place}: {fault.reason}; nothing was imported: mend it, name another "
                "--format, or pass over such pieces with --skip-bad"
            )
        bad.append(fault)


def read_lines(file: Path) -> list[str]:
    """Return the lines of a text file, or of one compressed by gzip.

    Raises:
        InputError: It is no UTF-8 text.
    """
    import gzip
    import zlib

    try:
        raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        # Only line feeds end a line: JSON text may hold other separators as they are.
        return [line + "\n" for line in raw.decode("utf-8-sig").split("\n")]
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file.name} is no UTF-8 text (byte {error.start}): save it as UTF-8"
        ) from None
    except (gzip.BadGzipFile, zlib.error, EOFError, OSError) as error:
        raise InputError(f"{file.name} cannot be read: {error}") from None
