"""A filter to weaker ones: the same filter with one condition left out, for each of its conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import assert_never

from fictdsl.source import Source
from fictdsl.syntax import nodes

Clauses = tuple[nodes.Clause, ...]


@dataclass(frozen=True, slots=True)
class Weaker:
    """A filter with the condition `left_out` missing; `line` is where that stands, from 1."""

    left_out: str
    line: int
    definition: nodes.FilterDef


def weaker(source: Source, definition: nodes.FilterDef) -> Iterator[Weaker]:
    """One filter for each condition, in the order of the text; actions are left out of all.

    Conditions are each test of a node and its UPOS, the labels of an edge, each relation, and each other clause
    whole: a `without` and a counting block are one condition. The branches of an `either` are gone into.
    A condition that stands alone in its block is never left out: without it the block would hold of anything. A name
    that is left without any condition goes with the last one: it would only ask for one more word.
    """
    for text, start, block in _Parts(source).block(definition.match):
        left = replace(definition, match=_tidy(block, Counter(_names(block))), actions=())
        yield Weaker(" ".join(text.split()), source.position(start)[0], left)


Part = tuple[str, int, Clauses]  # the condition in words, where it starts, the clauses without it


@dataclass(frozen=True, slots=True)
class _Parts:
    source: Source

    def text(self, start: int, end: int) -> str:
        return self.source.text[start:end]

    def block(self, block: nodes.Block) -> Iterator[tuple[str, int, nodes.Block]]:
        """The block without each of its conditions, as long as something is left."""
        for number, clause in enumerate(block.clauses):
            before, after = block.clauses[:number], block.clauses[number + 1 :]
            for text, start, instead in self.clause(clause):
                if clauses := (*before, *instead, *after):
                    yield text, start, replace(block, clauses=clauses)

    def clause(self, clause: nodes.Clause) -> Iterator[Part]:
        match clause:
            case nodes.Chain(first, links):
                yield from self._chain(clause, first, links)
            case nodes.Between(middle, left, right):
                for field, term in (("middle", middle), ("left", left), ("right", right)):
                    for text, start, changed in self._term(term):
                        yield text, start, (replace(clause, **{field: changed}),)  # type: ignore[arg-type]
                names = " and ".join(_name(term) for term in (left, right))
                yield f"{_name(middle)} between {names}", clause.span.start, _kept(middle, left, right)
            case nodes.SentenceTest(test):
                for text, start, rest in self._tests(test):
                    yield f"sentence[{text}]", start, () if rest is None else (replace(clause, test=rest),)
            case nodes.Either(branches):
                yield from self._either(clause, branches)
            case nodes.Relate() | nodes.Without() | nodes.Count() | nodes.Call():
                yield self.text(clause.span.start, clause.span.end), clause.span.start, ()
            case _:
                assert_never(clause)

    def _either(self, clause: nodes.Either, branches: tuple[nodes.Block, ...]) -> Iterator[Part]:
        for number, branch in enumerate(branches):
            for text, start, changed in self.block(branch):
                yield text, start, (replace(clause, branches=(*branches[:number], changed, *branches[number + 1 :])),)
        yield self.text(clause.span.start, clause.span.end), clause.span.start, ()

    def _chain(self, chain: nodes.Chain, first: nodes.NodeTerm, links: tuple[nodes.Link, ...]) -> Iterator[Part]:
        for text, start, term in self._term(first):
            yield text, start, (replace(chain, first=term),)
        left = first
        for number, link in enumerate(links):
            before, after = links[:number], links[number + 1 :]
            relation, target = link.relation, link.target
            name = f"{_name(left)} {self.text(relation.span.start, relation.span.end)} {_name(target)}"
            if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                labels = self.text(relation.labels.span.start, relation.labels.span.end)
                free = replace(link, relation=replace(relation, labels=None))
                yield f"label {labels} in {name}", relation.span.start, (replace(chain, links=(*before, free, *after)),)
            head = replace(chain, links=before)
            yield (
                name,
                relation.span.start,
                (*_unless_bare(head), *_unless_bare(replace(chain, first=target, links=after))),
            )
            for text, start, term in self._term(target):
                yield text, start, (replace(chain, links=(*before, replace(link, target=term), *after)),)
            left = target

    def _term(self, term: nodes.NodeTerm) -> Iterator[tuple[str, int, nodes.NodeTerm]]:
        if term.upos:
            first, last = term.upos[0].span, term.upos[-1].span
            yield f"{_name(term)}:{self.text(first.start, last.end)}", first.start, replace(term, upos=())
        if term.test is not None:
            for text, start, left in self._tests(term.test):
                yield f"{_name(term)}[{text}]", start, replace(term, test=left)

    def _tests(self, test: nodes.Test) -> Iterator[tuple[str, int, nodes.Test | None]]:
        """The test without each part between commas."""
        parts = test.tests if isinstance(test, nodes.And) else (test,)
        for number, part in enumerate(parts):
            rest = (*parts[:number], *parts[number + 1 :])
            left = None if not rest else rest[0] if len(rest) == 1 else nodes.And(rest, test.span)
            yield self.text(part.span.start, part.span.end), part.span.start, left


def _name(term: nodes.NodeTerm) -> str:
    return "_" if term.name is None else term.name.text


def _kept(*terms: nodes.NodeTerm) -> Clauses:
    return tuple(chain for term in terms for chain in _unless_bare(nodes.Chain(term, (), term.span)))


def _unless_bare(chain: nodes.Chain) -> Clauses:
    """The chain, or nothing where it is `_` alone."""
    return () if _is_bare(chain) and chain.first.name is None else (chain,)


def _is_bare(clause: nodes.Clause) -> bool:
    """Whether a clause is a name alone, without any condition."""
    return isinstance(clause, nodes.Chain) and not (clause.links or clause.first.upos or clause.first.test)


def _tidy(block: nodes.Block, uses: Counter[str]) -> nodes.Block:
    """The block without names that stand there alone and nowhere else, as long as something is left."""
    clauses: list[nodes.Clause] = []
    for clause in block.clauses:
        if isinstance(clause, nodes.Either):
            clauses.append(replace(clause, branches=tuple(_tidy(branch, uses) for branch in clause.branches)))
        elif not (_is_bare(clause) and all(uses[name] == 1 for name in _names(clause))):
            clauses.append(clause)
    return replace(block, clauses=tuple(clauses)) if clauses else block


def _names(part: object) -> Iterator[str]:
    """The names of nodes in a part of the tree, each as often as it stands there."""
    match part:
        case nodes.NodeTerm(name=nodes.Name(text)):
            yield text
        case nodes.NodeAttribute(node=node):
            yield node.text
        case nodes.Call(arguments=arguments):
            yield from (argument.text for argument in arguments if argument is not None)
        case tuple():
            for one in part:
                yield from _names(one)
        case _ if is_dataclass(part):
            for each in fields(part):
                yield from _names(getattr(part, each.name))
