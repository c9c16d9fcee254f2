"""FICT4xx: limits of the compiler."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT402",
        "too-many-nodes",
        "`{name}` has {count} nodes; at most {limit} are supported",
        "Each node name, each `_` and each node that a called pattern adds counts as a node. A filter with more nodes "
        "than the limit is slow on any engine. It can be split into several filters.",
        bad="filter f { match { A -> B1 " + " ".join(f"A -> B{number}" for number in range(2, 33)) + " } }",
        good="filter f { match { A -> B1 A -> B2 A -> B3 } }",
    ),
    Code(
        "FICT403",
        "nested-too-deep",
        "{what} are nested more than {limit} levels deep",
        "The nesting of blocks, parentheses and pattern calls is limited.",
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
        "`{name}` has more than {limit} readings: its `either` branches multiply",
        "Each combination of one branch of every `either` is a reading, and each inner block is compiled once for each "
        "reading. Two `either` of 16 branches each have 256 readings. Lists of values, `attr = a|b` or "
        "`attr in {a, b}`, do not add readings.",
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
        "A `phrase` is compared word by word, up to a maximum length.",
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
        "the pattern calls of `{name}` expand to more than {limit} calls",
        "If patterns call other patterns several times, the number of calls grows exponentially.",
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
        "Counted repetitions copy the repeated part: `\\p{L}{100}` is a hundred copies of a large table. Use a smaller "
        "bound, or `*` or `+`.",
        bad="filter f { match { N[form = /(\\p{L}{100}){9}/] } }",
        good="filter f { match { N[form.length >= 900] } }",
    ),
    Code(
        "FICT409",
        "not-in-conllu-columns",
        "filter `{name}` uses {what}, which a table with the columns of CoNLL-U does not contain",
        "`fictc compile --columns conllu` writes SQL for a table with sid, id, form, lemma, upos, xpos, feats, head "
        "and deprel. The table does not contain MISC, comments, the text or length of a sentence, or the enhanced "
        "graph. A query on it can test `->>`, but neither returns nor counts the words of a subtree. A store supports "
        "all of these.",
        bad="filter f { match { N[misc.Gloss = dog] } }",
        good="filter f { match { N[lemma = dog] } }",
    ),
    Code(
        "FICT410",
        "family-too-large",
        "family `{name}` has {count} values; at most {limit} are supported{size}",
        "Each value of a family defines a filter that is compiled, matched and counted separately. For many words, "
        "use one filter with a list. A program that generates `.fict` files can split the values over families.",
        bad=(
            "filter f for word in {\n"
            + ",\n".join("  " + ", ".join(f"w{row * 16 + i}" for i in range(16)) for row in range(17))
            + "\n} { match { N[form = $word] } }"
        ),
        good="list words = {w0, w1, w2}\nfilter f { match { N[form in @words] } }",
    ),
    Code(
        "FICT411",
        "too-many-measures",
        "this comparison has more than {limit} numbers of words",
        "A comparison has at most 32 measures such as `distance(A, B)`, so that no engine's integers overflow.",
        bad="filter f { match { A -> B  " + " + ".join(["distance(A, B)"] * 33) + " > 99 } }",
        good="filter f { match { A -> B  distance(A, B) > 3 } }",
    ),
)
