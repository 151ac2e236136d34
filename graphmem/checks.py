"""What a caller passes, checked: a word of some, a flag, a number within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from graphmem.errors import InputError

__all__ = ["check_flag", "check_number", "check_whole", "check_word", "check_words"]

Word = TypeVar("Word", bound=str)


def check_word(value: object, name: str, words: Iterable[Word]) -> Word:
    """Return `value` when it is one of some words.

    Raises:
        InputError: It is not; the message names the parameter and the words.
    """
    known = tuple(words)
    for word in known:
        if isinstance(value, str) and value == word:
            return word
    raise InputError(f"{name} is {value!r}, not one of {', '.join(known)}")


def check_words(value: object, name: str, words: Iterable[str]) -> list[str]:
    """Return `value` as a list when it is one of some words, or an empty one.

    Raises:
        InputError: It is not; the message names the parameter, what is unknown, and the words.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{name} must be a list of words, got {type(value).__name__}: pass [word]")
    known = tuple(words)
    wanted = list(value)
    if unknown := [word for word in wanted if word not in known]:
        told = ", ".join(map(repr, unknown))
        raise InputError(f"{name}: unknown: {told}; there are {', '.join(known)}")
    return wanted


def check_flag(value: object, name: str) -> bool:
    """Return `value` when it is True or False.

    Raises:
        InputError: It is not; the message names the parameter.
    """
    if not isinstance(value, bool):
        raise InputError(f"{name} must be True or False, got {value!r}")
    return value


def check_number(
    value: object, name: str, least: float, most: float, *, is_open: bool = False
) -> float:
    """Return `value` when it is a number within bounds.

    Args:
        value: What was passed.
        name: Its parameter, for the message.
        least: The smallest that is taken.
        most: The largest.
        is_open: Whether it must be more than the smallest.

    Raises:
        InputError: It is not; the message names the parameter and the bounds.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Written so that NaN is refused.
    if is_number and least <= value <= most and not (is_open and value == least):  # type: ignore[operator]
        return float(value)  # type: ignore[arg-type]
    first = f"above {least:g} and up" if is_open else f"from {least:g}"
    raise InputError(f"{name} must be a number {first} to {most:,.9g}, got {value!r}")


def check_whole(value: object, name: str, least: int, most: int) -> int:
    """Return `value` when it is a whole number within bounds.

    Raises:
        InputError: It is not; the message names the parameter and the bounds.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{name} must be a whole number from {least:,} to {most:,}, got {value!r}")
    return value
