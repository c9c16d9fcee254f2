"""Check the attributes, operators and values of tests of words and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import assert_never

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.diagnostics.suggest import is_misspelling, nearest
from fictdsl.schema import DECIMAL, KEYED, LOWERABLE, SENTENCE, WORD, AttributeEntry, Kind, feats_key, numbers_of
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.files import to_lower
from fictdsl.syntax.load import Module
from fictdsl.syntax.nodes import ORDER_OPERATORS, SUBSTRING_OPERATORS, quote
from fictdsl.syntax.walk import Level, simple_tests, values

ATTRIBUTES: Mapping[Level, Mapping[str, AttributeEntry]] = {"word": WORD, "sentence": SENTENCE}


def is_feature(name: str) -> bool:
    return name[:1].isupper()


def kind_of(attribute: nodes.Attribute, level: Level) -> Kind | None:
    if level == "word" and is_feature(attribute.name):
        return Kind.FEATURE
    entry = ATTRIBUTES[level].get(attribute.full_name)
    lacks_key = attribute.name in KEYED and attribute.key is None
    return None if entry is None or lacks_key else entry.kind


_NUMBER = re.compile(DECIMAL)
_MAX_NUMBER_LENGTH = 400  # characters: a float has at most 309 digits before the decimal point
_EMPTY_NODE_ID = re.compile(r"[0-9]+\.[0-9]*[1-9][0-9]*")
_FEATURE = re.compile(r"[^=|\s]+=[^=|\s]+")
_COLUMN_BY_OTHER_NAME = {
    **dict.fromkeys(("pos", "tag", "cpos", "cat", "pos_", "tag_"), "upos"),
    **dict.fromkeys(("rel", "label", "dep", "dep_", "relation"), "deprel"),
    **dict.fromkeys(("word", "str", "orth", "text_"), "form"),
}
_COLUMN_DESCRIPTIONS = {"upos": "universal POS tag", "deprel": "relation to the head", "form": "word form"}
OTHER_NAME_HINTS = {
    "head": "use a relation: `A -> B` says that A is the head of B",
    **{name: f"the {_COLUMN_DESCRIPTIONS[column]} is `{column}`" for name, column in _COLUMN_BY_OTHER_NAME.items()},
}
# Frequent keys of MISC and comments in UD treebanks.
_MISC_KEYS = (
    "SpaceAfter", "SpacesAfter", "SpacesBefore", "Translit", "LTranslit", "Gloss", "LGloss", "MGloss", "MSeg", "Lang",
    "Ref", "LId", "LDeriv", "Vform", "Root", "CorrectForm", "CorrectSpaceAfter", "Entity", "start_char", "end_char",
)  # fmt: skip
_COMMENT_KEYS = ("translit", "gloss", "speaker", "speaker_id", "genre", "source", "lang", "s_type", "date", "author")
_MAX_ENTRIES = 3  # entries reported for each list


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a test: its module, the resolution of names, and the family whose parameter it may use."""

    module: Module
    resolution: Resolution
    family: nodes.Family | None


def is_number(text: str) -> bool:
    """Return whether a text is a decimal number, short enough for every engine to compare."""
    return len(text) <= _MAX_NUMBER_LENGTH and _NUMBER.fullmatch(text) is not None


def check_test(test: nodes.Test, level: Level, context: Context) -> Iterator[Diagnostic]:
    for simple_test in simple_tests(test):
        problems = list(check_attribute(simple_test.attribute, level, context))
        yield from problems
        kind = kind_of(simple_test.attribute, level)
        if problems or kind is None:
            continue
        match simple_test:
            case nodes.Has():
                yield from _check_has(simple_test, kind, context)
            case nodes.Flag():
                pass
            case nodes.Compare():
                yield from _check_compare(simple_test, kind, context)
            case nodes.Member():
                yield from _check_all_values(simple_test, context, number=kind is Kind.NUMBER)
            case _:
                assert_never(simple_test)


_LENGTHS_OF_WORD = "a word has `form.length` characters, its subtree `length(subtree(X))` words"

# --- attributes -------------------------------------------------------------------------------------


def check_attribute(attribute: nodes.Attribute, level: Level, context: Context) -> Iterator[Diagnostic]:
    source, span = context.module.source, attribute.span
    name, key = attribute.name, attribute.key
    without_lower = replace(attribute, lower=False).text()
    fixed_names = ATTRIBUTES[level]
    if name not in fixed_names and not (level == "word" and is_feature(name)):
        yield _unknown_attribute(attribute, level, context)
        return
    if name in KEYED and key is None:
        examples = {"misc": "`misc.SpaceAfter`", "meta": "`meta.genre`"}
        yield diagnostic("FICT303", source, span, hint=f"for instance {examples[name]}", attribute=name)
    elif key is not None and not is_feature(name) and kind_of(attribute, level) is None:
        yield diagnostic("FICT304", source, span, hint=_numbers_hint(name), attribute=name, key=key)
    if attribute.lower and (name not in LOWERABLE or key is not None):
        yield diagnostic("FICT306", source, span, hint=f"write `{without_lower}`", attribute=without_lower)


