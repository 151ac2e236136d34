"""The local extractor: no model, no network; an extractive summary and weighted mentions."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphmem.extract.parts import MAX_NAME_LENGTH, collapse
from graphmem.extract.words import is_common, singular, spaceless_phrases
from graphmem.models import Extraction, ExtractionState, Mention, Turn, TurnDraft
from graphmem.turn_text import own_words

__all__ = ["LocalExtractor", "summarise"]

# What a mention of each kind is worth: a name tells two turns apart better than a noun does,
# and who speaks is told of every turn.
_NAME, _QUOTED, _IDENTIFIER, _UNSURE_NAME = 1.0, 0.9, 0.9, 0.6
_PHRASE, _WORD, _SPEAKER = 0.7, 0.6, 0.4
_MAX_MENTIONS = 24
_MAX_PHRASE_WORDS = 3
_MAX_NAME_WORDS = 6
_MIN_WORD_LENGTH = 3
_MAX_SUMMARY_LENGTH = 360
_MAX_PER_MESSAGE = 2
# A longer turn is read from both ends: what it is about stands there.
_HEAD_LENGTH, _TAIL_LENGTH = 16_000, 4_000

_SPACELESS = r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(
    rf"(?P<run>[{_SPACELESS}]+)"
    r"|(?P<quoted>[\"\u201c\u00ab\u300c\u300e](?P<inside>[^\"\u201c\u201d\u00ab\u00bb\u300c-\u300f"
    r"\n]{2,80})[\"\u201d\u00bb\u300d\u300f])"
    rf"|(?P<word>(?:(?![{_SPACELESS}])\w)+"
    rf"(?:['\u2019.&/@:-](?:(?![{_SPACELESS}])\w)+)*(?:\+\+|\#(?!\w)|\+(?!\w))?)"
    r"|(?P<end>[.!?\u3002\uff01\uff1f\u2026\n]+)"
    r"|(?P<other>\S)"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?\u2026])(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)[\"'\u201d)\]]*\s+"
    r"|(?<=[\u3002\uff01\uff1f])|\n+"
)
_IDENTIFIER_FORM = re.compile(r"(?=.*[A-Za-z])(?:.*\d.*|.*[_@/:].*|.*[a-z][A-Z].*|.*\w\.\w.*)")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_CONNECTORS = frozenset({"of", "the", "de", "del", "la", "van", "von", "der", "da", "di", "du"})
_OPENERS = frozenset({":", "-", "*", "(", "\u2022", "\u2014", "\u00bf", "\u00a1"})
_VERB_ENDINGS = ("ing", "ed", "ly")
_ROLES = frozenset({"user", "assistant", "system", "human", "ai", "speaker"})


class LocalExtractor:
    """Summarise a turn by its own best sentences, and find the names and phrases in it.

    It finds no facts, no outcome and no intent; a model can redo the turn later.

    Args:
        language: Decides the stop words, as in text.py; CJK works beside each.
    """

    route = "local"

    def __init__(self, language: str = "english") -> None:
        self._language = language

    async def extract(
        self,
        turn: Turn | TurnDraft,
        *,
        earlier_summaries: Sequence[str] = (),
        max_tokens_factor: int = 1,
    ) -> Extraction:
        """Return the extraction of a turn, of state LOCAL; only the turn itself is looked at."""
        del earlier_summaries, max_tokens_factor
        # A batch of long turns must not keep the loop from answering a recall.
        await asyncio.sleep(0)
        return self.extract_now(turn)

    def extract_now(self, turn: Turn | TurnDraft) -> Extraction:
        """Return what `extract` returns, without a loop."""
        said = _said(turn)
        length = sum(len(content) for _, content in said)
        is_partial = length > _HEAD_LENGTH + _TAIL_LENGTH
        if is_partial:
            said = [(speaker, _clip(content, length)) for speaker, content in said]
        return Extraction(
            summary=summarise(said, self._language),
            mentions=_mentions(said, self._language),
            state=ExtractionState.LOCAL,
            extracted_by=self.route,
            is_partial=is_partial,
        )

    def with_mentions(self, extraction: Extraction, turn: Turn | TurnDraft) -> Extraction:
        """Return an extraction with the turn's own mentions when it would have none.

        Mentions are derived links: without any, and without a fact that has a subject or an
        object, nothing would lead to the turn through the graph.
        """
        has_terms = extraction.mentions or any(
            fact.subject or fact.object for fact in extraction.facts
        )
        if has_terms or extraction.state is ExtractionState.LOCAL:
            return extraction
        return extraction.model_copy(update={"mentions": self.extract_now(turn).mentions})


def summarise(said: Sequence[tuple[str, str]], language: str = "english") -> str:
    """Return the sentences that tell most, each with its speaker, in their own order.

    Args:
        said: (speaker, text) of each message; the speaker may be "".
        language: Decides the stop words.

    Returns:
        At most about 360 characters; never blank when anything was said.
    """
    ranked: list[tuple[float, int, int, str]] = []
    for place, (_, content) in enumerate(said):
        sentences = [collapse(found) for found in _SENTENCE_END.split(content)]
        told = [
            (_density(sentence, language), at, sentence)
            for at, sentence in enumerate(sentences)
            if sentence
        ]
        best = sorted(told, key=lambda entry: (-entry[0], entry[1]))[:_MAX_PER_MESSAGE]
        # The best of each message first, so that a question keeps its answer beside it.
        ranked += [
            (score + 100.0 * (order == 0), place, at, sentence)
            for order, (score, at, sentence) in enumerate(best)
        ]
    ranked.sort(key=lambda entry: (-entry[0], entry[1], entry[2]))
    room = _MAX_SUMMARY_LENGTH
    chosen: list[tuple[int, int, str]] = []
    for _, place, at, sentence in ranked:
        if chosen and len(sentence) > room:
            continue
        chosen.append((place, at, _shorten(sentence, max(room, _MAX_SUMMARY_LENGTH // 3))))
        room -= len(sentence)
    return _tell(said, sorted(chosen))


def _said(turn: Turn | TurnDraft) -> list[tuple[str, str]]:
    if not turn.messages:
        return [("", turn.text)]
    spoken = ((m.name or m.role, own_words(m.content)) for m in turn.messages if m.is_visible)
    return [(speaker, content) for speaker, content in spoken if content.strip()]


def _clip(content: str, whole: int) -> str:
    """Keep a message's share of the head and tail."""
    share = len(content) / whole
    head, tail = int(_HEAD_LENGTH * share), int(_TAIL_LENGTH * share)
    if len(content) <= head + tail:
        return content
    return f"{content[:head]}\n{content[len(content) - tail :] if tail else ''}"


