"""Templates of trees as text: variables, queries of a vocabulary, words and rules. `docs/trees.md` has the format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

HEAD, GAP, FILLER = "*", "_", "gap"
_NAME = r"[A-Za-z_0-9'$.+-]+"
_SYMBOL = re.compile(rf"{_NAME}(\[[^\]\s]*\])?")
_VARIABLE = re.compile(r"(?<![A-Za-z0-9_])[A-Z](?![A-Za-z0-9_])")


@dataclass(frozen=True, slots=True)
class Element:
    relation: str  # `*` for the head, `gap` for what fills the gap
    symbol: str  # `_` for the gap


@dataclass(frozen=True, slots=True)
class Rule:
    elements: tuple[Element, ...]
    head: int  # which element it is
    cost: int


@dataclass(frozen=True, slots=True)
class Tag:
    """An analysis of a word as `symbol`: by its form (`words`, with lemmas), or by the vocabulary (`query`)."""

    symbol: str
    upos: str
    xpos: str
    feats: str
    cost: int
    words: Mapping[str, str] | None  # form → lemma
    pattern: str = ""  # `*` is the word: `*`, `* up`, `newspaper *`
    query: tuple[str, ...] = ()  # terms such as `pl=1`


@dataclass
class Templates:
    """The rules of each symbol, and the tags of words. Tags of one symbol and cost have one slot, by number."""

    rules: dict[str, list[Rule]] = field(default_factory=dict)
    tags: list[Tag] = field(default_factory=list)
    variables: dict[str, list[str]] = field(default_factory=dict)
    queries: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def slots(self) -> list[tuple[str, int]]:
        return list(dict.fromkeys((tag.symbol, tag.cost) for tag in self.tags))

    def finish(self) -> None:
        """Drop the instances of rules with a symbol that nothing defines, such as `AUX[Sing,Sing]` of `AUX[N,F]`.

        Raises ValueError for a name that nothing defines.
        """
        while True:
            defined = self.rules.keys() | {tag.symbol for tag in self.tags} | {GAP}
            names = {_name(symbol) for symbol in defined}
            kept: dict[str, list[Rule]] = {}
            for symbol, rules in self.rules.items():
                for rule in rules:
                    symbols = [element.symbol for element in rule.elements]
                    if unknown := next((each for each in symbols if _name(each) not in names), None):
                        raise ValueError(f"{symbol} has {unknown}, which no template defines")
                    if defined.issuperset(symbols):
                        kept.setdefault(symbol, []).append(rule)
            if kept == self.rules:
                return
            self.rules = kept


def _name(symbol: str) -> str:
    return symbol.partition("[")[0]


def read_templates(*paths: Path) -> Templates:
    """Read files of templates into one. Raises ValueError with the file and the line of a mistake."""
    templates = Templates()
    for path in paths:
        for number, line in _joined_lines(path.read_text(encoding="utf-8")):
            try:
                _read_line(templates, line)
            except ValueError as error:
                raise ValueError(f"{path.name}:{number}: {error}") from error
    templates.finish()
    return templates


def _joined_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with their numbers, without comments. Lines that begin with white space continue the one above."""
    start, parts = 0, list[str]()
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", raw).rstrip()
        if line and not line[0].isspace():
            if parts:
                yield start, " ".join(parts)
            start, parts = number, [line]
        elif line:
            parts.append(line.strip())
    if parts:
        yield start, " ".join(parts)


def _read_line(templates: Templates, line: str) -> None:
    keyword, _, rest = line.partition(" ")
    match keyword:
        case "variable":
            name, *values = rest.split()
            templates.variables[name] = values
        case "query":
            name, *terms = rest.split()
            templates.queries[name] = terms
        case "words" | "from":
            templates.tags += _tags(templates, keyword, rest)
        case _ if " -> " in line:
            _add_rules(templates, line)
        case _:
            raise ValueError(f"`{keyword}` begins neither a rule nor a list of words")


def _add_rules(templates: Templates, line: str) -> None:
    left, _, right = line.partition(" -> ")
    for symbol, alternative in product(left.split(), right.split(" | ")):
        for [name, text] in _instances(templates, symbol, alternative):
            rules = templates.rules.setdefault(name, [])
            rules += (rule for rule in _rules(text) if rule not in rules)


def _instances(templates: Templates, *texts: str) -> Iterator[list[str]]:
    """Yield the texts for each choice of values of the variables in them."""
    used = sorted({name for text in texts for name in _VARIABLE.findall(text) if name in templates.variables})
    for values in product(*(templates.variables[name] for name in used)):
        chosen = dict(zip(used, values, strict=True))
        yield [_replaced(text, chosen) for text in texts]


def _replaced(text: str, values: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: values.get(found[0], found[0]), text)


def _rules(text: str) -> Iterator[Rule]:
    cost, choices = 0, list[list[Element | None]]()
    for part in text.split():
        if part[0] == "~":
            cost = int(part[1:])
            continue
        optional = part.startswith("(") and part.endswith(")")
        element = _element(part[1:-1] if optional else part)
        choices.append([element, None] if optional else [element])
    for chosen in product(*choices):
        elements = tuple(element for element in chosen if element is not None)
        heads = [place for place, element in enumerate(elements) if element.relation == HEAD]
        if len(heads) != 1:
            raise ValueError(f"`{text}` needs one head: a part that begins with `*`")
        yield Rule(elements, heads[0], cost)


def _element(text: str) -> Element:
    relation, symbol = (HEAD, text[1:]) if text.startswith(HEAD) else text.rsplit(":", 1) if ":" in text else ("", text)
    if not relation or not _SYMBOL.fullmatch(symbol):
        raise ValueError(f"`{text}` is not `relation:SYMBOL` or `*SYMBOL`")
    return Element(relation, symbol)


def _tags(templates: Templates, keyword: str, text: str) -> Iterator[Tag]:
    heading, _, content = text.partition(" : ")
    for head, body in _instances(templates, heading, content if keyword == "from" else ""):
        symbol, upos, xpos, feats, *cost = head.split()
        terms = () if keyword == "words" else tuple(_terms(templates, body.split()))
        yield Tag(
            symbol,
            upos,
            xpos,
            feats,
            cost=int(cost[0][1:]) if cost else 0,
            words=_words(content.split()) if keyword == "words" else None,
            pattern=" ".join(term for term in terms if "=" not in term) or HEAD,
            query=tuple(term for term in terms if "=" in term),
        )


def _words(items: Iterable[str]) -> dict[str, str]:
    """Return the lemma of each form: `these/this` has one, `many` is its own."""
    return {form: lemma or form for form, _, lemma in (item.partition("/") for item in items)}


def _terms(templates: Templates, terms: Iterable[str]) -> Iterator[str]:
    for term in terms:
        if term in templates.queries:
            yield from _terms(templates, templates.queries[term])
        else:
            yield term
