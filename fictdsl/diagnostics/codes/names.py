"""FICT2xx: names that are missing, doubled or out of place."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT201",
        "unknown-list",
        "there is no list `{name}` here",
        "A list is defined in the file itself or in one that it uses. `use` reaches one file far: what a used file "
        "uses in turn is not seen.",
        bad=("list npi = {any, ever}\nfilter f { match { N[lower(form) in @npis] } }"),
        good=("list npi = {any, ever}\nfilter f { match { N[lower(form) in @npi] } }"),
    ),
    Code(
        "FICT202",
        "unknown-pattern",
        "there is no pattern `{name}` here",
        "A pattern is defined in the file itself or in one that it uses. `use` reaches one file far: what a used file "
        "uses in turn is not seen.",
        bad=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subjekt(A, B) } }"),
        good=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A, B) } }"),
    ),
    Code(
        "FICT203",
        "unknown-parameter",
        "`${name}` is no parameter of filter `{filter}`",
        "`filter name for p in {a, b}` has the parameter p, written `$p`, and a filter without `for` has none.",
        bad="filter f for n in {Sing, Plur} { match { N[Number = $m] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT204",
        "parameter-outside-filter",
        "`${name}` stands in a {what}, which belongs to no family",
        "A parameter of `for` is known in its filter only. A pattern or list that several filters share cannot "
        "depend on it; a test that does can stand in the filter, at the node that the pattern is called with.",
        bad=("pattern noun(N) { N[Number = $n] }\nfilter f for n in {Sing, Plur} { match { noun(A) } }"),
        good=("pattern noun(N) { N:NOUN }\nfilter f for n in {Sing, Plur} { match { noun(A) A[Number = $n] } }"),
    ),
    Code(
        "FICT205",
        "defined-twice",
        "the {kind} `{name}` is defined twice",
        "Lists have distinct names in a file, and so have patterns, and so have filters. A list and a pattern may "
        "share a name, since a list is always written with `@`.",
        bad=("list npi = {any}\nlist npi = {ever}"),
        good="list npi = {any, ever}",
    ),
    Code(
        "FICT206",
        "import-clash",
        "the {kind} `{name}` is defined in {first} and in {second}",
        "Names that come from a used file must differ from the file's own, and from those of other used files: "
        "otherwise a change in one file would silently change what another means.",
        bad=('use "words.fict"\nlist words = {these, those}'),
        good=('use "words.fict"\nlist more_words = {these, those}'),
    ),
    Code(
        "FICT207",
        "recursive-pattern",
        "pattern `{name}` calls itself: {chain}",
        "A pattern stands for its clauses, so one that contains itself has no end. `->>` reaches any depth of a tree.",
        bad=("pattern below(A, B) { A -> C below(C, B) }\nfilter f { match { below(X, Y) } }"),
        good=("pattern below(A, B) { A ->> B }\nfilter f { match { below(X, Y) } }"),
    ),
    Code(
        "FICT208",
        "wrong-argument-count",
        "pattern `{name}` takes {expected}, not {found}",
        "Each parameter of a pattern gets one node; `_` is a node without a name.",
        bad=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A) } }"),
        good=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A, _) } }"),
    ),
    Code(
        "FICT209",
        "same-node-twice",
        "`{name}` stands here twice",
        "One name is one word, and no relation of this language holds between a word and itself. Two parameters of a "
        "call are two different words as well.",
        bad="filter f { match { V -> V } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT210",
        "repeated-parameter",
        "the parameter `{name}` is given twice",
        "The parameters of a pattern have distinct names.",
        bad="pattern p(A, A) { A:NOUN }",
        good="pattern p(A, B) { A -> B }",
    ),
    Code(
        "FICT211",
        "branch-name-outside",
        "`{name}` belongs to some branches of an `either`, and stands outside of it too",
        "Where a branch that lacks the name is taken, there is no word it could mean outside. A name that occurs in "
        "every branch, or in the block around the `either` itself, belongs to that block and may be used in all of it.",
        bad="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> O } without { S -> A } } }",
        good="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> S } without { S -> A } } }",
    ),
    Code(
        "FICT212",
        "branch-name-in-action",
        "the action names `{name}`, which only some branches of an `either` bind",
        "An action is done for every match, so each node it names must be bound in every match.",
        bad="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> O } } remove node(S) }",
        good="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> S } } remove node(S) }",
    ),
    Code(
        "FICT213",
        "unbound-name-in-action",
        "the action names `{name}`, which no match binds",
        "A match binds the names that stand outside `without` and counting blocks; an action can name these only.",
        bad="filter f { match { V:VERB without { V -[nsubj]-> S } } remove node(S) }",
        good="filter f { match { V:VERB without { V -[nsubj]-> S } } remove node(V) }",
    ),
    Code(
        "FICT214",
        "counted-name-not-new",
        "`{name}` is counted here, but it is a node of a block around",
        "A counting block counts the words that its own node can be, so that node needs a name of its own.",
        bad="filter f { match { V -[obj]-> O at least 1 O { V -[obj]-> O } } }",
        good="filter f { match { V -[obj]-> O at least 1 X { V -[obj]-> X } } }",
    ),
)
