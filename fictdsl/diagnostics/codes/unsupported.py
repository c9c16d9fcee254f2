"""FICT4xx: the limits of what is compiled."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT402",
        "too-many-nodes",
        "filter `{name}` has {count} nodes; at most {limit} are supported",
        "Every name, every `_` and every node of a pattern call is a node. A filter with more than the limit "
        "is slow on any engine, and can be said as several filters.",
        bad=(
            "filter f { match { A -> B1 A -> B2 A -> B3 A -> B4 A -> B5 A -> B6 A -> B7 A -> B8 A -> B9 A "
            "-> B10 A -> B11 A -> B12 A -> B13 A -> B14 A -> B15 A -> B16 } }"
        ),
        good="filter f { match { A -> B1 A -> B2 A -> B3 } }",
    ),
    Code(
        "FICT403",
        "nested-too-deep",
        "{what} nest more than {limit} deep",
        "Blocks, parentheses and pattern calls may stand inside each other up to this depth.",
        bad=(
            "filter f { match { without { A -> B without { A -> B without { A -> B without { A -> B without "
            "{ A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { "
            "A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { "
            "A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { "
            "A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { "
            "A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { "
            "A -> B without { A -> B without { A -> B without { A -> B without { A -> B without { A -> B "
            "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}} } }"
        ),
        good="filter f { match { A:NOUN without { A -> B without { B -> C } } } }",
    ),
    Code(
        "FICT404",
        "too-many-readings",
        "filter `{name}` has more than {limit} readings: its `either` branches multiply",
        "Each way to choose one branch of every `either` is a reading of its own, and each block inside is read "
        "once for each. Two `either` of 16 branches each make 256 readings. A list of values, `attr = a|b` or "
        "`attr in {a, b}`, makes none.",
        bad=(
            "filter f { match { either { A:NOUN } or { A:PROPN } or { A:PRON } or { A:ADJ } or { A:DET } or "
            "{ A:NUM } or { A:VERB } either { B:NOUN } or { B:PROPN } or { B:PRON } or { B:ADJ } or { B:DET "
            "} or { B:NUM } or { B:VERB } either { C:NOUN } or { C:PROPN } or { C:PRON } or { C:ADJ } or { "
            "C:DET } or { C:NUM } or { C:VERB } } }"
        ),
        good="filter f { match { A:NOUN|PROPN|PRON|ADJ|DET|NUM|VERB B:NOUN|PROPN } }",
    ),
    Code(
        "FICT405",
        "phrase-too-long",
        "the phrase `{start}…` has more than {limit} spaces",
        "A `phrase` is compared word by word, up to this length.",
        bad=(
            'filter f { match { N[phrase = "very very very very very very very very very very very very '
            "very very very very very very very very very very very very very very very very very very very "
            "very very very very very very very very very very very very very very very very very very very "
            'very very very very very very very very very very very very very very very very"] } }'
        ),
        good='filter f { match { N[phrase = "very very"] } }',
    ),
    Code(
        "FICT407",
        "expansion-too-large",
        "the pattern calls of filter `{name}` expand to more than {limit} calls",
        "A pattern that calls other patterns several times grows with every level.",
        bad=(
            "pattern p0(A) { A:NOUN }\n"
            "pattern p1(A) { p0(A) p0(A) }\n"
            "pattern p2(A) { p1(A) p1(A) }\n"
            "pattern p3(A) { p2(A) p2(A) }\n"
            "pattern p4(A) { p3(A) p3(A) }\n"
            "pattern p5(A) { p4(A) p4(A) }\n"
            "pattern p6(A) { p5(A) p5(A) }\n"
            "pattern p7(A) { p6(A) p6(A) }\n"
            "pattern p8(A) { p7(A) p7(A) }\n"
            "pattern p9(A) { p8(A) p8(A) }\n"
            "pattern p10(A) { p9(A) p9(A) }\n"
            "pattern p11(A) { p10(A) p10(A) }\n"
            "pattern p12(A) { p11(A) p11(A) }\n"
            "filter f { match { p12(N) } }"
        ),
        good=("pattern noun(A) { A:NOUN }\nfilter f { match { noun(N) } }"),
    ),
    Code(
        "FICT408",
        "regex-too-large",
        "the regular expression /{text}/ is too large for the engines that run it",
        "Counted repetitions of character classes multiply: `\\p{L}{100}` is a hundred copies of a large table. "
        "A smaller bound, or `*` and `+`, will do.",
        bad="filter f { match { N[form = /(\\p{L}{100}){9}/] } }",
        good="filter f { match { N[form.length >= 900] } }",
    ),
    Code(
        "FICT409",
        "not-in-conllu-columns",
        "filter `{name}` asks for {what}, which a table with the columns of CoNLL-U alone does not say",
        "`fictc compile --columns conllu` writes SQL over a table with sid, id, form, lemma, upos, xpos, feats, head "
        "and deprel. MISC, comments, the text and length of a sentence and the enhanced graph are not in it; nor can "
        "the words of a subtree be listed, though a filter can ask what is below what. A store has them all.",
        bad="filter f { match { N[misc.Gloss = dog] } }",
        good="filter f { match { N[lemma = dog] } }",
    ),
    Code(
        "FICT410",
        "family-too-large",
        "family `{name}` has {count} values; at most {limit} are supported{size}",
        "Each value of a family is a filter of its own, which is compiled, matched and counted by itself. One filter "
        "with a list finds all of many words; a tool that writes `.fict` files can write several families.",
        bad=(
            "filter f for word in {\n"
            + ",\n".join("  " + ", ".join(f"w{row * 16 + i}" for i in range(16)) for row in range(17))
            + "\n} { match { N[form = $word] } }"
        ),
        good="list words = {w0, w1, w2}\nfilter f { match { N[form in @words] } }",
    ),
)