def _tell(said: Sequence[tuple[str, str]], chosen: Sequence[tuple[int, int, str]]) -> str:
    lines: list[str] = []
    last = -1
    for place, _, sentence in chosen:
        speaker = said[place][0]
        lines.append(sentence if place == last or not speaker else f"{speaker}: {sentence}")
        last = place
    return " ".join(lines) or collapse(" ".join(content for _, content in said))


def _shorten(sentence: str, room: int) -> str:
    if len(sentence) <= room:
        return sentence
    return sentence[: room - 1].rsplit(" ", 1)[0].rstrip(",;: ") + "\u2026"


def _density(sentence: str, language: str) -> float:
    """Return how much a sentence tells: its words that name something, names twice."""
    score = 0.0
    is_first = True
    for found in _TOKEN.finditer(sentence):
        if run := found["run"]:
            score += len(run) / 3
        elif word := found["word"]:
            if not is_common(word, language):
                score += 2.0 if (word[0].isupper() and not is_first) or word[0].isdigit() else 1.0
            is_first = False
    return score


@dataclass(slots=True)
class _Collector:
    """Mentions found so far: key, shown name, and how little doubt is left."""

    names: dict[str, str]
    doubt: dict[str, float]

    def add(self, name: str, weight: float) -> None:
        key = name.casefold()
        if len(name) > MAX_NAME_LENGTH or not key:
            return
        self.names.setdefault(key, name)
        # Said twice counts for more than said once, and never reaches certainty.
        self.doubt[key] = self.doubt.get(key, 1.0) * (1.0 - min(weight, 0.95))

    def best(self) -> tuple[Mention, ...]:
        order = sorted(self.doubt, key=lambda key: self.doubt[key])[:_MAX_MENTIONS]
        return tuple(
            Mention(name=self.names[key], weight=round(1.0 - self.doubt[key], 4)) for key in order
        )


