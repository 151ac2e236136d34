"""The demo's conversation and questions; `graphmem demo` plays them.

`conversation.jsonl` was written for this: 26 turns of a potter and her assistant in four
sessions, each with its extraction. She changes her mind once (the kiln), and one question
needs two turns that share a person (the landlord's sister).
"""

from __future__ import annotations

from graphmem.demo.story import QUESTIONS, SCOPE, Question, read_conversation

__all__ = ["QUESTIONS", "SCOPE", "Question", "read_conversation"]
