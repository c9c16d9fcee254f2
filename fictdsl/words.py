"""Words of English by what is beside them: plurals, enumerations, numerals and the indefinite article."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_VOWEL_LETTERS = "AEIOX"  # of a tag such as ADJ; X is the name of the letter
# Words that begin with a vowel sound: a silent h, or a vowel letter that is not pronounced /juː/ or /w/.
_VOWEL = re.compile(
    r"hour|honest|honou?r|heir"
    r"|(?!e[uw]|one(?:s|ness|self|time)?$|one-|once$)"
    r"(?!u[kv]|ubi|ufo|uga|unani|uni(?!d(?!i)|ll|m(?!o)|n|r|ss)|ur[aeiou]|us[aeiu]|ut(?![mt]))"
    r"[aeiou]"
)


def inflected(count: int, singular: str, plural: str | None = None) -> str:
    """Return a word for a count: `word` or `words`, `is` or `are`. `plural` is by default the singular with an s."""
    return singular if count == 1 else plural or f"{singular}s"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun: `1 word`, `2,000 words`, `0 fixes`. `plural` is by default the noun with an s."""
    return f"{count:,} {inflected(count, noun, plural)}"


def listed(parts: Sequence[str], conjunction: str = "and") -> str:
    """Return an enumeration: `a`, `a and b`, `a, b and c`, or nothing if there are no parts."""
    return f"{', '.join(parts[:-1])} {conjunction} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def number_word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def article(following: str) -> str:
    next_word = following.partition(" ")[0]
    if next_word.isupper():
        return "an" if next_word[0] in _VOWEL_LETTERS else "a"
    return "an" if _VOWEL.match(next_word.lower()) else "a"
