"""Descriptions of the keywords, attributes and operators of the language, for hover and completion."""

from __future__ import annotations

from fictdsl.glossary.attributes import SENTENCE, WORD

KEYWORDS: dict[str, str] = {
    "fict": "`fict 1` begins every file and names the version of the language",
    "use": '`use "path.fict"` imports the lists and patterns of another file',
    "list": '`list name = {a, b}`, `= file "path.txt"` or `from "rows.tsv"`: values or rows to test against',
    "pattern": "`pattern name(A, B) { … }`: clauses under a name, with nodes as parameters",
    "filter": "`filter name { … match { … } … }`: a construction, and the actions on its matches",
    "for": "`filter name for p in {v1, v2}`: a family, one filter for each value of `$p`",
    "file": '`file "path.txt"`: a word list, one entry per line',
    "about": '`about "…"`: a description of the filter in one sentence',
    "source": '`source "…"`: the source of the definition, such as a publication',
    "note": '`note "…"`: any other remark; repeatable',
    "targets": "`targets blimp/…`: the test sets that the filter is meant for",
    "match": "`match { … }`: the words of a match, and the relations between them",
    "without": "`without { … }`: the block has no match",
    "either": "`either { … } or { … }`: at least one of the branches matches",
    "or": "the next branch of `either`; inside a test, one of two alternatives",
    "at": "`at least 2 X { … }`, `at most 2 X { … }`: counts the words X for which the block holds",
    "least": "`at least 2 X { … }`: two words X or more for which the block holds",
    "most": "`at most 2 X { … }`: two words X or fewer for which the block holds",
    "exactly": "`exactly 2 X { … }`: exactly two words X for which the block holds",
    "sentence": "`sentence[…]`: tests of the sentence; after an action, the whole sentence",
    "between": "`M between A and B`: M is between A and B, in either order",
    "remove": "removes the target from the corpus: the matching sentences, or words of them",
    "keep": "`keep sentence`: keeps only the matching sentences",
    "mask": "replaces the target by `<mask>`, a string or a tag",
    "count": "counts the target; changes nothing",
    "with": '`mask … with "…"` or `with upos`: the replacement of the target; `swap X with Y`: the other words',
    "node": "`node(X)`: the word X",
    "subtree": "`subtree(X)`: X and all words below it",
    "span": "`span(X, Y)`: the words from X to Y, both included",
    "and": "`M between A and B`; tests are joined with `,`",
    "not": "negates the test after it; `not in` negates `in`",
    "in": "`attribute in {a, b}` or `in @list`: the value is one of these",
    "has": "`has attribute`: the attribute is present, with any value",
    "lower": "`lower(form)`: the form in lower case, for case-insensitive comparison",
    "phrase": WORD["phrase"].about,
    "maybe": "`maybe { … }`: binds the words of the block if possible; never excludes a match",
    "may": "`A may be B`: the nodes A and B may be the same word",
    "crossing": "`crossing A, B`: the edges of the tree into A and into B cross",
}

REWRITE_WORDS: dict[str, str] = {
    "rewrite": "`rewrite name { … match { … } … }`: changes the words, their order or their columns where it matches",
    "as-is": "`as-is case`, `as-is article`: the new order does not change capital letters, or *a* and *an*",
    "case": "`as-is case`: capital letters at the beginning of the sentence stay as they are",
    "article": "`as-is article`: *a* and *an* stay as they are before a new word",
    "delete": "`delete subtree(X)`: removes the words",
    "move": "`move subtree(X) before node(Y)`: puts the words immediately before or after others",
    "swap": "`swap subtree(X) with subtree(Y)`: each goes where the first word of the other was",
    "insert": '`insert "w"[upos = ADP] as case of X before subtree(X)`: a new word, with a relation and a head',
    "set": "`set X.form = v`: a literal, `_`, `Y.lemma`, `lower(…)`, `upper(…)`, `capital(…)` or `inflect(…)`",
    "reverse": "`reverse subtree(X)`: the words in the opposite order",
    "order": "`order sentence by length`: the dependents of every head, the shortest first",
    "shuffle": "`shuffle sentence`: the words at random; `by length`: one permutation per length; `in 3`: in windows",
    "interleave": "`interleave sentence`: the words at even positions, counted from 0, before the others",
    "before": "immediately before the first word of the target; `before sentence`: at its beginning",
    "after": "immediately after the last word of the target; `after sentence`: at its end",
    "as": '`insert "w" as case of X …`: the relation of the new word',
    "of": '`insert "w" as case of X …`: the head of the new word',
    "by": "`by length` or `by chance`",
    "length": "`order … by length`: by the number of words; `shuffle … by length`: one permutation per length",
    "desc": "`order … by length desc`: the longest first",
    "chance": "`order … by chance`: for every head, the shortest or the longest first, at random",
    "head-final": "`order … by length head-final`: the longest first, and the head after its dependents",
    "upper": "`upper(Y.form)`: in upper case",
    "capital": "`capital(Y.form)`: capitalized",
    "inflect": "`inflect(Y.lemma, VBZ)`: the English form of a lemma with a Penn tag",
}

# Numbers of words, which are no keywords.
MEASURES: dict[str, str] = {
    "length": "`length(subtree(X))`: the number of words of X and below it; `length(span(X, Y))`: of X, Y and between",
    "distance": "`distance(X, Y)`: the number of steps from X to Y, whichever is first; 1 for neighbours",
}

ACTIONS = ("delete", "move", "swap", "insert", "set", "reverse", "order", "shuffle", "interleave")
FUNCTIONS = ("lower", "upper", "capital", "inflect")  # in the value of `set`

WORD_ATTRIBUTES: dict[str, str] = {name: entry.about for name, entry in WORD.items()}
SENTENCE_ATTRIBUTES: dict[str, str] = {name: entry.about for name, entry in SENTENCE.items()}

LENGTH = "the number of characters; a number"

SIGNS: dict[str, str] = {
    "->": "`A -> B`: A is the head of B; `A -[nsubj]-> B`, with that relation or a subtype of it",
    "<-": "`B <- A`: B depends on A; `B <-[nsubj]- A`, with that relation or a subtype of it",
    "->>": "`A ->> B`: A is above B in the tree, one or more steps; `->>{2..3}` that many, `->>{0..}` or A itself",
    "<": "`A < B`: B is the word right after A",
    "<<": "`A << B`: A is before B; `<<{1..3}` at most three words before",
    "~": "`A ~ B`: A and B have the same head",
    "==>": "`A ==> B`: an edge of the enhanced graph from A to B; `A =[nsubj]=> B` with that label",
    "=": "equal; before a label, exactly that label and no subtype",
    "==": "`deprel == nsubj`: exactly that label, no subtype",
    "!=": "not equal; also true if the attribute is absent",
    "^": "`-[^nsubj|obj]->`: an edge with none of these labels",
    "_": "a word without a name; each `_` is a different word",
    "+": "`length(subtree(O)) + 2`: a sum of numbers of words and whole numbers",
    "-": "`length(subtree(O)) - 2`: a difference of numbers of words and whole numbers",
    "|": "or: one of several values or labels",
    ",": "and: both tests hold",
}

OPERATORS: dict[str, str] = {
    "contains": '`form contains "ing"`: the text is anywhere in the value, case-sensitive',
    "starts": '`form starts "un"`: the value begins with the text, case-sensitive',
    "ends": '`form ends "ed"`: the value ends with the text, case-sensitive',
}

TAGS: dict[str, str] = {
    "upos": "each word's UPOS tag",
    "xpos": "each word's XPOS tag",
    "deprel": "each word's relation label",
}
