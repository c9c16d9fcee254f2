"""Describe a filter and its actions in plain English, with one condition per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from fictdsl.compiler import CompiledFilter, CompiledRewrite
from fictdsl.english.clauses import (
    Mention,
    Names,
    describe_comparison,
    describe_relation,
    describe_sums,
    describe_tags,
    describe_test,
    describe_tuple,
    joined,
    may_be_one_word,
    quoted,
)
from fictdsl.syntax import nodes
from fictdsl.syntax.terms import atom, node_attribute
from fictdsl.syntax.walk import all_names, simple_tests, terms
from fictdsl.words import article, inflected, listed, number_word

UNCHANGED = {
    "article": "The articles *a* and *an* stay as they are.",
    "case": "Capital letters stay as they are.",
}


def action_phrase(action: nodes.Rewriting, names: Names) -> str:
    match action:
        case nodes.Delete(target=target):
            return f"deletes {_target_phrase(target)}"
        case nodes.Move(target=target, side=side, destination=destination):
            return f"moves {_target_phrase(target)} {_position_phrase(side, destination)}"
        case nodes.Swap(target=target, other=other):
            return f"swaps {_target_phrase(target)} with {_target_phrase(other)}"
        case nodes.Insert():
            return _insertion(action, names)
        case nodes.Set(attribute=attribute, value=nodes.Value(text="_", quoted=False)):
            return f"removes {node_attribute(attribute)}"
        case nodes.Set(attribute=attribute, value=value):
            return f"sets {node_attribute(attribute)} to {_value(value, names)}"
        case nodes.Reverse(target=target):
            return f"reverses {_target_phrase(target)}"
        case nodes.Order(target=target):
            return f"orders the dependents of every head in {_target_phrase(target)} {_order(action)}"
        case nodes.Shuffle(target=target):
            return f"shuffles {_target_phrase(target)}{_shuffle(action)}"
        case nodes.Interleave(target=target):
            return f"puts the 1st, 3rd, 5th, … word of {_target_phrase(target)} before the others"
        case _:
            assert_never(action)


def _target_phrase(target: nodes.Target, below: str = "below it") -> str:
    names = [name.text for name in target.nodes]
    match target.kind:
        case "sentence":
            return "the sentence"
        case "node":
            return names[0]
        case "subtree":
            return f"{names[0]} and all words {below}"
    return f"all words from {listed(names, 'to')}"


def _position_phrase(side: str, destination: nodes.Target) -> str:
    if destination.kind == "sentence":
        return "to the beginning of the sentence" if side == "before" else "to the end of the sentence"
    return f"immediately {side} {_target_phrase(destination)}"


def _insertion(action: nodes.Insert, names: Names) -> str:
    tests = () if action.test is None else simple_tests(action.test)
    columns = [
        f"{node_attribute(nodes.NodeAttribute(action.head, part.attribute, span=part.span)).partition('.')[2]} "
        f"{_text(part.values[0], names)}"
        for part in tests
        if isinstance(part, nodes.Compare)
    ]
    word = quoted([names.value(action.word)])[0]
    column_list = f" ({', '.join(columns)})" if columns else ""
    position = _position_phrase(action.side, action.destination)
    insertion_position = position.replace("to the", "at the", 1) if action.destination.kind == "sentence" else position
    label = _text(action.label, names)
    dependent = f"{article(label)} {label} dependent of {action.head.text}"
    return f"inserts {word}{column_list} {insertion_position}, as {dependent}"


def _text(item: nodes.Atom | nodes.RegexValue, names: Names) -> str:
    return names.value(item) if isinstance(item, nodes.Param) else atom(item)


def _value(value: nodes.Atom | nodes.NodeAttribute | nodes.Function, names: Names) -> str:
    match value:
        case nodes.NodeAttribute(attribute=attribute) if attribute.lower:
            return f"{node_attribute(value).removeprefix('lower(').removesuffix(')')} in lower case"
        case nodes.NodeAttribute():
            return node_attribute(value)
        case nodes.Function(name="inflect", argument=argument, tag=tag):
            return f"the {tag.text if tag else ''} form of {node_attribute(argument)}"
        case nodes.Function(name=name, argument=argument):
            case = "in upper case" if name == "upper" else "capitalized"
            return f"{node_attribute(argument)} {case}"
        case nodes.Value() | nodes.Param():
            return quoted([names.value(value)])[0]
        case _:
            assert_never(value)


def _order(action: nodes.Order) -> str:
    if action.key == "chance":
        return "by length, with the shortest or the longest first at random"
    first_dependents = "longest" if action.descending or action.head_final else "shortest"
    head_phrase = ", and puts the head after them" if action.head_final else ""
    return f"by length, the {first_dependents} first{head_phrase}"


def _shuffle(action: nodes.Shuffle) -> str:
    if action.window is not None:
        return f" within windows of {action.window} words"
    return ", with the same permutation for all sentences of equal length" if action.by_length else ""


DEFAULT_MASK = "<mask>"
_TAGS = {"upos": "UPOS tag", "xpos": "XPOS tag", "deprel": "relation label"}
_SENTENCE_PHRASES = {
    "remove": "Removes every sentence",
    "keep": "Keeps only the sentences",
    "count": "Counts every sentence",
}


def opening_line(actions: Sequence[nodes.Action], words: str) -> str:
    if len(actions) < 2 and all(action.target.kind == "sentence" for action in actions):
        verb = actions[0].verb if actions else "remove"
        have = "have" if verb == "keep" else "has"
        return f"{_SENTENCE_PHRASES[verb]} {f'that {have} {words} such that' if words else 'of which this is true:'}"
    verb_phrases = [_verb_phrase(action) for action in actions]
    predicate = verb_phrases[0] if len(verb_phrases) == 1 else joined(verb_phrases, "and")
    condition = f"wherever a sentence has {words} such that" if words else "wherever this is true of a sentence:"
    return f"{predicate[:1].upper()}{predicate[1:]}, {condition}"


def _verb_phrase(action: nodes.Action) -> str:
    target = _target_phrase(action.target, "below it in the tree")
    if action.verb != "mask":
        others = " and drops all others" if action.verb == "keep" else ""
        return f"{action.verb}s {target}{others}"
    is_one_word = action.target.kind == "node"
    if action.tag is not None:
        tag = f"its {_TAGS[action.tag]}" if is_one_word else f"their {_TAGS[action.tag]}s"
        return f"replaces {target} by {tag}"
    text = DEFAULT_MASK if action.replacement is None else action.replacement.text
    note = "" if is_one_word else " (one for each unbroken run of words)"
    return f"replaces {target} by {quoted([text])[0]}{note}"


def describe(compiled: CompiledFilter) -> list[str]:
    """Return a line for the actions, and a line for each condition, indented like the blocks."""
    names = Names.of(compiled)
    match = compiled.definition.match
    return [opening_line(compiled.definition.actions, _words_phrase(match, names)), *_block(match, names, "  ")]


def describe_rewrite(rewrite: CompiledRewrite) -> list[str]:
    names = Names.of(rewrite.matching)
    match = rewrite.definition.match
    first_line = "Rewrites every sentence"
    if words := _words_phrase(match, names):
        first_line = f"Rewrites a sentence wherever it has {words} such that"
    elif not rewrite.matches_everywhere:
        first_line += " of which this is true:"
    actions = [
        f"  {number}. {action_phrase(action, names)}" for number, action in enumerate(rewrite.definition.actions, 1)
    ]
    as_is = [UNCHANGED[kind] for kind in sorted(rewrite.as_is)]
    return [first_line, *_block(match, names, "  "), "and then, in this order:", *actions, *as_is]


def _words_phrase(match: nodes.Block, names: Names) -> str:
    owned = names.owned(match)
    if len(owned) < 2:
        return f"a word {owned[0]}" if owned else ""
    return f"{'' if may_be_one_word(match) else 'different '}words {listed(owned)}"


def _block(block: nodes.Block, names: Names, indent: str) -> Iterator[str]:
    for clause in block.clauses:
        if _is_redundant(clause, block):
            continue
        for line in _clause(clause, names):
            yield indent + line


def _is_redundant(clause: nodes.Clause, block: nodes.Block) -> bool:
    """Return whether a clause only introduces a word that other clauses of the block mention."""
    match clause:
        case nodes.Chain(first=nodes.NodeTerm(name=nodes.Name(text=text)) as first, links=()) if not _has_tests(first):
            other_clauses = (other for other in block.clauses if other != clause)
            return any(name.text == text for other in other_clauses for name in all_names(other))
    return False


def _clause(clause: nodes.Clause, names: Names) -> Iterator[str]:
    match clause:
        case nodes.Chain():
            yield from _chain(clause, names)
        case nodes.Crossing() | nodes.Between():
            mentions = [names.node(term, once=not _has_tests(term)) for term in terms(clause)]
            words = [mention.use() for mention in mentions]
            if isinstance(clause, nodes.Between):
                yield f"· {words[0]} is between {words[1]} and {words[2]}"
            else:
                yield f"· the edges into {words[0]} and into {words[1]} cross"
            for term, mention in zip(terms(clause), mentions, strict=True):
                yield from _tests(term, mention, names)
        case nodes.Coincide(left=left_name, right=right_name):
            yield f"· {names.name(left_name.text)} and {names.name(right_name.text)} may be the same word"
        case nodes.Maybe(block=block) | nodes.Without(block=block):
            is_optional = isinstance(clause, nodes.Maybe)
            yield f"· if possible, {_maybe_line(block, names)}" if is_optional else f"· {_without_line(block, names)}"
            with names.inside(names.owned(block)):
                yield from _block(block, names, "    ")
        case nodes.TupleMember():
            yield f"· {describe_tuple(clause, names)}"
        case nodes.AttributeComparison():
            yield f"· {describe_comparison(clause, names)}"
        case nodes.SumComparison():
            yield f"· {describe_sums(clause, names)}"
        case nodes.Either():
            yield from _either(clause, names)
        case nodes.Count():
            yield from _count(clause, names)
        case nodes.SentenceTest(test=test):
            yield from (f"· {describe_test(part, 'the sentence', names)}" for part in _conjuncts(test))
        case nodes.Call():
            yield from _call(clause, names)
        case _:
            assert_never(clause)


def _either(clause: nodes.Either, names: Names) -> Iterator[str]:
    mentioned = names.state.word_mentioned
    for index, branch in enumerate(clause.branches):
        owned = names.owned(branch)
        existence = f" there {_existence(owned, _other(branch, names))} such that" if owned else ""
        yield ("· either" if index == 0 else "  or") + existence
        with names.inside(owned):
            yield from _block(branch, names, "    ")
            mentioned = mentioned or names.state.word_mentioned
    names.state.word_mentioned = mentioned  # a word mentioned in any branch counts for the clauses after the `either`


def _without_line(block: nodes.Block, names: Names) -> str:
    owned, other = names.owned(block), _other(block, names)
    if not owned:
        return "it is not the case that" + (" all of this holds" if len(block.clauses) > 1 else "")
    if len(owned) == 1:
        return f"there is no {other}word {owned[0]} such that"
    return f"there are no {number_word(len(owned))} {other}words {listed(owned)} such that"


def _maybe_line(block: nodes.Block, names: Names) -> str:
    owned = names.owned(block)
    return f"there {_existence(owned, _other(block, names))} such that" if owned else "all of this holds"


def _other(block: nodes.Block, names: Names) -> str:
    """Return `other ` if the words of the block must differ from one that was mentioned before, else an empty text."""
    return "other " if names.state.word_mentioned and not may_be_one_word(block) else ""


def _existence(words: Sequence[str], other: str) -> str:
    if len(words) == 1:
        return f"is {'an' if other else 'a '}{other}word {words[0]}"
    return f"are {number_word(len(words))} {other}words {listed(words)}"


def _count(clause: nodes.Count, names: Names) -> Iterator[str]:
    number, counted = clause.number, names.node(clause.node, once=False)
    owned = names.owned(clause.block)
    other_names = [node for node in owned if node != counted.later]
    other_word = _other(clause.block, names)
    if number == 0:
        amount = f"no {other_word}word {counted.later}"
    else:
        amount = f"{clause.quantifier} {number} {other_word}{inflected(number, 'word')} {counted.later}"
    companions = f", {'' if number < 2 else 'each '}with {_with_others(other_names)}" if other_names else ""
    yield f"· there {'is' if number < 2 else 'are'} {amount}{companions} such that"
    with names.inside(owned):
        for line in _tests(clause.node, counted, names):
            yield f"    {line}"
        yield from _block(clause.block, names, "    ")


def _with_others(words: Sequence[str]) -> str:
    return f"another word {words[0]}," if len(words) == 1 else f"{number_word(len(words))} other words {listed(words)},"


def _call(clause: nodes.Call, names: Names) -> Iterator[str]:
    arguments = [
        names.unnamed(once=False) if argument is None else Mention(*[names.name(argument.text)] * 2)
        for argument in clause.arguments
    ]
    arguments_phrase = f" of {listed([mention.use() for mention in arguments])}" if arguments else ""
    block, pattern_names = names.enter_pattern(clause, [mention.later for mention in arguments])
    owned = pattern_names.owned(block)
    owned_phrase = f", with {_with_others(owned).rstrip(',')}" if owned else ""
    yield f"· the pattern {clause.pattern.text} holds{arguments_phrase}{owned_phrase}"
    yield from _block(block, pattern_names, "    ")


def _chain(chain: nodes.Chain, names: Names) -> Iterator[str]:
    chain_terms = terms(chain)
    inner_indices = range(1, len(chain_terms) - 1)
    mentions = [
        names.node(term, once=not _has_tests(term) and index not in inner_indices)
        for index, term in enumerate(chain_terms)
    ]
    yield from _tests(chain_terms[0], mentions[0], names)
    if not chain.links and not _has_tests(chain_terms[0]):
        word = mentions[0].use()
        yield f"· there is {word}" if chain_terms[0].name is None else f"· {word} is any word"
    for index, link in enumerate(chain.links):
        left, right = (mentions[index].use(), mentions[index + 1].use())
        yield f"· {describe_relation(link.relation, left, right, names)}"
        yield from _tests(chain_terms[index + 1], mentions[index + 1], names)


def _has_tests(term: nodes.NodeTerm) -> bool:
    return bool(term.upos) or term.test is not None


def _tests(term: nodes.NodeTerm, word: Mention, names: Names) -> Iterator[str]:
    if term.upos:
        yield f"· {describe_tags([names.value(atom) for atom in term.upos], word.use())}"
    for test in _conjuncts(term.test):
        yield f"· {describe_test(test, word.use(), names)}"


def _conjuncts(test: nodes.Test | None) -> tuple[nodes.Test, ...]:
    return test.tests if isinstance(test, nodes.And) else () if test is None else (test,)
