"""FICT3xx: values and tests that do not fit."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT301",
        "unknown-attribute",
        "`{attribute}` is no attribute of a {place}",
        "A word has form, lemma, upos, xpos, deprel, id, form.length, lemma.length, misc.Key and phrase, and every "
        "name that begins with a capital is a morphological feature. A sentence has text, length, sent_id, doc and "
        "meta.key.",
        bad="filter f { match { N[pos = NOUN] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT302",
        "attribute-of-the-other",
        "`{attribute}` is an attribute of a {other}, not of a {place}",
        "The tests of a node look at one word; those of `sentence[…]` look at the sentence as a whole.",
        bad="filter f { match { N[text = dogs] } }",
        good="filter f { match { sentence[text = dogs] } }",
    ),
    Code(
        "FICT303",
        "missing-key",
        "`{attribute}` needs a key",
        "`misc.Gloss` is the entry Gloss of the MISC column; `meta.genre` is the comment `# genre = …` of a sentence.",
        bad="filter f { match { N[misc = Yes] } }",
        good="filter f { match { N[misc.Typo = Yes] } }",
    ),
    Code(
        "FICT304",
        "no-such-part",
        "`{attribute}` has no `{key}`",
        "`form` and `lemma` have a `length`; `misc` and `meta` have keys; the other attributes have no parts.",
        bad="filter f { match { N[upos.length > 3] } }",
        good="filter f { match { N[form.length > 3] } }",
    ),
    Code(
        "FICT305",
        "lower-with-has",
        "`has` takes the attribute itself: `has {attribute}`",
        "An attribute is present or absent, in whatever case its letters are.",
        bad="filter f { match { N[has lower(form)] } }",
        good="filter f { match { N[has form] } }",
    ),
    Code(
        "FICT306",
        "lower-misplaced",
        "`lower` does not take `{attribute}`",
        "Only forms, lemmas and phrases are compared in lower case: `lower(form)`, `lower(lemma)`, `lower(phrase)`. "
        "Tags, labels, features and keys have one spelling.",
        bad="filter f { match { N[lower(upos) = noun] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT307",
        "not-lower-case",
        "{value} is not in lower case, so `{attribute}` never equals it",
        "`lower(…)` gives text in lower case; a value with a capital can never be equal to it.",
        bad="filter f { match { N[lower(form) = The] } }",
        good="filter f { match { N[lower(form) = the] } }",
    ),
    Code(
        "FICT308",
        "exact-misplaced",
        "`==` compares relation labels, and `{attribute}` is none",
        "`deprel = nsubj` is true of `nsubj:pass` as well, and `deprel == nsubj` is not. No other attribute has "
        "subtypes, so all others take `=`.",
        bad="filter f { match { N[upos == NOUN] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT309",
        "order-of-strings",
        "`{op}` compares numbers, and `{attribute}` is {kind}",
        "Numbers are id, form.length, lemma.length and sentence[length]; `misc.Key` and `meta.key` are compared as "
        "numbers where they read as one. Strings are equal or not, in no order.",
        bad="filter f { match { N[form > the] } }",
        good="filter f { match { N[form.length > 3] } }",
    ),
    Code(
        "FICT310",
        "not-a-number",
        "{value} is no number, and `{attribute}` is compared as one",
        'A number is written with digits: `5`, and quoted where it has a point or a sign: `"2.5"`, `"-1"`. '
        "It has at most 400 characters.",
        bad="filter f { match { N[id < five] } }",
        good="filter f { match { N[id < 5] } }",
    ),
    Code(
        "FICT311",
        "regex-misplaced",
        "`{attribute} {op}` takes no regular expression",
        "A regular expression is matched against a whole string value, by `=` or `!=`. Numbers, phrases and exact "
        "labels are compared as they are.",
        bad="filter f { match { N[id = /[0-9]/] } }",
        good="filter f { match { N[id < 10] } }",
    ),
    Code(
        "FICT312",
        "several-numbers",
        "`{op}` takes one number, not {count}",
        "`id = 1|2` is one of the two; of `<` and its like only one of several numbers would count.",
        bad="filter f { match { N[id < 3|5] } }",
        good="filter f { match { N[id < 5] } }",
    ),
    Code(
        "FICT313",
        "phrase-misplaced",
        "`phrase` takes `=`, `!=`, `in` and `not in` only",
        "A phrase is any run of words that starts at the node, so it is compared with values that are written out; it "
        "has no order and is always there.",
        bad="filter f { match { N[has phrase] } }",
        good='filter f { match { N[lower(phrase) = "at all"] } }',
    ),
    Code(
        "FICT314",
        "empty-bounds",
        "the bounds {{{low}..{high}}} hold no number",
        "The lower bound is the first number: `{1..3}` is one to three. `{..3}` begins at 1.",
        bad="filter f { match { A <<{3..2} B } }",
        good="filter f { match { A <<{2..3} B } }",
    ),
    Code(
        "FICT315",
        "zero-distance",
        "the distance of `{relation}` begins at 1",
        "Two nodes are different words, so no word stands 0 words before another. Only `->>` takes 0: `A ->>{0..} B` "
        "lets A and B be one word.",
        bad="filter f { match { A <<{0..3} B } }",
        good="filter f { match { A <<{1..3} B } }",
    ),
    Code(
        "FICT316",
        "at-least-zero",
        "`at least 0` is always true",
        "Any number is at least 0. `at least 1` asks that there is one, `exactly 0` that there is none.",
        bad="filter f { match { at least 0 S { V -[nsubj]-> S } } }",
        good="filter f { match { at least 1 S { V -[nsubj]-> S } } }",
    ),
    Code(
        "FICT317",
        "number-with-string",
        "`{left}` is {left_kind} and `{right}` is {right_kind}",
        "Two words' attributes are compared as two numbers (id, form.length, lemma.length) or as two strings.",
        bad="filter f { match { A.id = B.form } }",
        good="filter f { match { A.form = B.form } }",
    ),
    Code(
        "FICT318",
        "lower-on-one-side",
        "`{left}` and `{right}` must both be in `lower(…)`, or neither",
        "Text in lower case would equal text as it stands only where that has no capitals.",
        bad="filter f { match { lower(A.form) = B.form } }",
        good="filter f { match { lower(A.form) = lower(B.form) } }",
    ),
)