def _mentions(said: Sequence[tuple[str, str]], language: str) -> tuple[Mention, ...]:
    found = _Collector({}, {})
    for speaker, content in said:
        if speaker and speaker.casefold() not in _ROLES:
            found.add(collapse(speaker), _SPEAKER)
        tokens = list(_tokens(content, language))
        for run in _runs(tokens, ("name", "glue")):
            _add_name(found, run)
        for run in _runs(tokens, ("name", "content")):
            _add_phrase(found, run, language)
        for token in tokens:
            if token.kind == "quoted" and (words := collapse(token.word)):
                found.add(words, _QUOTED)
            elif token.kind == "spaceless":
                for phrase in spaceless_phrases(token.word):
                    found.add(phrase, _PHRASE)
    return found.best()


@dataclass(frozen=True, slots=True)
class _Token:
    """A word by what it may name: "name", "glue" (inside names), "content", or neither ("").

    `is_joined` tells that only blanks stand between it and the word before it.
    """

    kind: str
    word: str
    is_joined: bool = False
    is_first: bool = False


def _tokens(content: str, language: str) -> Iterator[_Token]:
    is_first = True
    end = -1
    for found in _TOKEN.finditer(content):
        if word := found["word"]:
            is_joined = end >= 0 and not content[end : found.start()].strip(" \t")
            yield _Token(_kind(word, language, is_first=is_first), word, is_joined, is_first)
            is_first = False
        elif run := found["run"]:
            yield _Token("spaceless", run)
            is_first = False
        elif inside := found["inside"]:
            yield _Token("quoted", inside)
            is_first = False
        elif found["end"] or found["other"] in _OPENERS:
            is_first = True
        end = found.end() if found["word"] else -1


def _kind(word: str, language: str, *, is_first: bool) -> str:
    if word in _CONNECTORS:
        return "glue"
    if _IDENTIFIER_FORM.fullmatch(word):
        return "name"
    if is_common(_POSSESSIVE.sub("", word), language):
        return ""
    # A capital at the start of a sentence proves nothing, but most such words that are
    # neither common nor a form of a verb are names.
    is_verb = is_first and word.endswith(_VERB_ENDINGS)
    return "name" if word[0].isupper() and len(word) > 1 and not is_verb else "content"


def _runs(tokens: Sequence[_Token], kinds: tuple[str, ...]) -> Iterator[list[_Token]]:
    """Yield the longest runs of joined tokens of these kinds."""
    run: list[_Token] = []
    for token in tokens:
        if token.kind in kinds and (not run or token.is_joined):
            run.append(token)
            continue
        if run:
            yield run
        run = [token] if token.kind in kinds else []
    if run:
        yield run


def _add_name(found: _Collector, run: Sequence[_Token]) -> None:
    words = [token.word for token in run]
    while words and words[0] in _CONNECTORS:
        words = words[1:]
    words = words[:_MAX_NAME_WORDS]
    while words and words[-1] in _CONNECTORS:
        words = words[:-1]
    if not words:
        return
    name = " ".join([*words[:-1], _POSSESSIVE.sub("", words[-1])])
    is_sure = len(words) > 1 or not run[0].is_first
    if _IDENTIFIER_FORM.fullmatch(name):
        found.add(name, _IDENTIFIER)
    else:
        found.add(name, _NAME if is_sure else _UNSURE_NAME)


def _add_phrase(found: _Collector, run: Sequence[_Token], language: str) -> None:
    is_english = language == "english"
    words = [_POSSESSIVE.sub("", token.word) for token in run]
    content = [
        singular(word.casefold()) if is_english else word.casefold()
        for word, token in zip(words, run, strict=True)
        if token.kind == "content"
    ]
    if content and len(words) > 1:
        last = words[-1]
        if run[-1].kind == "content" and is_english:
            last = singular(last)
        found.add(" ".join([*words[-_MAX_PHRASE_WORDS:-1], last]), _PHRASE)
    for word in content:
        if len(word) >= _MIN_WORD_LENGTH and not word[0].isdigit():
            found.add(word, _WORD)
