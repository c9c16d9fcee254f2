"""A filter as sentences of plain English, one condition a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from fictdsl.compiler import CompiledFilter
from fictdsl.english.actions import opening
from fictdsl.english.phrases import listed, spelt
from fictdsl.english.relations import compared, may_be_one_word, related
from fictdsl.english.tests import said, tagged
from fictdsl.english.words import Mention, Words
from fictdsl.semantics.lower.expand import terms
from fictdsl.semantics.walk import all_names
from fictdsl.syntax import nodes


def describe(compiled: CompiledFilter) -> list[str]:
    """The lines: what is done, and under which conditions, indented as the blocks are."""
    words = Words.of(compiled)
    match = compiled.definition.match
    return [opening(compiled.definition.actions, _named(match, words)), *_block(match, words, "  ")]


def _named(match: nodes.Block, words: Words) -> str:
    names = words.owned(match)
    if len(names) < 2:
        return f"a word {names[0]}" if names else ""
    return f"{'' if may_be_one_word(match) else 'different '}words {listed(names)}"


def _block(block: nodes.Block, words: Words, indent: str) -> Iterator[str]:
    for clause in block.clauses:
        if _says_nothing(clause, block):
            continue
        for line in _clause(clause, words):
            yield indent + line


def _says_nothing(clause: nodes.Clause, block: nodes.Block) -> bool:
    """Whether it only brings in a word of which the block says more."""
    match clause:
        case nodes.Chain(first=nodes.NodeTerm(name=nodes.Name(text=text)) as first, links=()) if not _tested(first):
            others = (other for other in block.clauses if other != clause)
            return any(name.text == text for other in others for name in all_names(other))
    return False


def _clause(clause: nodes.Clause, words: Words) -> Iterator[str]:
    match clause:
        case nodes.Chain():
            yield from _chain(clause, words)
        case nodes.Between():
            parts = [words.node(term, once=not _tested(term)) for term in terms(clause)]
            middle, left, right = (part.say() for part in parts)
            yield f"· {middle} stands between {left} and {right}"
            for term, part in zip(terms(clause), parts, strict=True):
                yield from _tests(term, part, words)
        case nodes.Relate():
            yield f"· {compared(clause, words)}"
        case nodes.Without(block=block):
            yield f"· {_none(block, words)}"
            with words.inside(words.owned(block)):
                yield from _block(block, words, "    ")
        case nodes.Either():
            yield from _either(clause, words)
        case nodes.Count():
            yield from _count(clause, words)
        case nodes.SentenceTest(test=test):
            yield from (f"· {said(part, 'the sentence', words)}" for part in _parts(test))
        case nodes.Call():
            yield from _call(clause, words)
        case _:
            assert_never(clause)


def _either(clause: nodes.Either, words: Words) -> Iterator[str]:
    met = words.met.anything
    for number, branch in enumerate(clause.branches):
        names = words.owned(branch)
        some = f" there {_are(names, _other(branch, words))} such that" if names else ""
        yield ("· either" if number == 0 else "  or") + some
        with words.inside(names):
            yield from _block(branch, words, "    ")
            met = met or words.met.anything
    words.met.anything = met  # what follows stands beside the branch that was taken


def _none(block: nodes.Block, words: Words) -> str:
    """The opening of a `without`."""
    names, other = words.owned(block), _other(block, words)
    if not names:
        return "it is not the case that" + (" all of this holds" if len(block.clauses) > 1 else "")
    if len(names) == 1:
        return f"there is no {other}word {names[0]} such that"
    return f"there are no {spelt(len(names))} {other}words {listed(names)} such that"


def _other(block: nodes.Block, words: Words) -> str:
    """That the words of a block differ from those met before, but for a `->>{0..}`."""
    return "other " if words.met.anything and not may_be_one_word(block) else ""


def _are(names: Sequence[str], other: str) -> str:
    if len(names) == 1:
        return f"is {'an' if other else 'a '}{other}word {names[0]}"
    return f"are {spelt(len(names))} {other}words {listed(names)}"


def _count(clause: nodes.Count, words: Words) -> Iterator[str]:
    number, name = clause.number, words.node(clause.node, once=False)
    owned = words.owned(clause.block)
    others = [node for node in owned if node != name.later]
    other = _other(clause.block, words)
    if number == 0:
        amount = f"no {other}word {name.later}"
    else:
        amount = f"{clause.quantifier} {number} {other}word{'' if number == 1 else 's'} {name.later}"
    each = f", {'' if number == 1 else 'each '}with {_with(others)}" if others else ""
    yield f"· there {'is' if number < 2 else 'are'} {amount}{each} such that"
    with words.inside(owned):
        for line in _tests(clause.node, name, words):
            yield f"    {line}"
        yield from _block(clause.block, words, "    ")


def _with(names: Sequence[str]) -> str:
    return f"another word {names[0]}," if len(names) == 1 else f"{spelt(len(names))} other words {listed(names)},"


def _call(clause: nodes.Call, words: Words) -> Iterator[str]:
    given = [
        words.unnamed(once=False) if argument is None else Mention(*[words.name(argument.text)] * 2)
        for argument in clause.arguments
    ]
    of = f" of {listed([mention.say() for mention in given])}" if given else ""
    block, inside = words.pattern(clause, [mention.later for mention in given])
    own = inside.owned(block)
    with_ = f", with {_with(own).rstrip(',')}" if own else ""
    yield f"· the pattern {clause.pattern.text} holds{of}{with_}"
    yield from _block(block, inside, "    ")


def _chain(chain: nodes.Chain, words: Words) -> Iterator[str]:
    row = terms(chain)
    inner = range(1, len(row) - 1)
    names = [words.node(term, once=not _tested(term) and place not in inner) for place, term in enumerate(row)]
    yield from _tests(row[0], names[0], words)
    if not chain.links and not _tested(row[0]):
        yield f"· {names[0].say()} is any word" if row[0].name is not None else f"· there is {names[0].say()}"
    for number, link in enumerate(chain.links):
        left, right = (names[number].say(), names[number + 1].say())
        yield f"· {related(link.relation, left, right, words)}"
        yield from _tests(row[number + 1], names[number + 1], words)


def _tested(term: nodes.NodeTerm) -> bool:
    return bool(term.upos) or term.test is not None


def _tests(term: nodes.NodeTerm, name: Mention, words: Words) -> Iterator[str]:
    if term.upos:
        yield f"· {tagged([words.value(atom) for atom in term.upos], name.say())}"
    for test in _parts(term.test):
        yield f"· {said(test, name.say(), words)}"


def _parts(test: nodes.Test | None) -> tuple[nodes.Test, ...]:
    """The tests that a comma joins, each of which gets a line."""
    return test.tests if isinstance(test, nodes.And) else () if test is None else (test,)
