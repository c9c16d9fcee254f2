"""A regular expression that matches less, or more, than intended.

## What
A regular expression that is a plain word, that matches everything, or that has `.*` at both ends. The last is not
reported in `sentence[text = …]`, where it tests that the text contains something.

## Why
A regular expression must match the whole value; it is not a search. `/dog/` is a slower way to write `dog`. `/.*/`
matches every value, and in a relation `/nsubj(:.*)?/` is `nsubj`. `/.*un.*/` matches *fun* and *under*, but most often
only words that begin with *un* are intended.

## Example
```fict
filter f { match { N[lemma = /dog/] } }
```

## Use instead
```fict
filter f { match { N[lemma = dog] } }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from fictdsl.diagnostics.codes import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Severity
from fictdsl.lint.rule_context import LintContext
from fictdsl.semantics.check_tests import full_name, sorted_feats
from fictdsl.syntax import nodes
from fictdsl.syntax.files import to_lower
from fictdsl.syntax.grammar import quote
from fictdsl.syntax.regex import AnyChar, Char, Regex, Repeat, Sequence
from fictdsl.syntax.walk import labels

CODE = Code(
    "FICT513",
    "regex-trap",
    "/{regex}/ {problem}",
    "A regular expression must match the whole value; it is not a search.",
    Severity.WARNING,
)

_LABEL = re.compile(r"\w+(?:[:@]\w+)*")
_RUNNING_TEXT = ("text",)  # in the text of a sentence, `.*` at both ends is how to search


def check(context: LintContext) -> Iterator[Diagnostic]:
    """Check the syntax tree of every regular expression."""
    for located in context.tests:
        if not isinstance(located.test, nodes.Compare):
            continue
        for value in located.test.values:
            if isinstance(value, nodes.RegexValue):
                yield from _check_regex(context, located.test.attribute, value, negated=located.test.op == "!=")
    for _, clause in context.clauses:
        for label_list in labels(clause):
            yield from (finding for item in label_list.labels for finding in _check_label(context, item))


def _check_label(context: LintContext, label_test: nodes.LabelTest) -> Iterator[Diagnostic]:
    """Report a regular expression in a relation if a plain label could replace it."""
    if not isinstance(label_test.label, nodes.RegexValue) or label_test.label.ignore_case:
        return
    regex = label_test.label.regex
    exact, base = _literal(regex), _with_subtypes(regex)
    label = f"={_label_text(exact)}" if exact is not None else None if base is None else _label_text(base)
    if label is not None:
        problem = "is a plain label" if base is None else "is a label and its subtypes"
        fix = Fix(label_test.label.span, label)
        yield context.report(
            CODE, label_test.label.span, hint=f"write `{label}`", fix=fix, regex=label_test.label.text, problem=problem
        )


def _label_text(label: str) -> str:
    return label if _LABEL.fullmatch(label) else quote(label)


def _with_subtypes(regex: Regex) -> str | None:
    """Return the label of `label(:.*)?`; None for any other expression."""
    match regex:
        case Sequence(
            parts=(*label_parts, Repeat(item=Sequence(parts=(Char(":"), Repeat() as subtype_regex)), low=0, high=1))
        ):
            return _literal(Sequence(tuple(label_parts))) if _matches_everything(subtype_regex) else None
    return None


def _check_regex(
    context: LintContext, attribute: nodes.Attribute, value: nodes.RegexValue, *, negated: bool
) -> Iterator[Diagnostic]:
    word = _literal(value.regex)
    if word is not None and not (value.ignore_case and word.lower() != word.upper()):
        literal = word if word.isalnum() and word.isascii() else quote(word)
        hint = f"write `{literal}`"
        fix: Fix | None = Fix(value.span, literal)
        if attribute.name == "deprel":  # a regex matches the whole label, while `=` includes subtypes
            hint, fix = f"write `{'not ' * negated}deprel == {literal}`", None
        elif attribute.lower and word != to_lower(word):
            hint, fix = "lowercase text never equals it", None
        elif attribute.name == "feats" and sorted_feats(word) != word:
            hint, fix = "`feats`, the whole column, never equals it", None
        problem = "is a plain string"
        yield context.report(CODE, value.span, hint=hint, fix=fix, regex=value.text, problem=problem)
    elif word is not None and attribute.name in ("form", "lemma") and not attribute.lower:
        hint = f"`lower({attribute.name}) = …` matches it in any case"
        yield context.report(CODE, value.span, hint=hint, regex=value.text, problem="is a plain string")
    elif _matches_everything(value.regex):
        presence = f"has {full_name(replace(attribute, lower=False))}"
        hint = f"`not {presence}` tests that there is none" if negated else f"`{presence}` tests that there is a value"
        yield context.report(CODE, value.span, hint=hint, regex=value.text, problem="matches every value")
    elif _is_open_at_both_ends(value.regex) and attribute.name not in _RUNNING_TEXT:
        problem = "searches inside the value"
        hint = "without the first `.*`, it matches values that begin like this"
        yield context.report(CODE, value.span, hint=hint, regex=value.text, problem=problem)


def _literal(regex: Regex) -> str | None:
    """Return the text of an expression that consists of literal characters; None for any other."""
    match regex:
        case Char(char=char):
            return char
        case Sequence(parts=parts) if parts and all(isinstance(part, Char) for part in parts):
            return "".join(part.char for part in parts if isinstance(part, Char))
        case _:
            return None


def _matches_everything(regex: Regex) -> bool:
    match regex:
        case Repeat(item=AnyChar(), low=low, high=None):
            return low <= 1
        case Sequence(parts=(only,)):
            return _matches_everything(only)
        case _:
            return False


def _is_open_at_both_ends(regex: Regex) -> bool:
    if not isinstance(regex, Sequence) or len(regex.parts) < 3:
        return False
    return all(
        isinstance(end, Repeat) and end.low == 0 and _matches_everything(end)
        for end in (regex.parts[0], regex.parts[-1])
    )
