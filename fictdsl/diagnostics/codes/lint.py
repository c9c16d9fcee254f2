"""FICT5xx: legal, and probably not what was meant. Each is found by the rule in `fictdsl/lint/rules` of its name."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity

CODES: tuple[Code, ...] = (
    Code(
        "FICT501",
        "unknown-upos",
        "`{found}` is no part of speech of Universal Dependencies",
        "UD has seventeen, spelt in capitals, so a test for another one holds of no word.",
        Severity.WARNING,
    ),
    Code(
        "FICT502",
        "unknown-relation",
        "`{found}` is no relation of Universal Dependencies",
        "UD has 37 relations; languages add subtypes after a colon. A label that no treebank has relates no words.",
        Severity.WARNING,
    ),
    Code(
        "FICT503",
        "unknown-feature",
        "`{found}` is no feature of Universal Dependencies",
        "A test of a feature that no word has is never true, and its negation always.",
        Severity.WARNING,
    ),
    Code(
        "FICT504",
        "unknown-feature-value",
        "the feature `{feature}` has no value `{found}`",
        "A test for a value that a feature never has is never true, and its negation always.",
        Severity.WARNING,
    ),
    Code(
        "FICT505",
        "name-used-once",
        "`{name}` is named once{why}",
        "A name connects the clauses in which it stands. A word that is only required to be there is `_`.",
        Severity.WARNING,
    ),
    Code(
        "FICT506",
        "unused-list",
        "the list `{name}` is never used",
        "A list that no test names in a file of filters is left over, or a test names another list than was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT507",
        "unused-pattern",
        "the pattern `{name}` is never used",
        "A pattern that no block calls in a file of filters is left over, or a call names another one than was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT508",
        "unused-parameter",
        "the parameter `{name}` is never used",
        "A pattern whose parameter stands nowhere in it says nothing of that node; a family whose parameter "
        "stands nowhere in its `match` has members that are all the same.",
        Severity.WARNING,
    ),
    Code(
        "FICT509",
        "unused-import",
        "nothing of `{path}` is used here",
        "A file that is used for nothing is read for nothing, and may break this one.",
        Severity.WARNING,
    ),
    Code(
        "FICT510",
        "case-trap",
        "`{attribute}` sees capitals: {value} is found, and {other} is not",
        "Words at the beginning of a sentence have a capital. `lower(form)` finds a word wherever it stands.",
        Severity.WARNING,
    ),
    Code(
        "FICT511",
        "capital-entry",
        "{entries} in `@{name}` {verb} a capital, so `{attribute}` never equals {it}",
        "`lower(…)` gives text in lower case, which no entry with a capital can equal.",
        Severity.WARNING,
    ),
    Code(
        "FICT512",
        "spaced-entry",
        "{entries} {verb} a space, and `{attribute}` is of one word",
        "Hardly any word has a space in it. Several words in a row are found by `phrase` or `lower(phrase)`.",
        Severity.WARNING,
    ),
    Code(
        "FICT513",
        "regex-trap",
        "/{regex}/ {problem}",
        "A regular expression is matched against the whole value, never searched in it.",
        Severity.WARNING,
    ),
    Code(
        "FICT514",
        "never-true",
        "this can never be true{why}",
        "No word passes these tests together, so the filter, or the block, finds nothing.",
        Severity.WARNING,
    ),
    Code(
        "FICT515",
        "impossible-relations",
        "this relation cannot hold{why}",
        "No tree and no order of words satisfies these relations together, so the filter, or the block, finds nothing.",
        Severity.WARNING,
    ),
    Code(
        "FICT516",
        "redundant-test",
        "this test changes nothing: {why}",
        "A test that follows from the others is left over, or one of them is not what was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT517",
        "always-true",
        "this is true of every {place}",
        "A test that excludes nothing is left over, or is not what was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT518",
        "unconstrained-node",
        "nothing is asked of `{name}`: any other word of the sentence will do",
        "A node without test or relation asks only that the sentence has one more word, and makes as many "
        "matches as it has words.",
        Severity.WARNING,
    ),
    Code(
        "FICT519",
        "unconnected-nodes",
        "no relation connects {one} with {other}",
        "Each match of one part is paired with each match of the other, anywhere in the sentence, which is "
        "seldom meant where both have relations of their own.",
        Severity.WARNING,
    ),
    Code(
        "FICT520",
        "missing-about",
        "filter `{name}` does not say what it is about",
        '`about "…"` is what `fictc explain` and the report of a run say of a filter.',
        Severity.WARNING,
    ),
    Code(
        "FICT521",
        "negated-feature",
        "this is true of words without `{feature}` as well",
        "A negated test holds of every word that lacks the feature: verbs have no `Degree`, so `Degree != "
        "Sup` holds of them.",
        Severity.HINT,
    ),
    Code(
        "FICT522",
        "file-name-differs",
        "filter `{name}` stands alone in a file called `{file}`",
        "Filters are found by the names of their files, and reports show their own names; one name for both is enough.",
        Severity.WARNING,
    ),
    Code(
        "FICT523",
        "unknown-target",
        "`{suite}` has no paradigm `{name}`",
        "`targets` names the paradigms that a report compares first; one that does not exist is never compared.",
        Severity.WARNING,
    ),
    Code(
        "FICT524",
        "equal-filters",
        "filters `{one}` and `{other}` find the same",
        "The two differ in names, layout or order only, so they remove the same sentences twice.",
        Severity.WARNING,
    ),
    Code(
        "FICT525",
        "repeated-clause",
        "this stands in the block already",
        "A clause that is said twice asks for nothing more, or one of the two is not what was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT526",
        "repeated-value",
        "the value {value} is given already{why}",
        "A value that is listed twice is left over, or one of the two is not what was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT527",
        "unused-ignore",
        "there is no {ignored} here to ignore",
        "A comment that silences nothing would silently hide the next mistake.",
        Severity.WARNING,
    ),
    Code(
        "FICT528",
        "bad-ignore",
        "this comment silences nothing: {problem}",
        "`# fict: ignore[FICT503] reason` on a line, or above an item, silences one lint there. The reason is "
        "for the next reader.",
        Severity.WARNING,
    ),
    Code(
        "FICT530",
        "absent-relation",
        "no word of the corpus bears `{found}`",
        "A label that a corpus never has relates no words there. Treebanks differ in the subtypes they have, and "
        "releases of Universal Dependencies rename some.",
        Severity.WARNING,
    ),
    Code(
        "FICT531",
        "absent-tag",
        "no word of the corpus has the {attribute} `{found}`",
        "A test for a tag that a corpus never has is never true there, and its negation always.",
        Severity.WARNING,
    ),
    Code(
        "FICT532",
        "absent-feature",
        "no word of the corpus has `{found}`",
        "A test of a feature, or of a value, that a corpus never has is never true there, and its negation always.",
        Severity.WARNING,
    ),
    Code(
        "FICT533",
        "absent-word",
        "in the corpus `{attribute}` is never {words}",
        "A word that a corpus never has adds nothing to what a filter finds there; it may be misspelt.",
        Severity.HINT,
    ),
    Code(
        "FICT534",
        "matches-nothing",
        "filter `{name}` matches no sentence of the corpus",
        "A filter that matches nothing leaves a corpus as it is: what it describes is not there, or not so annotated.",
        Severity.WARNING,
    ),
    Code(
        "FICT535",
        "matches-most",
        "filter `{name}` matches {matching} of {sentences} sentences of the corpus",
        "A filter that removes more than half of a corpus describes more than a construction, most often because a "
        "test or a relation is missing.",
        Severity.WARNING,
    ),
)