def _numbers_hint(name: str) -> str | None:
    numbers = (f"its {entry.measured_noun} is `{name}.{key}`" for key, entry in numbers_of(name).items())
    return ", ".join(numbers) or None


def _unknown_attribute(attribute: nodes.Attribute, level: Level, context: Context) -> Diagnostic:
    source, name = context.module.source, attribute.name
    other_level: Level = "sentence" if level == "word" else "word"
    if name in ATTRIBUTES[other_level] or (other_level == "word" and is_feature(name)):
        hint = (
            f"a {other_level} is tested by `sentence[{replace(attribute, lower=False).text()} …]`"
            if other_level == "sentence"
            else "a word is tested at a node"
        )
        if name == "length" and level == "word":
            hint += f"; {_LENGTHS_OF_WORD}"
        return diagnostic("FICT302", source, attribute.span, hint=hint, attribute=name, other=other_level, place=level)
    suggested, name_hint = _likely_attribute(name, level)
    fix = None if suggested is None else _rename_fix(attribute, suggested, source)
    return diagnostic("FICT301", source, attribute.span, hint=name_hint, fix=fix, attribute=name, place=level)


def _likely_attribute(name: str, level: Level) -> tuple[str | None, str | None]:
    if level == "word" and name in OTHER_NAME_HINTS:
        return _COLUMN_BY_OTHER_NAME.get(name), OTHER_NAME_HINTS[name]
    from fictdsl.semantics.ud import FEATURES  # late: read from the glossary

    feature = next((feature for feature in FEATURES if feature.lower() == name.lower()), None)
    if feature is not None and level == "word":
        return feature, f"a feature begins with a capital: `{feature}`"
    key_hint = misc_hint(name) if level == "word" else _comment_hint(name)
    if key_hint is not None:
        return None, key_hint
    suggested = nearest(name, (known for known in ATTRIBUTES[level] if "." not in known))
    if suggested is None and level == "word" and nearest(name, ["length"]):
        return None, f"the nearest name is `length`; {_LENGTHS_OF_WORD}"
    return suggested, None if suggested is None else f"the nearest name is `{suggested}`"


def misc_hint(name: str) -> str | None:
    key = next((key for key in _MISC_KEYS if key.lower() == name.lower()), None)
    return None if key is None else f"the entry of MISC is `misc.{key}`"


def _comment_hint(name: str) -> str | None:
    if name in ("newdoc", "document"):
        return "the document is `doc`"
    return f"the comment is `meta.{name}`" if name in _COMMENT_KEYS or name.startswith("text_") else None


def _rename_fix(attribute: nodes.Attribute, suggested: str, source: Source) -> Fix | None:
    """Return a fix of the name in an attribute such as `lower(X.frm)`, safe if the name is probably a misspelling."""
    name, span = re.escape(attribute.name), attribute.span
    occurrence = re.compile(rf"(lower\s*\(\s*)?(\w+\s*\.\s*)?\b({name})\b").match(source.text, span.start, span.end)
    return (
        None
        if occurrence is None
        else Fix(Span(*occurrence.span(3)), suggested, is_misspelling(attribute.name, suggested))
    )


# --- operators and values -----------------------------------------------------------------------------


def _check_has(test: nodes.Has, kind: Kind, context: Context) -> Iterator[Diagnostic]:
    source = context.module.source
    if kind is Kind.PHRASE:
        yield diagnostic("FICT313", source, test.span)
    elif kind is Kind.FLAG:
        name = test.attribute.name
        yield diagnostic("FICT322", source, test.span, fix=Fix(test.span, name), attribute=name)
    elif test.attribute.lower:
        name = test.attribute.name
        yield diagnostic("FICT305", source, test.attribute.span, fix=Fix(test.attribute.span, name), attribute=name)


def _check_compare(test: nodes.Compare, kind: Kind, context: Context) -> Iterator[Diagnostic]:
    source, name, op = context.module.source, test.attribute.text(), test.op
    if kind is Kind.PHRASE and op not in ("=", "!="):
        yield diagnostic("FICT313", source, test.span)
        return
    if op in SUBSTRING_OPERATORS:
        if kind is Kind.NUMBER:
            yield diagnostic("FICT319", source, test.span, op=op, attribute=name)
        yield from _check_values(test, test.values, context, number=False)
        return
    if op == "==" and kind is not Kind.LABEL:
        fix = _operator_fix(test, context, "==", "=")
        yield diagnostic("FICT308", source, test.span, hint="write `=`", fix=fix, attribute=name)
        return
    regexes = [value for value in test.values if isinstance(value, nodes.RegexValue)]
    if regexes and (kind in (Kind.NUMBER, Kind.PHRASE) or op not in ("=", "!=")):
        yield from (diagnostic("FICT311", source, regex.span, attribute=name, op=op) for regex in regexes)
        return
    if op in ORDER_OPERATORS and len(test.values) > 1:
        yield diagnostic("FICT312", source, test.span, op=op, count=len(test.values))
    yield from _check_all_values(test, context, number=kind is Kind.NUMBER or op in ORDER_OPERATORS)


