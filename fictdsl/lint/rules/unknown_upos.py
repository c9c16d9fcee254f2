"""A part-of-speech tag that Universal Dependencies does not define.

## What
A tag after a node's colon, compared with `upos`, directly or in a named list, or set by a rewrite, that is not one of
the 17 UPOS tags of UD. The finding is an error: `fictc plan` and `fictc run` reject the filter. A tag that occurs in
the given corpus is not reported. In a file with the comment `# tagset: other` before its first list, pattern, filter or
rewrite, the finding is a hint.

## Why
UPOS tags are written in capitals and have their own abbreviations (ADP, SCONJ, PROPN). A test for another tag is true
of no word, so the filter silently finds nothing, or everything with `!=`.

## Example
```fict
filter f { match { V:VREB } }
```

## Use instead
```fict
filter f { match { V:VERB } }
```
"""

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.lint.file_parts import LocatedText
from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.lint.vocabulary import upos_hint

RULE = Rule(
    "FICT501",
    "`{found}` is not a UPOS tag",
    "Universal Dependencies has 17 UPOS tags, written in capitals. A test for another tag is true of no word.",
    Severity.ERROR,
)


@RULE.over(LintContext.unknown_tags)
def check(context: LintContext, tag: LocatedText) -> Findings:
    yield context.report_label(RULE, tag, hint=upos_hint(tag.text))
