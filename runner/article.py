"""The indefinite article before a word."""

from __future__ import annotations

import re

# Words that begin with a vowel sound: a silent h, or a vowel letter that is not pronounced /juː/ or /w/.
_VOWEL = re.compile(
    r"hour|honest|honou?r|heir"
    r"|(?!e[uw]|one(?:s|ness|self|time)?$|one-|once$)"
    r"(?!u[kv]|ubi|ufo|uga|unani|uni(?!d(?!i)|ll|m(?!o)|n|r|ss)|ur[aeiou]|us[aeiu]|ut(?![mt]))"
    r"[aeiou]"
)


def article(next_word: str) -> str:
    """Return `a` or `an` for the word that follows, in lower case. Initialisms are treated as words."""
    return "an" if _VOWEL.match(next_word) else "a"
