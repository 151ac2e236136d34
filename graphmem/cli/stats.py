"""`graphmem stats`: what a scope holds."""

from __future__ import annotations

from graphmem.cli.console import JsonFlag, ScopeOption, open_memory, print_json, stdout, table

__all__ = ["stats"]


def stats(*, scope: ScopeOption = None, as_json: JsonFlag = False) -> None:
    """Count what a scope holds: nodes, links, turns by extraction."""
    with open_memory(scope) as memory:
        found = memory.stats()
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    rows = table(f"scope {found.scope}", "what", "kind", "count")
    for what, counts in (
        ("node", found.nodes),
        ("relationship", found.relationships),
        ("turn by extraction", found.extraction),
        ("waits for a vector", found.without_vector),
        ("decision that waits", found.undecided),
    ):
        for kind, count in sorted(counts.items()):
            rows.add_row(what, kind, f"{count:,}")
    stdout().print(rows)