def _operator_fix(test: nodes.Compare, context: Context, written: str, replacement: str) -> Fix | None:
    operator_text = context.module.source.text[test.attribute.span.end : test.values[0].span.start]
    start = operator_text.find(written)
    if start < 0:
        return None
    start += test.attribute.span.end
    return Fix(Span(start, start + len(written)), replacement)


def _check_all_values(test: nodes.Compare | nodes.Member, context: Context, *, number: bool) -> Iterator[Diagnostic]:
    yield from _check_values(test, values(test), context, number=number)
    if not isinstance(test, nodes.Member) or not isinstance(test.values, nodes.ListRef):
        return
    if number or test.attribute.name == "feats":
        yield from islice(_check_entries(test.values, test.attribute, context, number=number), _MAX_ENTRIES)


def _check_values(
    test: nodes.Compare | nodes.Member,
    atoms: Sequence[nodes.Atom | nodes.RegexValue],
    context: Context,
    *,
    number: bool,
) -> Iterator[Diagnostic]:
    source, name = context.module.source, test.attribute.text()
    is_equality = isinstance(test, nodes.Member) or test.op in ("=", "!=")
    for value in atoms:
        for text, description in texts_of(value, context):
            if number and not is_number(text):
                hint = _numbers_hint(test.attribute.full_name)
                yield diagnostic("FICT310", source, value.span, hint=hint, value=description, attribute=name)
            elif number and name == "id" and is_equality and _EMPTY_NODE_ID.fullmatch(text):
                value_text = f"`{text}`, the id of an empty node,"
                hint = "nodes are words, whose ids are 1, 2, …"
                yield diagnostic("FICT310", source, value.span, hint=hint, value=value_text, attribute=name)
            elif test.attribute.lower and text != to_lower(text):
                hint = f"in lower case it is `{to_lower(text)}`"
                fix = None
                if isinstance(value, nodes.Value):
                    fix = Fix(value.span, _quoted_like(to_lower(text), value), safe=False)
                yield diagnostic("FICT307", source, value.span, hint=hint, fix=fix, value=description, attribute=name)
            elif test.attribute.name == "feats" and is_equality:
                yield from _check_feats(value, text, description, context)


def _check_feats(
    value: nodes.Atom | nodes.RegexValue | nodes.ListRef,
    text: str,
    description: str,
    context: Context,
    labels: tuple[Label, ...] = (),
) -> Iterator[Diagnostic]:
    source, sorted_text = context.module.source, sorted_feats(text)
    if sorted_text is None:
        hint = 'it is written as in CoNLL-U: `feats = "Case=Nom|Number=Sing"`'
        yield diagnostic("FICT321", source, value.span, labels=labels, hint=hint, value=description)
    elif sorted_text != text:
        fix = Fix(value.span, _quoted_like(sorted_text, value)) if isinstance(value, nodes.Value) else None
        hint = f"sorted by name it is `{sorted_text}`"
        yield diagnostic("FICT321", source, value.span, labels=labels, hint=hint, fix=fix, value=description)


def sorted_feats(text: str) -> str | None:
    """Return a FEATS value with its features sorted by name; None if the text is not a FEATS value."""
    entries = text.split("|")
    if not all(_FEATURE.fullmatch(entry) for entry in entries):
        return None
    return "|".join(sorted(entries, key=lambda entry: feats_key(entry.partition("=")[0])))


def texts_of(value: nodes.Atom | nodes.RegexValue, context: Context) -> Iterator[tuple[str, str]]:
    if isinstance(value, nodes.Value):
        yield value.text, f"`{value.text}`"
    elif isinstance(value, nodes.Param) and context.family and context.family.parameter.text == value.name:
        yield from (
            (family_value.text, f"`{family_value.text}`, a value of `${value.name}`,")
            for family_value in context.family.values
        )


def _quoted_like(text: str, original: nodes.Value) -> str:
    return quote(text) if original.quoted else text


def _check_entries(
    reference: nodes.ListRef, attribute: nodes.Attribute, context: Context, *, number: bool
) -> Iterator[Diagnostic]:
    source, definition = context.module.source, context.resolution.list_of(reference)
    labels = () if definition is None else (Label(definition.item.name.span, "the list", definition.module.source),)
    for entry in context.resolution.entries(reference) or ():
        description = f"`{entry}`, an entry of `@{reference.name}`,"
        if not number:
            yield from _check_feats(reference, entry, description, context, labels)
        elif not is_number(entry):
            name = attribute.text()
            yield diagnostic("FICT310", source, reference.span, labels=labels, value=description, attribute=name)
