"""FICT3xx: type errors in tests, comparisons and the actions of rewrites."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

_TESTS: tuple[Code, ...] = (
    Code(
        "FICT301",
        "unknown-attribute",
        "`{attribute}` is not an attribute of a {place}",
        "The attributes of a word are form, lemma, upos, xpos, feats, deprel, token, id, form.length, lemma.length, "
        "misc.Key and phrase. Names that begin with a capital letter are morphological features. The attributes of a "
        "sentence are text, length, sent_id, doc, projective and meta.key.",
        bad="filter f { match { N[pos = NOUN] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT302",
        "attribute-of-the-other",
        "`{attribute}` is an attribute of a {other}, not of a {place}",
        "The tests of a node apply to one word; those of `sentence[…]` apply to the sentence.",
        bad="filter f { match { N[text = dogs] } }",
        good="filter f { match { sentence[text = dogs] } }",
    ),
    Code(
        "FICT303",
        "missing-key",
        "`{attribute}` needs a key",
        "`misc.Gloss` is the entry Gloss of the MISC column. `meta.genre` is the comment `# genre = …` of a sentence.",
        bad="filter f { match { N[misc = Yes] } }",
        good="filter f { match { N[misc.Typo = Yes] } }",
    ),
    Code(
        "FICT304",
        "no-such-part",
        "`{attribute}` has no `{key}`",
        "`form` and `lemma` have a `length`; `misc` and `meta` have keys. Other attributes have neither.",
        bad="filter f { match { N[upos.length > 3] } }",
        good="filter f { match { N[form.length > 3] } }",
    ),
    Code(
        "FICT305",
        "lower-with-has",
        "`has` takes the attribute itself: `has {attribute}`",
        "The presence of an attribute does not depend on letter case.",
        bad="filter f { match { N[has lower(form)] } }",
        good="filter f { match { N[has form] } }",
    ),
    Code(
        "FICT306",
        "lower-misplaced",
        "`lower` does not take `{attribute}`",
        "Only forms, lemmas and phrases can be compared in lower case: `lower(form)`, `lower(lemma)`, `lower(phrase)`. "
        "Tags, labels, features and keys have a fixed spelling.",
        bad="filter f { match { N[lower(upos) = noun] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT307",
        "not-lower-case",
        "{value} is not in lower case, so `{attribute}` never equals it",
        "`lower(…)` is lowercase text, which never equals a value with a capital letter.",
        bad="filter f { match { N[lower(form) = The] } }",
        good="filter f { match { N[lower(form) = the] } }",
    ),
    Code(
        "FICT308",
        "exact-misplaced",
        "`==` compares relation labels, but `{attribute}` is not one",
        "`deprel = nsubj` includes the subtype `nsubj:pass`, `deprel == nsubj` does not. Other attributes have no "
        "subtypes, so they take `=`.",
        bad="filter f { match { N[upos == NOUN] } }",
        good="filter f { match { N[upos = NOUN] } }",
    ),
    Code(
        "FICT310",
        "not-a-number",
        "{value} is not a number, but `{attribute}` is compared as one",
        'A number is written in digits, such as `5`. Numbers with a point or a sign are quoted: `"2.5"`, `"-1"`. A '
        "number has at most 400 characters.",
        bad="filter f { match { N[id < five] } }",
        good="filter f { match { N[id < 5] } }",
    ),
    Code(
        "FICT311",
        "regex-misplaced",
        "`{attribute} {op}` takes no regular expression",
        "`=` and `!=` match a regular expression against a whole string. Numbers, phrases and exact labels cannot be "
        "matched.",
        bad="filter f { match { N[id = /[0-9]/] } }",
        good="filter f { match { N[id < 10] } }",
    ),
    Code(
        "FICT312",
        "several-numbers",
        "`{op}` takes one number, not {count}",
        "`id = 1|2` tests for either number. With `<`, `<=`, `>` and `>=`, all numbers but one would be redundant.",
        bad="filter f { match { N[id < 3|5] } }",
        good="filter f { match { N[id < 5] } }",
    ),
    Code(
        "FICT313",
        "phrase-misplaced",
        "`phrase` takes `=`, `!=`, `in` and `not in` only",
        "A phrase is any run of words that starts at the node. It can only be compared with literal values. It has no "
        "order and is always present.",
        bad="filter f { match { N[has phrase] } }",
        good='filter f { match { N[lower(phrase) = "at all"] } }',
    ),
    Code(
        "FICT314",
        "empty-bounds",
        "the bounds {{{low}..{high}}} contain no number",
        "The lower bound comes first: `{1..3}` is one to three. `{..3}` begins at 1.",
        bad="filter f { match { A <<{3..2} B } }",
        good="filter f { match { A <<{2..3} B } }",
    ),
    Code(
        "FICT315",
        "zero-distance",
        "the distance of `{relation}` begins at 1",
        "Two nodes are different words, so their distance is at least 1. Only `->>` takes 0: `A ->>{0..} B` allows A "
        "and B to be the same word.",
        bad="filter f { match { A <<{0..3} B } }",
        good="filter f { match { A <<{1..3} B } }",
    ),
    Code(
        "FICT316",
        "at-least-zero",
        "`at least 0` is always true",
        "Any number is at least 0. `at least 1` requires that there is one, `exactly 0` that there is none.",
        bad="filter f { match { at least 0 S { V -[nsubj]-> S } } }",
        good="filter f { match { at least 1 S { V -[nsubj]-> S } } }",
    ),
    Code(
        "FICT317",
        "number-with-string",
        "`{left}` is {left_kind} and `{right}` is {right_kind}",
        "Both attributes of a comparison must be numbers (id, form.length, lemma.length), or both must be strings.",
        bad="filter f { match { A.id = B.form } }",
        good="filter f { match { A.form = B.form } }",
    ),
    Code(
        "FICT318",
        "lower-on-one-side",
        "`{left}` and `{right}` must both be in `lower(…)`, or neither",
        "Lowercase text never equals text with a capital letter, so the comparison would depend on letter case.",
        bad="filter f { match { lower(A.form) = B.form } }",
        good="filter f { match { lower(A.form) = lower(B.form) } }",
    ),
    Code(
        "FICT319",
        "substring-of-number",
        "`{op}` takes a string, and `{attribute}` is a number",
        "`contains`, `starts` and `ends` test the characters of a string. Numbers are compared with `=`, `<` and other "
        "comparison operators.",
        bad='filter f { match { N[id ends "0"] } }',
        good="filter f { match { N[id = 10|20|30] } }",
    ),
    Code(
        "FICT320",
        "tuple-attribute",
        "`{attribute}` cannot be in a tuple",
        "A tuple compares strings: columns, features and entries of MISC. A number can be written in several ways, and "
        "a phrase is not one word.",
        bad="list frames = {(rely, 3)}\nfilter f { match { V -> P  (V.lemma, P.id) in @frames } }",
        good="list frames = {(rely, Plur)}\nfilter f { match { V -> P  (V.lemma, P.Number) in @frames } }",
    ),
    Code(
        "FICT321",
        "feats-not-sorted",
        "{value} is never the value of `feats`",
        "`feats` is the whole FEATS column: `Name=Value` for each feature, joined by `|` and sorted by name without "
        "regard to case, as in Universal Dependencies. Its absence is `not has feats`.",
        bad='filter f { match { N[feats = "Number=Sing|Case=Nom"] } }',
        good='filter f { match { N[feats = "Case=Nom|Number=Sing"] } }',
    ),
    Code(
        "FICT322",
        "flag-with-has",
        "`{attribute}` is tested by itself: `sentence[{attribute}]`",
        "Every sentence is either projective or not, so there is no test of presence.",
        bad="filter f { match { V:VERB sentence[has projective] } }",
        good="filter f { match { V:VERB sentence[projective] } }",
    ),
    Code(
        "FICT323",
        "constant-comparison",
        "this is {outcome} whatever the words are",
        "The numbers of words cancel out, or there are none, so that two constants are compared. The distance of two "
        "words has no direction: `distance(A, B)` and `distance(B, A)` are the same.",
        bad="filter f { match { V -[obj]-> O  distance(V, O) > distance(O, V) } }",
        good="filter f { match { V -[obj]-> O  V -[obl]-> P  distance(V, O) > distance(V, P) } }",
    ),
)

_REWRITES: tuple[Code, ...] = (
    Code(
        "FICT330",
        "set-refused",
        "`{attribute}` cannot be set",
        "`set` changes `form`, `lemma`, `upos`, `xpos`, `deprel`, a feature or an entry of MISC. Positions follow the "
        "order of the words, heads follow the tree, and the entries of MISC that describe the text, such as "
        "`SpaceAfter`, follow the text.",
        bad="rewrite r { match { V -> S } set S.id = 3 }",
        good="rewrite r { match { V -> S } move node(S) before node(V) }",
    ),
    Code(
        "FICT331",
        "function-argument",
        "`{function}` takes {expected} of a node",
        "`upper` and `capital` take `X.form` or `X.lemma`, and `inflect` takes `X.lemma`.",
        bad="rewrite r { match { V -> S } set S.form = upper(S.upos) }",
        good="rewrite r { match { V -> S } set S.form = upper(S.form) }",
    ),
    Code(
        "FICT332",
        "inflect-tag",
        "`{tag}` is not a Penn tag of an inflected form",
        "`inflect(X.lemma, VBZ)` returns the form of an English lemma with a Penn Treebank tag.",
        bad="rewrite r { match { V -> S } set V.form = inflect(V.lemma, VERB) }",
        good="rewrite r { match { V -> S } set V.form = inflect(V.lemma, VBZ) }",
    ),
    Code(
        "FICT333",
        "set-from",
        "`{target}` cannot be copied from `{origin}`",
        "A tag, a relation or a feature is copied from the same column of another word, a feature also from another "
        "feature. A form or a lemma is copied from a form, a lemma or an entry of MISC. An entry of MISC is copied "
        "from any of these.",
        bad="rewrite r { match { V -> S } set S.upos = V.form }",
        good="rewrite r { match { V -> S } set S.upos = V.upos }",
    ),
    Code(
        "FICT334",
        "set-value",
        "{value} cannot be the value of `{attribute}`",
        "A word always has a form. Forms and lemmas begin and end with a character other than a space, tags and "
        "relations contain no space, features consist of letters and digits, and entries of MISC contain no `|`.",
        bad="rewrite r { match { V -> S } set S.form = _ }",
        good="rewrite r { match { V -> S } delete node(S) }",
    ),
    Code(
        "FICT335",
        "insert-columns",
        "the brackets of `insert` take each column once, as `column = value`",
        "The brackets give the lemma, the tags, the features and the MISC of the new word. Its form stands before them "
        "and its relation after them.",
        bad='rewrite r { match { V -> S } insert "to"[upos != NOUN] as case of S before node(S) }',
        good='rewrite r { match { V -> S } insert "to"[upos = ADP] as case of S before node(S) }',
    ),
    Code(
        "FICT336",
        "insert-root",
        "an inserted word cannot be the root",
        "An inserted word depends on the word after `of`, with the relation after `as`.",
        bad='rewrite r { match { V -> S } insert "to" as root of S before node(S) }',
        good='rewrite r { match { V -> S } insert "to" as case of S before node(S) }',
    ),
)

CODES: tuple[Code, ...] = (*_TESTS, *_REWRITES)
