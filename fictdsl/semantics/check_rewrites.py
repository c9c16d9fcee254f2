"""Check the actions of rewrites: the values that `set` and `insert` write, and their sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeGuard, cast

from fictdsl.attributes import Kind
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix
from fictdsl.schema import COMPUTED
from fictdsl.semantics.check_tests import Context, check_attribute, full_name, kind_of, texts_of
from fictdsl.source import Span
from fictdsl.syntax import nodes

INFLECTED_TAGS = (
    "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "NN", "NNS", "JJ", "JJR", "JJS", "RB", "RBR", "RBS",
)  # fmt: skip
# Entries of MISC that the engine rewrites or drops, because they describe the text.
TEXT_ENTRIES = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "start_char", "end_char", "TokenRange", "Entity")

_LABEL = re.compile(r"[^\s|=]+")
_MISC_VALUE = re.compile(r"[^|\t\r\n]*[^|\s][^|\t\r\n]*")
_MISC_KEY = re.compile(r"[^|=\s]([^|=\t\r\n]*[^|=\s])?")
_LINE = re.compile(r"\S([^\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029]*\S)?")


def check_action(action: nodes.Rewriting, context: Context) -> Iterator[Diagnostic]:
    match action:
        case nodes.Set():
            yield from _check_set(action, context)
        case nodes.Insert():
            yield from _check_insert(action, context)
        case _:
            pass


# --- set ------------------------------------------------------------------------------------------


def _check_set(action: nodes.Set, context: Context) -> Iterator[Diagnostic]:
    attribute, value = action.attribute.attribute, action.value
    problems = [*_check_settable(attribute, context), *_check_source(value, context)]
    yield from problems
    if problems:
        return
    match value:
        case nodes.NodeAttribute(attribute=source):
            yield from _check_copy(attribute, source, value.span, context)
        case nodes.Function(argument=argument):
            yield from _check_copy(attribute, argument.attribute, value.span, context)
        case _:
            yield from _check_value(attribute, value, context)


def _check_settable(attribute: nodes.Attribute, context: Context) -> Iterator[Diagnostic]:
    """Report an attribute that does not exist or that no action can change."""
    kind = kind_of(attribute, "word")
    is_fixed = attribute.name in ("id", "phrase", "head", *COMPUTED) or attribute.lower or kind is Kind.NUMBER
    key_problem = _key_problem(attribute.key) if attribute.name == "misc" and attribute.key is not None else None
    if is_fixed or key_problem is not None:
        hint = "set the attribute itself; `lower(…)` stands after `=`" if attribute.lower else key_problem
        yield diagnostic("FICT330", context.module.source, attribute.span, hint=hint, attribute=full_name(attribute))
    else:
        yield from check_attribute(attribute, "word", context)


def _key_problem(key: str) -> str | None:
    """Return why an entry of MISC cannot be set, or None."""
    if key in TEXT_ENTRIES:
        return "it follows the new text"
    return None if _MISC_KEY.fullmatch(key) else "a key of MISC contains no `=` and no `|`, and no space at its ends"


def _check_source(value: nodes.Atom | nodes.NodeAttribute | nodes.Function, context: Context) -> Iterator[Diagnostic]:
    """Report mistakes in the attribute that a value is copied or computed from."""
    if isinstance(value, nodes.NodeAttribute):
        yield from check_attribute(value.attribute, "word", context)
    if not isinstance(value, nodes.Function):
        return
    attribute, source = value.argument.attribute, context.module.source
    yield from check_attribute(attribute, "word", context)
    expected = "lemma" if value.name == "inflect" else "form or lemma"
    if full_name(attribute) not in expected.split(" or "):
        yield diagnostic("FICT331", source, attribute.span, function=value.name, expected=f"the {expected}")
    if value.tag is not None and value.tag.text not in INFLECTED_TAGS:
        hint = f"the tags are {', '.join(INFLECTED_TAGS)}"
        upper = value.tag.text.upper()
        fix = Fix(value.tag.span, upper) if upper in INFLECTED_TAGS else None
        yield diagnostic("FICT332", source, value.tag.span, hint=hint, fix=fix, tag=value.tag.text)


def _check_copy(target: nodes.Attribute, source: nodes.Attribute, span: Span, context: Context) -> Iterator[Diagnostic]:
    """Report a copy between columns that FICT333 does not allow."""
    if not _may_be_copied(target, source):
        parameters = {"target": full_name(target), "origin": full_name(source)}
        yield diagnostic("FICT333", context.module.source, span, hint=None, labels=(), fix=None, **parameters)


def _may_be_copied(target: nodes.Attribute, source: nodes.Attribute) -> bool:
    """Return whether `target` may be copied from `source`. FICT333 lists the allowed pairs."""
    target_kind, source_kind = kind_of(target, "word"), kind_of(source, "word")
    if source_kind in (Kind.NUMBER, Kind.PHRASE) or source.name in COMPUTED:
        return False
    if target_kind is Kind.FEATURE:
        return source_kind is Kind.FEATURE
    if target.name in ("form", "lemma"):
        return source.name in ("form", "lemma", "misc")
    return target.name in ("misc", source.name)


def _check_value(attribute: nodes.Attribute, value: nodes.Atom, context: Context) -> Iterator[Diagnostic]:
    """Report a value that is not valid in its column, or an absent form."""
    kind = kind_of(attribute, "word")
    column = "feature" if kind is Kind.FEATURE else attribute.name
    for text, description in texts_of(value, context):
        is_absent = text == "_" and not (isinstance(value, nodes.Value) and value.quoted)
        if (is_absent and column == "form") or (not is_absent and not _WRITABLE[column].fullmatch(text)):
            name = full_name(attribute)
            value_text = description if text else "an empty string"
            yield diagnostic("FICT334", context.module.source, value.span, value=value_text, attribute=name)


_WRITABLE = {
    "form": _LINE,
    "lemma": _LINE,
    "upos": _LABEL,
    "xpos": re.compile(r"\S+"),
    "deprel": _LABEL,
    "feature": re.compile(r"[A-Za-z0-9]+(,[A-Za-z0-9]+)*"),
    "misc": _MISC_VALUE,
}


# --- insert ---------------------------------------------------------------------------------------


def _check_insert(action: nodes.Insert, context: Context) -> Iterator[Diagnostic]:
    source = context.module.source
    form = nodes.Attribute("form", None, False, action.word.span)
    yield from _check_value(form, action.word, context)
    label = nodes.Attribute("deprel", None, False, action.label.span)
    yield from _check_value(label, action.label, context)
    for text, _ in texts_of(action.label, context):
        if text == "root":
            yield diagnostic("FICT336", source, action.label.span)
    assigned: set[str] = set()
    for test in _conjuncts(action.test):
        if not _is_assignment(test) or full_name(test.attribute) in assigned:
            yield diagnostic("FICT335", source, test.span)
            continue
        assigned.add(full_name(test.attribute))
        problems = list(_check_settable(test.attribute, context))
        yield from problems or _check_value(test.attribute, cast("nodes.Atom", test.values[0]), context)


def _conjuncts(test: nodes.Test | None) -> tuple[nodes.Test, ...]:
    if test is None:
        return ()
    return test.tests if isinstance(test, nodes.And) else (test,)


def _is_assignment(test: nodes.Test) -> TypeGuard[nodes.Compare]:
    """Return whether a test is `column = value` with one value, for a column other than form and deprel."""
    if not isinstance(test, nodes.Compare) or test.op != "=" or len(test.values) != 1:
        return False
    return not isinstance(test.values[0], nodes.RegexValue) and test.attribute.name not in ("form", "deprel")
