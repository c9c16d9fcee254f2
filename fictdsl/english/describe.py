"""A filter as sentences of plain English, one condition a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from fictdsl.compiler import CompiledFilter
from fictdsl.english.words import Words, listed, said
from fictdsl.semantics.lower import match_names
from fictdsl.syntax import nodes


def describe(compiled: CompiledFilter) -> list[str]:
    """The lines: what is done, and under which conditions, indented as the blocks are."""
    words = Words(compiled)
    match = compiled.definition.match
    names = match_names(match)
    done = _action(compiled)
    if not names:
        opening = f"{done} in which"
    elif len(names) == 1:
        opening = f"{done} that has a word {names[0]} such that"
    else:
        opening = f"{done} that has different words {listed(names)} such that"
    return [opening, *_block(match, words, "  ")]


def _action(compiled: CompiledFilter) -> str:
    verbs = [action.verb for action in compiled.definition.actions] or ["remove"]
    said_as = {"remove": "removes every sentence", "keep": "keeps only a sentence", "count": "counts every sentence"}
    return listed([said_as[verb] for verb in dict.fromkeys(verbs)]).capitalize()


def _block(block: nodes.Block, words: Words, indent: str) -> Iterator[str]:
    for clause in block.clauses:
        for line in _clause(clause, words):
            yield indent + line


def _clause(clause: nodes.Clause, words: Words) -> Iterator[str]:
    match clause:
        case nodes.Chain():
            yield from _chain(clause, words)
        case nodes.Between(middle=middle, left=left, right=right):
            parts = [words.node(term) for term in (middle, left, right)]
            yield f"· {parts[0]} stands between {parts[1]} and {parts[2]}"
            yield from _tests((middle, left, right), parts, words)
        case nodes.Relate(left=left, op=op, right=right):
            yield f"· {_attribute(left, words)} {_compared(op, left)} {_attribute(right, words)}"
        case nodes.Without(block=block):
            yield "· there is no way to satisfy all of"
            yield from _block(block, words, "    ")
        case nodes.Either(branches=branches):
            for number, branch in enumerate(branches):
                yield "· either" if number == 0 else "  or"
                yield from _block(branch, words, "    ")
        case nodes.Count(quantifier=quantifier, number=number, node=node, block=block):
            name = words.node(node)
            noun = f"word {name}" if number == 1 else f"different words {name}"
            yield f"· there {'is' if number == 1 else 'are'} {quantifier} {number} {noun} such that"
            for line in _tests((node,), [name], words):
                yield f"    {line}"
            yield from _block(block, words, "    ")
        case nodes.SentenceTest(test=test):
            yield f"· {words.test(test, 'the sentence')}"
        case nodes.Call(pattern=pattern, arguments=arguments):
            given = [argument.text if argument is not None else "some word" for argument in arguments]
            yield f"· the pattern {pattern.text} holds" + (f" of {listed(given)}" if given else "")
            inner = words.pattern(clause)
            if inner is not None:
                yield from _block(inner[0], inner[1], "    ")
        case _:
            assert_never(clause)


def _chain(chain: nodes.Chain, words: Words) -> Iterator[str]:
    terms = [chain.first, *(link.target for link in chain.links)]
    names = [words.node(term) for term in terms]
    yield from _tests(terms[:1], names[:1], words)
    if not chain.links and not chain.first.upos and chain.first.test is None:
        yield f"· {names[0]} is any word"
    for number, link in enumerate(chain.links):
        yield f"· {_relation(link.relation, names[number], names[number + 1], words)}"
        yield from _tests(terms[number + 1 : number + 2], names[number + 1 : number + 2], words)


def _tests(terms: Sequence[nodes.NodeTerm], names: Sequence[str], words: Words) -> Iterator[str]:
    for term, name in zip(terms, names, strict=True):
        if term.upos:
            yield f"· {name} is {listed([words.value(atom) for atom in term.upos], 'or')}"
        tests = term.test.tests if isinstance(term.test, nodes.And) else (term.test,) if term.test else ()
        for test in tests:
            yield f"· {words.test(test, name)}"


def _relation(relation: nodes.Relation, left: str, right: str, words: Words) -> str:
    match relation:
        case nodes.Edge(labels=labels, from_dependent=from_dependent, enhanced=enhanced):
            head, dependent = (right, left) if from_dependent else (left, right)
            graph = " in the enhanced graph" if enhanced else ""
            return f"{dependent} depends on {head}{graph}{_labels(labels, words)}"
        case nodes.Path(labels=labels, bounds=bounds):
            steps = _steps(bounds)
            each = "" if labels is None else f", each step{_labels(labels, words)}"
            same = f", or is {left} itself" if bounds is not None and bounds.low == 0 else ""
            return f"{right} is {steps} below {left} in the tree{each}{same}"
        case nodes.Next():
            return f"{right} is the word right after {left}"
        case nodes.Before(bounds=bounds):
            far = "" if bounds is None else f", {_range(bounds)} words apart"
            return f"{left} stands before {right}{far}"
        case nodes.Siblings():
            return f"{left} and {right} have the same head"
    assert_never(relation)


def _labels(labels: nodes.Labels | None, words: Words) -> str:
    if labels is None:
        return ""
    parts = [
        f"exactly {words.value(label.label)}" if label.exact else f"{words.value(label.label)} (or a subtype)"
        for label in labels.labels
    ]
    return f" as {'anything but ' if labels.negated else ''}{listed(parts, 'or')}"


def _steps(bounds: nodes.Bounds | None) -> str:
    if bounds is None or (bounds.low in (0, 1) and bounds.high is None):
        return "somewhere"
    return f"{_range(bounds)} steps"


def _range(bounds: nodes.Bounds) -> str:
    low = 1 if bounds.low is None else bounds.low
    if bounds.high is None:
        return f"{low} or more"
    return str(low) if low == bounds.high else f"{low} to {bounds.high}"


def _attribute(side: nodes.NodeAttribute, words: Words) -> str:
    return said(side.attribute, words.name(side.node.text))


def _compared(op: str, side: nodes.NodeAttribute) -> str:
    number = side.attribute.name == "id" or side.attribute.key == "length"
    if op in ("=", "!="):
        return {"=": "is the same as", "!=": "is not the same as"}[op]
    assert number
    return {"<": "is less than", "<=": "is at most", ">": "is greater than", ">=": "is at least"}[op]
