"""What tests of programs with a memory need: no network, no surprises, same run, same graph.

`ScriptedModel` is a real HTTP server on loopback that speaks the OpenAI protocol and answers
by a script, `HashedEmbedder` makes vectors from hashed words, `FrozenClock` tells the time it
is told. They depend on no test framework.
"""

from __future__ import annotations

from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedder import HashedEmbedder
from graphmem.testing.script import (
    Script,
    ScriptedReply,
    ScriptedRequest,
    echo_extraction,
    refusing,
)
from graphmem.testing.server import ScriptedModel

__all__ = [
    "FrozenClock",
    "HashedEmbedder",
    "Script",
    "ScriptedModel",
    "ScriptedReply",
    "ScriptedRequest",
    "echo_extraction",
    "refusing",
]
