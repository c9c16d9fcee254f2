"""Describe a filter in plain English, with one condition per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from fictdsl.compiler import CompiledFilter, CompiledRewrite
from fictdsl.english.actions import opening
from fictdsl.english.phrases import listed, number_word
from fictdsl.english.relations import describe_comparison, describe_relation, may_be_one_word
from fictdsl.english.rewrites import UNCHANGED, action_phrase
from fictdsl.english.tests import describe_test, describe_tuple, tagged
from fictdsl.english.words import Mention, Names
from fictdsl.semantics.lower.expand import terms
from fictdsl.semantics.walk import all_names
from fictdsl.syntax import nodes


def describe(compiled: CompiledFilter) -> list[str]:
    """Return the lines of the description: the actions, then the conditions, indented like their blocks."""
    words = Names.of(compiled)
    match = compiled.definition.match
    return [opening(compiled.definition.actions, _named(match, words)), *_block(match, words, "  ")]


def describe_rewrite(rewrite: CompiledRewrite) -> list[str]:
    """Return the lines of the description of a rewrite: where it applies, the conditions, and its actions in order."""
    words = Names.of(rewrite.matching)
    match = rewrite.definition.match
    named = _named(match, words)
    if rewrite.matches_everywhere:
        opened = "Rewrites every sentence"
    elif named:
        opened = f"Rewrites a sentence wherever it has {named} such that"
    else:
        opened = "Rewrites every sentence of which this is true:"
    actions = [f"  {number}. {action_phrase(action)}" for number, action in enumerate(rewrite.definition.actions, 1)]
    as_is = [UNCHANGED[kind] for kind in sorted(rewrite.as_is)]
    return [opened, *_block(match, words, "  "), "and then, in this order:", *actions, *as_is]


def _named(match: nodes.Block, words: Names) -> str:
    names = words.owned(match)
    if len(names) < 2:
        return f"a word {names[0]}" if names else ""
    return f"{'' if may_be_one_word(match) else 'different '}words {listed(names)}"


def _block(block: nodes.Block, words: Names, indent: str) -> Iterator[str]:
    for clause in block.clauses:
        if _is_redundant(clause, block):
            continue
        for line in _clause(clause, words):
            yield indent + line


def _is_redundant(clause: nodes.Clause, block: nodes.Block) -> bool:
    """Return whether a clause only introduces a word that other clauses of the block mention."""
    match clause:
        case nodes.Chain(first=nodes.NodeTerm(name=nodes.Name(text=text)) as first, links=()) if not _tested(first):
            others = (other for other in block.clauses if other != clause)
            return any(name.text == text for other in others for name in all_names(other))
    return False


def _clause(clause: nodes.Clause, words: Names) -> Iterator[str]:
    match clause:
        case nodes.Chain():
            yield from _chain(clause, words)
        case nodes.Crossing():
            parts = [words.node(term, once=not _tested(term)) for term in terms(clause)]
            yield f"· the edges into {parts[0].use()} and into {parts[1].use()} cross"
            for term, part in zip(terms(clause), parts, strict=True):
                yield from _tests(term, part, words)
        case nodes.Coincide(left=left_name, right=right_name):
            yield f"· {words.name(left_name.text)} and {words.name(right_name.text)} may be the same word"
        case nodes.Maybe(block=block):
            yield f"· if possible, {_some(block, words)}"
            with words.inside(words.owned(block)):
                yield from _block(block, words, "    ")
        case nodes.Between():
            parts = [words.node(term, once=not _tested(term)) for term in terms(clause)]
            middle, left, right = (part.use() for part in parts)
            yield f"· {middle} is between {left} and {right}"
            for term, part in zip(terms(clause), parts, strict=True):
                yield from _tests(term, part, words)
        case nodes.TupleMember():
            yield f"· {describe_tuple(clause, words)}"
        case nodes.AttributeComparison():
            yield f"· {describe_comparison(clause, words)}"
        case nodes.Without(block=block):
            yield f"· {_none(block, words)}"
            with words.inside(words.owned(block)):
                yield from _block(block, words, "    ")
        case nodes.Either():
            yield from _either(clause, words)
        case nodes.Count():
            yield from _count(clause, words)
        case nodes.SentenceTest(test=test):
            yield from (f"· {describe_test(part, 'the sentence', words)}" for part in _parts(test))
        case nodes.Call():
            yield from _call(clause, words)
        case _:
            assert_never(clause)


def _either(clause: nodes.Either, words: Names) -> Iterator[str]:
    mentioned = words.state.word_mentioned
    for number, branch in enumerate(clause.branches):
        names = words.owned(branch)
        existence = f" there {_are(names, _other(branch, words))} such that" if names else ""
        yield ("· either" if number == 0 else "  or") + existence
        with words.inside(names):
            yield from _block(branch, words, "    ")
            mentioned = mentioned or words.state.word_mentioned
    words.state.word_mentioned = mentioned  # a word mentioned in any branch counts for the clauses after the `either`


def _none(block: nodes.Block, words: Names) -> str:
    """Return the first line of a `without`."""
    names, other = words.owned(block), _other(block, words)
    if not names:
        return "it is not the case that" + (" all of this holds" if len(block.clauses) > 1 else "")
    if len(names) == 1:
        return f"there is no {other}word {names[0]} such that"
    return f"there are no {number_word(len(names))} {other}words {listed(names)} such that"


def _some(block: nodes.Block, words: Names) -> str:
    """Return the first line of a `maybe`."""
    names = words.owned(block)
    return f"there {_are(names, _other(block, words))} such that" if names else "all of this holds"


def _other(block: nodes.Block, words: Names) -> str:
    """Return `other ` if the words of a block differ from those mentioned before; `->>{0..}` allows equal words."""
    return "other " if words.state.word_mentioned and not may_be_one_word(block) else ""


def _are(names: Sequence[str], other: str) -> str:
    if len(names) == 1:
        return f"is {'an' if other else 'a '}{other}word {names[0]}"
    return f"are {number_word(len(names))} {other}words {listed(names)}"


def _count(clause: nodes.Count, words: Names) -> Iterator[str]:
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
    return f"another word {names[0]}," if len(names) == 1 else f"{number_word(len(names))} other words {listed(names)},"


def _call(clause: nodes.Call, words: Names) -> Iterator[str]:
    arguments = [
        words.unnamed(once=False) if argument is None else Mention(*[words.name(argument.text)] * 2)
        for argument in clause.arguments
    ]
    of = f" of {listed([mention.use() for mention in arguments])}" if arguments else ""
    block, inside = words.pattern(clause, [mention.later for mention in arguments])
    owned = inside.owned(block)
    with_ = f", with {_with(owned).rstrip(',')}" if owned else ""
    yield f"· the pattern {clause.pattern.text} holds{of}{with_}"
    yield from _block(block, inside, "    ")


def _chain(chain: nodes.Chain, words: Names) -> Iterator[str]:
    row = terms(chain)
    inner = range(1, len(row) - 1)
    names = [words.node(term, once=not _tested(term) and index not in inner) for index, term in enumerate(row)]
    yield from _tests(row[0], names[0], words)
    if not chain.links and not _tested(row[0]):
        yield f"· {names[0].use()} is any word" if row[0].name is not None else f"· there is {names[0].use()}"
    for number, link in enumerate(chain.links):
        left, right = (names[number].use(), names[number + 1].use())
        yield f"· {describe_relation(link.relation, left, right, words)}"
        yield from _tests(row[number + 1], names[number + 1], words)


def _tested(term: nodes.NodeTerm) -> bool:
    return bool(term.upos) or term.test is not None


def _tests(term: nodes.NodeTerm, name: Mention, words: Names) -> Iterator[str]:
    if term.upos:
        yield f"· {tagged([words.value(atom) for atom in term.upos], name.use())}"
    for test in _parts(term.test):
        yield f"· {describe_test(test, name.use(), words)}"


def _parts(test: nodes.Test | None) -> tuple[nodes.Test, ...]:
    """Return the tests that commas join; each gets a line."""
    return test.tests if isinstance(test, nodes.And) else () if test is None else (test,)
