"""A word into the indefinite article before it."""

from __future__ import annotations

import re

# Words that begin with a vowel's sound, by their spelling: a silent h, or a vowel letter that is not read /juː/ or /w/.
_VOWEL = re.compile(
    r"hour|honest|honou?r|heir"
    r"|(?!e[uw]|one(?:s|ness|self|time)?$|one-|once$)"
    r"(?!u[kv]|ubi|ufo|uga|unani|uni(?!d(?!i)|ll|m(?!o)|n|r|ss)|ur[aeiou]|us[aeiu]|ut(?![mt]))"
    r"[aeiou]"
)


def article(following: str) -> str:
    """`a` or `an`, by the sound that a word in lower case begins with; initialisms are read as words."""
    return "an" if _VOWEL.match(following) else "a"
