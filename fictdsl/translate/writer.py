"""Write parts of filters: names, values, labels and comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.semantics.ud import FEATURES
from fictdsl.source import Source, Span
from fictdsl.syntax.nodes import RESERVED, quote
from fictdsl.syntax.regex import RegexProblem, parse_regex

_BARE = re.compile(r"(?!_$)\w+(:\w+)*")
_BARE_LABEL = re.compile(r"\w+([:@]\w+)*")
_REPETITION = re.compile(r"\{[0-9]+,[0-9]*\}")
_COLUMNS = ("form", "lemma", "upos", "xpos")
_MISC = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "Gloss", "Translit", "LTranslit", "MSeg", "MGloss", "Entity")


class NoEquivalentError(Exception):
    """A part of a query cannot be expressed in a filter. The text of the error is the reason."""


class QueryError(Exception):
    """A Grew request or a Semgrex pattern cannot be read (FICT294)."""

    def __init__(self, source: Source, start: int, length: int, kind: str, found: str, expected: str) -> None:
        span = Span(start, min(len(source.text), start + max(1, length)))
        self.problem = diagnostic("FICT294", source, span, input_kind=kind, found=found, expected=expected)
        super().__init__(self.problem.message)


@dataclass(frozen=True, slots=True)
class Translation:
    """The text of a `.fict` file, and the parts of the query without an equivalent, each with the reason."""

    text: str
    untranslated: tuple[str, ...]


@dataclass
class Names:
    """The names of nodes or lists. Names of the query that are not valid in a filter are replaced by similar names."""

    used: dict[str, str] = field(default_factory=dict)  # name in the query → name in the filter

    def of(self, name: str) -> str:
        """Return the name in the filter for a name in the query. It is the same each time."""
        if name not in self.used:
            base = re.sub(r"\W|[^\x00-\x7f]", "_", name).lstrip("_0123456789") or "N"
            base = f"{base}_" if base in RESERVED else base
            self.used[name] = self._unique(base)
        return self.used[name]

    def fresh(self, base: str) -> str:
        name = self._unique(base)
        self.used[f" {name}"] = name  # no name in a query begins with a space
        return name

    def _unique(self, base: str) -> str:
        used_names = set(self.used.values())
        numbered_names = (f"{base}{number}" for number in range(2, len(used_names) + 3))
        return next(name for name in (base, *numbered_names) if name not in used_names)


def value(text: str) -> str:
    return text if _BARE.fullmatch(text) else quote(text)


def label(text: str) -> str:
    return text if _BARE_LABEL.fullmatch(text) else quote(text)


def regex(text: str, *, ignore_case: bool = False) -> str:
    """Write a regular expression between slashes. Raises NoEquivalentError for unsupported syntax."""
    if isinstance(problem := parse_regex(text, 0), RegexProblem):
        raise NoEquivalentError(f"in the regular expression: {problem.problem}")
    return f"/{text}/{'i' if ignore_case else ''}"


def several_values(attribute: str, text: str, *, ignore_case: bool = False) -> str | None:
    """Return the test that a feature has exactly the values in a text such as `Int,Rel`, or None for other texts."""
    if "," not in text or not attribute[:1].isupper():
        return None
    entry = re.sub(r"([^\w=,])", r"\\\1", f"{attribute}={text}")
    column = regex(rf"(.*\|)?{entry}(\|.*)?", ignore_case=ignore_case)
    return f"feats = {column}"


def check_single_values(attribute: str, text: str) -> None:
    """Raise NoEquivalentError for a regular expression that requires several values of a feature, such as `.*,Rel`."""
    if attribute[:1].isupper() and "," in _REPETITION.sub("", text):
        raise NoEquivalentError("a regular expression is compared with each value of a feature")


def list_entries(entries: Iterable[str]) -> str:
    return f"{{{', '.join(map(value, dict.fromkeys(entries)))}}}"


def comments(text: str) -> Iterator[str]:
    yield from (f"# {line.strip()}".rstrip() for line in text.strip().splitlines())


def attributes(name: str) -> tuple[str, ...]:
    """Return the attributes that another tool's name may stand for: a column, a feature or an entry of MISC."""
    if name in _COLUMNS:
        return (name,)
    base, _, layer = name.replace("__", "[", 1).partition("[")
    feature = f"{base}[{layer.removesuffix(']')}]" if layer else base
    misc_entry = f"misc.{value(name)}"
    if base in FEATURES:
        return (feature,)
    if not base[:1].isupper() or not base.isalnum() or base in _MISC:
        return (misc_entry,)
    return (feature, misc_entry)


def any_of(tests: Iterable[str]) -> str:
    alternatives = list(tests)
    return alternatives[0] if len(alternatives) == 1 else f"({' or '.join(alternatives)})"


def drop_bare_names(lines: Iterable[str]) -> list[str]:
    """Return the clauses without duplicates, and without each bare name that another clause introduces as a node."""
    remaining = list(lines)
    for line in [line for line in remaining if line.isidentifier()]:
        if any(_introduces(other, line) for other in remaining if other != line):
            remaining.remove(line)
    return list(dict.fromkeys(remaining))


def _introduces(clause: str, name: str) -> bool:
    """Return whether a clause has a node `name` outside nested blocks, or in every branch of an `either`."""
    if clause.startswith("either {"):
        if re.search(r"(without|maybe) \{", clause) or clause.count("either {") > 1:
            return False
        return all(
            any(_introduces(line, name) for line in branch.splitlines())
            for branch in clause.removeprefix("either {").split("} or {")
        )
    if clause.startswith(("#", "without {", "maybe {")) or " may be " in clause:
        return False
    clause_without_tests = re.sub(r"\[.*\]", "", clause, flags=re.DOTALL)
    return re.search(rf"(?<![\w.@]){name}(?!\w)", clause_without_tests) is not None


def filled(clauses: Iterable[str]) -> list[str]:
    """Return the lines of a block, with a clause that is true of every sentence if all lines are comments."""
    lines = list(clauses)
    return [*lines, "sentence[length > 0]"] if all(line.startswith("#") for line in lines) else lines


def document(header: Iterable[str], name: str, items: Iterable[str], clauses: Iterable[str]) -> str:
    match = ["match {", *filled(clauses), "}"]
    return "\n".join(["fict 1", "", *header, *items, f"filter {name} {{", *match, "count sentence", "}", ""])
