"""Weaken a filter by removing one condition at a time, to find near misses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar import without_comments
from fictdsl.syntax.walk import all_names

Clauses = tuple[nodes.Clause, ...]


@dataclass(frozen=True, slots=True)
class WeakerFilter:
    removed: str
    line: int
    definition: nodes.FilterDef


def weaker_filters(source: Source, definition: nodes.FilterDef) -> Iterator[WeakerFilter]:
    """Yield, for each condition, the filter without it, in the order of the text. The results have no actions.

    A condition is a test of a node or sentence, the UPOS of a node, the labels of a relation, a relation, or any other
    clause except `maybe` and `may be`. An `either` is also weakened branch by branch. No block loses its last clause.
    A node without a condition is removed, since it would only require one more word, unless its block would be empty.
    """
    for text, start, block in _Weakening(source).block(definition.match):
        weaker = replace(definition, match=_without_bare_names(block, Counter(_texts(block))), actions=())
        yield WeakerFilter(" ".join(text.split()), source.position(start)[0], weaker)


WeakerClause = tuple[str, int, Clauses]  # the removed condition's text, its start, the clauses that remain


@dataclass(frozen=True, slots=True)
class _Weakening:
    source: Source

    def _text(self, span: Span) -> str:
        return without_comments(self.source.text, span.start, span.end)

    def block(self, block: nodes.Block) -> Iterator[tuple[str, int, nodes.Block]]:
        for index, clause in enumerate(block.clauses):
            earlier_clauses, later_clauses = block.clauses[:index], block.clauses[index + 1 :]
            for text, start, weakened in self._clause(clause):
                others = (*earlier_clauses, *later_clauses)
                if weakened or others:
                    clauses = (*earlier_clauses, *(weakened or _kept_nodes(clause, others)), *later_clauses)
                    yield text, start, replace(block, clauses=clauses)

    def _clause(self, clause: nodes.Clause) -> Iterator[WeakerClause]:
        match clause:
            case nodes.Chain(first, links):
                yield from self._chain(clause, first, links)
            case nodes.Between(middle, left, right):
                yield from self._terms(clause, "middle", "left", "right")
                text = f"{_name(middle)} between {_name(left)} and {_name(right)}"
                yield text, clause.span.start, _as_chains(middle, left, right)
            case nodes.Crossing(left, right):
                yield from self._terms(clause, "left", "right")
                yield f"crossing {_name(left)}, {_name(right)}", clause.span.start, _as_chains(left, right)
            case nodes.SentenceTest(test):
                for text, start, remaining_test in self._tests(test):
                    yield (
                        f"sentence[{text}]",
                        start,
                        () if remaining_test is None else (replace(clause, test=remaining_test),),
                    )
            case nodes.Either(branches):
                yield from self._either(clause, branches)
            case nodes.Maybe() | nodes.Coincide():
                pass  # no condition
            case _:
                yield self._whole(clause)

    def _either(self, clause: nodes.Either, branches: tuple[nodes.Block, ...]) -> Iterator[WeakerClause]:
        for index, branch in enumerate(branches):
            for text, start, changed in self.block(branch):
                yield text, start, (replace(clause, branches=(*branches[:index], changed, *branches[index + 1 :])),)
        yield self._whole(clause)

    def _whole(self, clause: nodes.Clause) -> WeakerClause:
        return self._text(clause.span), clause.span.start, ()

    def _terms(self, clause: nodes.Between | nodes.Crossing, *fields: str) -> Iterator[WeakerClause]:
        for field in fields:
            for text, start, changed in self._term(getattr(clause, field)):
                yield text, start, (replace(clause, **{field: changed}),)  # type: ignore[arg-type]

    def _chain(
        self, chain: nodes.Chain, first: nodes.NodeTerm, links: tuple[nodes.Link, ...]
    ) -> Iterator[WeakerClause]:
        for text, start, term in self._term(first):
            yield text, start, (replace(chain, first=term),)
        left = first
        for index, link in enumerate(links):
            earlier_links, later_links = links[:index], links[index + 1 :]
            relation, target = link.relation, link.target
            relation_text = f"{_name(left)} {self._text(relation.span)} {_name(target)}"
            if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                labels = self._text(relation.labels.span)
                unlabelled = replace(link, relation=replace(relation, labels=None))
                weaker = replace(chain, links=(*earlier_links, unlabelled, *later_links))
                yield f"label {labels} in {relation_text}", relation.span.start, (weaker,)
            left_part = replace(chain, links=earlier_links)
            yield (
                relation_text,
                relation.span.start,
                (*_unless_underscore(left_part), *_unless_underscore(replace(chain, first=target, links=later_links))),
            )
            for text, start, term in self._term(target):
                yield text, start, (replace(chain, links=(*earlier_links, replace(link, target=term), *later_links)),)
            left = target

    def _term(self, term: nodes.NodeTerm) -> Iterator[tuple[str, int, nodes.NodeTerm]]:
        if term.upos:
            span = term.upos[0].span.to(term.upos[-1].span)
            yield f"{_name(term)}:{self._text(span)}", span.start, replace(term, upos=())
        if term.test is not None:
            for text, start, remaining_test in self._tests(term.test):
                yield f"{_name(term)}[{text}]", start, replace(term, test=remaining_test)

    def _tests(self, test: nodes.Test) -> Iterator[tuple[str, int, nodes.Test | None]]:
        conjuncts = test.tests if isinstance(test, nodes.And) else (test,)
        for index, conjunct in enumerate(conjuncts):
            others = (*conjuncts[:index], *conjuncts[index + 1 :])
            remaining_test = (
                None if not others else others[0] if len(others) == 1 else nodes.And(others, span=test.span)
            )
            yield self._text(conjunct.span), conjunct.span.start, remaining_test


def _name(term: nodes.NodeTerm) -> str:
    return "_" if term.name is None else term.name.text


def _as_chains(*terms: nodes.NodeTerm) -> Clauses:
    return tuple(chain for term in terms for chain in _unless_underscore(nodes.Chain(term, (), span=term.span)))


def _kept_nodes(removed: nodes.Clause, others: Clauses) -> Clauses:
    """Return the nodes that only a removed clause introduces; else a block that refers to them would have its own."""
    introduced = {name for clause in others for name in _introduced_names(clause)}
    names = (name for name in _introduced_names(removed) if name not in introduced)
    terms = (nodes.NodeTerm(nodes.Name(name, span=removed.span), (), None, span=removed.span) for name in names)
    return tuple(nodes.Chain(term, (), span=term.span) for term in terms)


def _introduced_names(clause: nodes.Clause) -> list[str]:
    """Return the names of nodes that a clause introduces to its block. An `either` does so in every branch."""
    match clause:
        case nodes.Without() | nodes.Count() | nodes.Maybe() | nodes.Coincide():
            return []
        case nodes.Either(branches):
            first, *others = (
                [name for each in branch.clauses for name in _introduced_names(each)] for branch in branches
            )
            return [name for name in dict.fromkeys(first) if all(name in names for names in others)]
    return list(dict.fromkeys(_texts(clause)))


def _unless_underscore(chain: nodes.Chain) -> Clauses:
    return () if _is_bare(chain) and chain.first.name is None else (chain,)


def _is_bare(clause: nodes.Clause) -> bool:
    return isinstance(clause, nodes.Chain) and not (clause.links or clause.first.upos or clause.first.test)


def _without_bare_names(block: nodes.Block, uses: Counter[str]) -> nodes.Block:
    clauses: list[nodes.Clause] = []
    for clause in block.clauses:
        if isinstance(clause, nodes.Either):
            clauses.append(
                replace(clause, branches=tuple(_without_bare_names(branch, uses) for branch in clause.branches))
            )
        elif not (_is_bare(clause) and all(uses[name] == 1 for name in _texts(clause))):
            clauses.append(clause)
    return replace(block, clauses=tuple(clauses)) if clauses else block


def _texts(part: object) -> Iterator[str]:
    return (name.text for name in all_names(part))
