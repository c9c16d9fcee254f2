"""Relations that no tree and no order of words satisfies together.

## What
A circle of `->` and `->>`, a word with two heads, a word that has the same head as the word above it, an edge that
bears the label `root`, and an order in which a word would have to stand before itself or in the place of another:
`<`, `<<{..}`, `between` and comparisons of `id` are reckoned together. The enhanced graph is left out, since it may
have circles.

## Why
The filter finds nothing, or the `without` never excludes anything.

## Example
```fict
filter f { match { V -[nsubj]-> S  V << S  S << V } }
```

## Use instead
```fict
filter f { match { V -[nsubj]-> S  S << V } }
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Severity
from fictdsl.lint.logic.relation_constraints import FAR, Known
from fictdsl.lint.subject import Subject
from fictdsl.semantics.walk import block_of, blocks_of, links, terms
from fictdsl.source import Span
from fictdsl.syntax import nodes

CODE = Code(
    "FICT515",
    "impossible-relations",
    "this relation cannot hold{why}",
    "No tree and no order of words satisfies these relations together, so the filter, or the block, finds nothing.",
    Severity.WARNING,
)


def check(subject: Subject) -> Iterator[Diagnostic]:
    """Add one relation after the other, in the order of the text, until one does not fit those before."""
    for item in subject.definitions:
        yield from _block(subject, block_of(item), Known())


def _block(subject: Subject, block: nodes.Block, known: Known) -> Iterator[Diagnostic]:
    known.may_coincide |= frozenset(_may_coincide(block))
    for clause in block.clauses:
        for span, says in _relations(clause):
            after = known.copy()
            why = says(after)
            if after.full:
                return
            why = why or after.contradiction()
            if why is None:
                known = after
            else:
                yield subject.report(CODE, span, why=why)
    for clause in block.clauses:
        for inner in blocks_of(clause):
            yield from _block(subject, inner, known.copy())


def _may_coincide(block: nodes.Block) -> Iterator[frozenset[str]]:
    """The pairs that a `->>{0..}` lets be one word; two arguments of a call, whatever the pattern says of them."""
    for clause in block.clauses:
        match clause:
            case nodes.Chain():
                for left, link in links(clause):
                    if isinstance(link.relation, nodes.Path) and _range(link.relation.bounds)[0] == 0:
                        yield frozenset((_node(left), _node(link.target)))
            case nodes.Either(branches=branches):
                for branch in branches:
                    yield from _may_coincide(branch)
            case nodes.Call(arguments=arguments):
                names = [argument.text for argument in arguments if argument is not None]
                yield from (frozenset(pair) for pair in combinations(names, 2))
            case _:
                pass


Says = Callable[[Known], str | None]


def _relations(clause: nodes.Clause) -> Iterator[tuple[Span, Says]]:
    """Each relation of a clause, as what it adds to what is known; what it gives back is already impossible."""
    match clause:
        case nodes.Chain():
            for left, link in links(clause):
                yield link.relation.span, _says(link.relation, _node(left), _node(link.target))
        case nodes.Between():
            middle, one, other = (_node(term) for term in terms(clause))
            yield clause.span, _says_between(middle, one, other)
        case nodes.Relate(left=one_side, op=op, right=other_side) if _are_ids(clause):
            yield clause.span, _says_compare(one_side.node.text, op, other_side.node.text)
        case _:
            pass


def _node(term: nodes.NodeTerm) -> str:
    return f"_{term.span.start}" if term.name is None else term.name.text


def _are_ids(clause: nodes.Relate) -> bool:
    return all((side.attribute.name, side.attribute.key) == ("id", None) for side in (clause.left, clause.right))


def _says(relation: nodes.Relation, left: str, right: str) -> Says:
    def says(known: Known) -> str | None:
        match relation:
            case nodes.Next():
                known.distance(left, right, 1, 1)
            case nodes.Before(bounds=bounds):
                low, high = _range(bounds)
                known.distance(left, right, low, high)
            case nodes.Siblings():
                known.names |= {left, right}
                known.siblings.add((left, right))
            case nodes.Path(bounds=bounds):
                known.names |= {left, right}
                low, high = _range(bounds)
                (known.above if low else known.above_or_same).add((left, right))
                if low == high == 1:
                    return known.head(left, right)
            case nodes.Edge(enhanced=False, from_dependent=reverse, labels=labels):
                if labels is not None and not labels.negated and all(_is_root(label) for label in labels.labels):
                    return ": the head of a root is no word, so no edge bears `root`"
                return known.head(right, left) if reverse else known.head(left, right)
            case _:
                pass
        return None

    return says


def _is_root(label: nodes.LabelTest) -> bool:
    return isinstance(label.label, nodes.Value) and label.label.text == "root"


def _range(bounds: nodes.Bounds | None) -> tuple[int, int]:
    if bounds is None:
        return 1, FAR
    return 1 if bounds.low is None else bounds.low, FAR if bounds.high is None else bounds.high


def _says_between(middle: str, one: str, other: str) -> Says:
    def says(known: Known) -> None:
        known.names |= {middle, one, other}
        known.between.append((middle, one, other))

    return says


def _says_compare(left: str, op: str, right: str) -> Says:
    def says(known: Known) -> str | None:
        one_word = frozenset((left, right)) in known.may_coincide
        match op:
            case "=" if not one_word:
                return ": two nodes are two words, with different ids"
            case "=":
                known.distance(left, right, 0, 0)
            case "<" | "<=":
                known.distance(left, right, 0 if one_word and op == "<=" else 1)
            case ">" | ">=":
                known.distance(right, left, 0 if one_word and op == ">=" else 1)
        return None

    return says
