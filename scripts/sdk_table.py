"""Print the tables of methods for docs/sdk.md: `python scripts/sdk_table.py`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

from graphmem import AsyncGraphMemory
from graphmem.tiers.procedural import AsyncProcedural
from graphmem.tiers.semantic import AsyncSemantic


def tables() -> str:
    """Return a table for each part of the memory as Markdown."""
    parts = [
        ("memory", AsyncGraphMemory),
        *(("memory", part) for part in AsyncGraphMemory.__mro__[1:-1]),
        ("memory.semantic", AsyncSemantic),
        ("memory.procedural", AsyncProcedural),
    ]
    lines: list[str] = []
    for name, part in parts:
        # What stands behind the colon tells where the class stands in the code.
        title = (inspect.getdoc(part) or "").partition("\n")[0].partition(":")[0].rstrip(".")
        lines += ["", f"## {title}", f"| on `{name}` | what it does |", "|---|---|"]
        lines += [f"| `{call}` | {told} |" for call, told in _calls(part)]
    return "\n".join(lines[1:])


def _calls(part: type) -> Iterator[tuple[str, str]]:
    for name, member in vars(part).items():
        if name.startswith("_"):
            continue
        told = (inspect.getdoc(member) or "").partition("\n")[0]
        if isinstance(member, property):
            yield name, told
        else:
            function = member.__func__ if isinstance(member, classmethod) else member
            yield f"{name}({_parameters(function)})", told


def _parameters(function: object) -> str:
    told: list[str] = []
    is_keyword = False
    for one in [*inspect.signature(function).parameters.values()][1:]:  # type: ignore[arg-type]
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            told.append("*")
        name = f"**{one.name}" if one.kind is one.VAR_KEYWORD else one.name
        told.append(name if one.default is one.empty else f"{name}={one.default!r}")
    return ", ".join(told)


if __name__ == "__main__":
    print(tables())  # noqa: T201 - printing is what it is for
