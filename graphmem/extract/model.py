"""Extraction by a chat model: one completion a turn, judged and never repaired."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from graphmem.dialect import ChatRequest
from graphmem.errors import ExtractionError, ModelError
from graphmem.extract.prompt import extraction_messages
from graphmem.extract.schema import REPLY_FORM
from graphmem.extract.verdict import judge
from graphmem.llm import ChatModel, ChatReply
from graphmem.models import Extraction, Turn, TurnDraft

__all__ = ["LLMExtractor"]

logger = logging.getLogger(__name__)

# A turn that does not fit is shown shorter, each time by a quarter: four refusals bring a
# megabyte to a size that any model takes.
_MAX_CLIPS = 5
_CLIP_SHARE = 4
_LIMIT_TOLD = re.compile(
    r"(?:context[ _](?:length|window|size)\D{0,40}?|maximum\D{0,20}?)(\d{3,8})"
)
# Characters that a token stands for at least, in prose of most languages; the next try is
# shorter where that was too much.
_CHARACTERS_A_TOKEN = 2
_PROMPT_TOKENS = 900


class LLMExtractor:
    """Extract turns by a chat model.

    Args:
        model: The chat model.
        max_tokens: Limit of a reply in tokens; None = the endpoint's own.
        strict_items: Quarantine a turn for a single bad item in its reply, too.
    """

    def __init__(
        self, model: ChatModel, *, max_tokens: int | None = 1024, strict_items: bool = False
    ) -> None:
        self._model = model
        self._max_tokens = max_tokens
        self._strict_items = strict_items

    @property
    def route(self) -> str:
        """What is recorded on a turn: "<model>@<host>"."""
        return self._model.route

    async def extract(
        self,
        turn: Turn | TurnDraft,
        *,
        earlier_summaries: Sequence[str] = (),
        max_tokens_factor: int = 1,
    ) -> Extraction:
        """Return what the model makes of a turn.

        Args:
            turn: The turn.
            earlier_summaries: Of the same session, oldest first, to resolve references.
            max_tokens_factor: How many times the usual limit the reply may have; an explicit
                retry of a truncated one asks for 2.

        Raises:
            ExtractionError: The reply is no valid extraction: the turn is to be quarantined
                with `kind` as the reason.
            ModelError: There is no reply: the turn stays pending.
        """
        max_tokens = None if self._max_tokens is None else self._max_tokens * max_tokens_factor
        reply, is_partial = await self._reply(turn, earlier_summaries, max_tokens)
        try:
            extraction = judge(reply, strict_items=self._strict_items)
        except ExtractionError as error:
            error.ids = (turn.id,)
            logger.warning(
                "extract.refused turn=%s reason=%s reply_length=%d",
                turn.id,
                error.kind,
                error.reply_length,
            )
            raise
        return extraction.model_copy(update={"extracted_by": self.route, "is_partial": is_partial})

    async def _reply(
        self, turn: Turn | TurnDraft, earlier_summaries: Sequence[str], max_tokens: int | None
    ) -> tuple[ChatReply, bool]:
        """Return the reply to the whole turn, or to as much of it as the model takes."""
        shown: int | None = None
        for _ in range(_MAX_CLIPS + 1):
            messages = extraction_messages(
                turn, earlier_summaries=earlier_summaries, max_characters=shown
            )
            request = ChatRequest(messages=messages, form=REPLY_FORM, max_tokens=max_tokens)
            try:
                return await self._model.complete(request), shown is not None
            except ModelError as error:
                if error.kind == "content-filter":
                    raise ExtractionError(
                        f"the endpoint will not read the turn ({error})",
                        kind="content-filter",
                        ids=(turn.id,),
                    ) from error
                if error.kind != "context-length":
                    raise
                shown = _next_length(str(error), shown or len(turn.text), max_tokens or 0)
                logger.info("extract.clip turn=%s characters=%d", turn.id, shown)
        raise ExtractionError(
            "the turn does not fit the model's context, however short it is cut; use a model "
            "with a longer context or a smaller reply limit",
            kind="too-long",
            ids=(turn.id,),
        )


def _next_length(told: str, shown: int, max_tokens: int) -> int:
    """Return how many characters to show after `shown` were too many."""
    length = max(1, shown // _CLIP_SHARE)
    found = _LIMIT_TOLD.search(told.lower())
    if found is None:
        return length
    fitting = (int(found[1]) - _PROMPT_TOKENS - max_tokens) * _CHARACTERS_A_TOKEN
    # What the endpoint tells saves tries, but must always bring the turn nearer to fitting.
    return min(fitting, shown * 3 // 4) if fitting > length else length
