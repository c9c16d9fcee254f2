"""A name that stands in one place only, where nothing is asked of it.

## What
A name that occurs once, at the end of a chain, without a test: at the end of a plain relation or, inside `without`
and counting blocks, where no match can show it, of any relation. And a name that occurs once and looks like a
slip of the pen for another one.

## Why
A name connects the clauses it stands in. One that stands alone makes the reader look for the other place; if there
should be one, it is misspelt there. A word that only has to be there is `_`. (A name at the end of a labelled relation
or in the middle of a chain is left alone: it labels the word in `fictc show`.)

## Example
```fict
filter f { match { V:VERB -> X } }
```

## Use instead
```fict
filter f { match { V:VERB -> _ } }
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.diagnostics.suggest import nearest
from fictdsl.lint.subject import Subject
from fictdsl.semantics.resolve.scopes import Scopes
from fictdsl.semantics.walk import Definition, all_names, block_of, terms
from fictdsl.syntax import nodes

CODE = Code(
    "FICT505",
    "name-used-once",
    "`{name}` is named once{why}",
    "A name connects the clauses in which it stands. A word that is only required to be there is `_`.",
    Severity.WARNING,
)

_SHORTEST = 3  # letters of a name that can be misspelt


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Count the places of every name in the block it belongs to."""
    for item in subject.definitions:
        block = block_of(item)
        elsewhere = _elsewhere(item)
        often = [name for name, count in (_names(block) + elsewhere).items() if count > 1]
        yield from _Names(subject, subject.resolution.scopes(item), often).block(block, elsewhere, shown=True)


def _elsewhere(item: Definition) -> Counter[str]:
    """The names that are used outside the clauses: by actions, or as parameters."""
    if isinstance(item, nodes.PatternDef):
        return Counter(name.text for name in item.parameters)
    return Counter(name.text for action in item.actions for name in action.target.nodes)


def _names(block: nodes.Block) -> Counter[str]:
    return Counter(name.text for clause in block.clauses for name in all_names(clause))


@dataclass(frozen=True, slots=True)
class _Names:
    subject: Subject
    scopes: Scopes
    often: list[str]  # names with several places somewhere in the filter

    def block(self, block: nodes.Block, elsewhere: Counter[str], *, shown: bool) -> Iterator[Diagnostic]:
        """The names of a block and of those in it; `shown` if a match shows its words."""
        counts = _names(block) + elsewhere
        once = {name for name in self.scopes.of(block).owned if counts[name] == 1}
        for clause in block.clauses:
            if isinstance(clause, nodes.Chain):
                for place, term in enumerate(terms(clause)):
                    if term.name is not None and term.name.text in once:
                        yield from self._once(clause, place, term.name, shown=shown)
        for clause in block.clauses:
            match clause:
                case nodes.Either(branches=branches):  # a name may well be that of another branch
                    whole = Counter(name.text for name in all_names(clause)) + elsewhere
                    for branch in branches:
                        yield from self.block(branch, whole - _names(branch), shown=shown)
                case nodes.Count(node=node, block=inner):
                    counted = Counter([node.name.text] if node.name else [])
                    yield from self.block(inner, counted, shown=False)
                case nodes.Without(block=inner):
                    yield from self.block(inner, Counter(), shown=False)
                case _:
                    pass

    def _once(self, clause: nodes.Chain, place: int, name: nodes.Name, *, shown: bool) -> Iterator[Diagnostic]:
        near = None
        if len(name.text) >= _SHORTEST:
            near = nearest(name.text, [other for other in self.often if _stem(other) != _stem(name.text)])
        if near:
            hint = f"the nearest name is `{near}`"
            yield self.subject.report(CODE, name.span, hint=hint, name=name.text, why="")
        elif _says_nothing(clause, place, shown=shown):
            hint, why = "a word that only has to be there is `_`", ", and nothing is asked of it"
            fix = Fix(name.span, "_", safe=not shown)  # a match says of each of its words, so there would be fewer
            yield self.subject.report(CODE, name.span, hint=hint, fix=fix, name=name.text, why=why)


def _stem(name: str) -> str:
    return name.rstrip("0123456789")


def _says_nothing(clause: nodes.Chain, place: int, *, shown: bool) -> bool:
    term = terms(clause)[place]
    if term.upos or term.test is not None or not clause.links or place not in (0, len(clause.links)):
        return False
    relation = clause.links[0 if place == 0 else -1].relation
    return not (shown and isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None)
