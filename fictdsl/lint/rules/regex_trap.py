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

import re
from dataclasses import replace

from fictdsl.diagnostics.diagnostic import Fix
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.semantics.check_attributes import sorted_feats
from fictdsl.syntax import nodes
from fictdsl.syntax.files import to_lower
from fictdsl.syntax.nodes import quote
from fictdsl.syntax.regex import AnyChar, Char, Regex, Repeat, Sequence

RULE = Rule(
    "FICT513",
    "/{regex}/ {problem}",
    "A regular expression must match the whole value; it is not a search.",
)

_LABEL = re.compile(r"\w+(?:[:@]\w+)*")
_RUNNING_TEXT = ("text",)  # in the text of a sentence, `.*` at both ends is how to search


@RULE.over(LintContext.label_regexes)
def check_label(context: LintContext, value: nodes.RegexValue) -> Findings:
    exact, base = _literal(value.regex), _with_subtypes(value.regex)
    label = f"={_label_text(exact)}" if exact is not None else None if base is None else _label_text(base)
    if label is not None and not value.ignore_case:
        problem = "is a plain label" if base is None else "is a label and its subtypes"
        fix = Fix(value.span, label)
        yield context.report(RULE, value.span, hint=f"write `{label}`", fix=fix, regex=value.text, problem=problem)


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


@RULE.over(LintContext.regexes)
def check(context: LintContext, item: tuple[nodes.Compare, nodes.RegexValue]) -> Findings:
    test, value = item
    if (problem := _problem(test, value)) is not None:
        text, hint, fix = problem
        yield context.report(RULE, value.span, hint=hint, fix=fix, regex=value.text, problem=text)


def _problem(test: nodes.Compare, value: nodes.RegexValue) -> tuple[str, str, Fix | None] | None:
    attribute, negated, word = test.attribute, test.op == "!=", _literal(value.regex)
    if word is not None and not (value.ignore_case and re.search("[A-Za-z]", word)):  # `i` is of ASCII letters
        literal = word if word.isalnum() and word.isascii() else quote(word)
        if attribute.name == "deprel":  # a regex matches the whole label, while `=` includes subtypes
            return "is a plain string", f"write `{'not ' * negated}deprel == {literal}`", None
        if attribute.lower and word != to_lower(word):
            return "is a plain string", "lowercase text never equals it", None
        if attribute.name == "feats" and sorted_feats(word) != word:
            return "is a plain string", "`feats`, the whole column, never equals it", None
        return "is a plain string", f"write `{literal}`", Fix(value.span, literal)
    if word is not None and attribute.name in ("form", "lemma") and not attribute.lower:
        return "is a plain string", f"`lower({attribute.name}) = …` matches it in any case", None
    if _matches_everything(value.regex):
        presence = f"has {replace(attribute, lower=False).text()}"
        hint = f"`not {presence}` tests that there is none" if negated else f"`{presence}` tests that there is a value"
        return "matches every value", hint, None
    if _is_open_at_both_ends(value.regex) and attribute.name not in _RUNNING_TEXT:
        return "searches inside the value", "without the first `.*`, it matches values that begin like this", None
    return None


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
