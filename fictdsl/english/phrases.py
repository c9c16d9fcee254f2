"""Phrases of English: enumerations, quotations, numerals, articles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fictdsl.syntax import nodes

_AN = tuple("AEIOXaeio")  # letters whose sound takes *an*: X is the name of the letter
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Return an enumeration: `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def joined(clauses: Sequence[str], word: str) -> str:
    """Join clauses: `a or b`; `a; b; or c` if there are more than two or if a clause has a conjunction or comma."""
    if len(clauses) == 2 and not any(mark in clause for clause in clauses for mark in (",", " and ", " or ")):
        return f"{clauses[0]} {word} {clauses[1]}"
    return f"{'; '.join(clauses[:-1])}; {word} {clauses[-1]}"


def quoted(values: Iterable[str]) -> list[str]:
    """Return values in typographic quotation marks."""
    return [f"“{value}”" for value in values]


def number_word(number: int) -> str:
    """Return a number as a word if it is at most ten, else in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def article(noun: str) -> str:
    """Return a noun with its indefinite article: `a NOUN`, `an ADJ`, `an advmod`."""
    return f"{'an' if noun.startswith(_AN) else 'a'} {noun}"


def labels(plain: Sequence[str], exact: Sequence[str], patterns: Sequence[str] = ()) -> str:
    """Describe labels: `nsubj (or a subtype)`, `exactly obj or iobj`, `exactly obj or a label that matches /obl:.*/`.

    `plain` labels include their subtypes. `patterns` are regular expressions as written.
    """
    if not plain and not patterns:
        return f"exactly {listed(exact, 'or')}"
    subtypes = "(or a subtype)" if len(plain) == 1 else "(or a subtype of one of them)"
    parts = [f"{listed(plain, 'or')} {subtypes}"] if plain else []
    parts += [f"exactly {label}" for label in exact]
    return listed([*parts, *(f"a label that matches {pattern}" for pattern in patterns)], "or")


def regex(value: nodes.RegexValue) -> str:
    """Return a regular expression as a phrase: `/re/`, or `/re/, ignoring case`."""
    return f"/{value.text}/{', ignoring case' if value.ignore_case else ''}"
