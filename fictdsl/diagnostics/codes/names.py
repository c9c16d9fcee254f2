"""FICT2xx: undefined, duplicate and misplaced names."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT201",
        "unknown-list",
        "there is no list `{name}` here",
        "A list is defined in the file itself or in a file that it uses. `use` is not transitive: definitions that a "
        "used file imports are not visible.",
        bad=("list npi = {any, ever}\nfilter f { match { N[lower(form) in @npis] } }"),
        good=("list npi = {any, ever}\nfilter f { match { N[lower(form) in @npi] } }"),
    ),
    Code(
        "FICT202",
        "unknown-pattern",
        "there is no pattern `{name}` here",
        "A pattern is defined in the file itself or in a file that it uses. `use` is not transitive: definitions that "
        "a used file imports are not visible.",
        bad=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subjekt(A, B) } }"),
        good=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A, B) } }"),
    ),
    Code(
        "FICT203",
        "unknown-parameter",
        "`${name}` is not a parameter of `{filter}`",
        "`filter name for p in {a, b}` has the parameter p, written `$p`. A filter without `for` has no parameter.",
        bad="filter f for n in {Sing, Plur} { match { N[Number = $m] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT204",
        "parameter-outside-filter",
        "`${name}` is used in a {what}, which does not belong to a family",
        "A parameter of `for` is defined in its filter only. A pattern or list that several filters share cannot "
        "depend on it. A test with the parameter can be written in the filter, at the node that is the argument of the "
        "pattern.",
        bad=("pattern noun(N) { N[Number = $n] }\nfilter f for n in {Sing, Plur} { match { noun(A) } }"),
        good=("pattern noun(N) { N:NOUN }\nfilter f for n in {Sing, Plur} { match { noun(A) A[Number = $n] } }"),
    ),
    Code(
        "FICT205",
        "defined-twice",
        "the {kind} `{name}` is defined twice",
        "Two lists, two patterns or two filters of a file cannot have the same name. A list and a pattern can, since "
        "a list is always written with `@`.",
        bad=("list npi = {any}\nlist npi = {ever}"),
        good="list npi = {any, ever}",
    ),
    Code(
        "FICT206",
        "import-clash",
        "the {kind} `{name}` is defined in {first} and in {second}",
        "Names from a used file must differ from those of the file itself and of other used files. Otherwise a change "
        "in one file could silently change the meaning of another.",
        bad=('use "words.fict"\nlist words = {these, those}'),
        good=('use "words.fict"\nlist more_words = {these, those}'),
    ),
    Code(
        "FICT207",
        "recursive-pattern",
        "pattern `{name}` calls itself: {chain}",
        "A pattern is expanded to its clauses, so it cannot contain itself. `->>` matches at any depth of a tree.",
        bad=("pattern below(A, B) { A -> C below(C, B) }\nfilter f { match { below(X, Y) } }"),
        good=("pattern below(A, B) { A ->> B }\nfilter f { match { below(X, Y) } }"),
    ),
    Code(
        "FICT208",
        "wrong-argument-count",
        "pattern `{name}` takes {expected}, not {found}",
        "A call has one node for each parameter of the pattern; `_` is a node without a name.",
        bad=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A) } }"),
        good=("pattern subject(V, S) { V -[nsubj]-> S }\nfilter f { match { subject(A, _) } }"),
    ),
    Code(
        "FICT209",
        "same-node-twice",
        "`{name}` occurs here twice",
        "A name always refers to the same word, so the two ends of a relation have different names, and so do the "
        "arguments of a call.",
        bad="filter f { match { V -> V } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT210",
        "repeated-parameter",
        "the parameter `{name}` occurs twice",
        "The parameters of a pattern have distinct names.",
        bad="pattern p(A, A) { A:NOUN }",
        good="pattern p(A, B) { A -> B }",
    ),
    Code(
        "FICT211",
        "branch-name-outside",
        "`{name}` occurs in some branches of an `either` or in a `maybe`, and outside of it too",
        "If a branch without the name matches, the name is not bound outside. A name that occurs in every branch, or "
        "in the enclosing block itself, belongs to the enclosing block and can be used anywhere in it.",
        bad="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> O } without { S -> A } } }",
        good="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> S } without { S -> A } } }",
    ),
    Code(
        "FICT212",
        "branch-name-in-action",
        "the action names `{name}`, which only some branches of an `either`, or a `maybe`, bind",
        "An action applies to every match, so each node that it names must be bound in every match.",
        bad="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> O } } remove node(S) }",
        good="filter f { match { either { V -[nsubj]-> S } or { V -[obj]-> S } } remove node(S) }",
    ),
    Code(
        "FICT213",
        "unbound-name-in-action",
        "the action names `{name}`, which no match binds",
        "A match binds the names outside `without` and counting blocks. An action can name only these.",
        bad="filter f { match { V:VERB without { V -[nsubj]-> S } } remove node(S) }",
        good="filter f { match { V:VERB without { V -[nsubj]-> S } } remove node(V) }",
    ),
    Code(
        "FICT214",
        "counted-name-not-new",
        "`{name}` is counted here, but it is a node of an enclosing block",
        "A counting block counts the words that match its node, so the node needs a name that is not in use.",
        bad="filter f { match { V -[obj]-> O at least 1 O { V -[obj]-> O } } }",
        good="filter f { match { V -[obj]-> O at least 1 X { V -[obj]-> X } } }",
    ),
    Code(
        "FICT215",
        "may-be-unbound",
        "`may be` names `{name}`, which no other clause binds",
        "`A may be B` allows two nodes to be the same word. It introduces no node: another clause of its block, or of "
        "a block around it, must contain each of them.",
        bad="filter f { match { V -[nsubj]-> S  S may be O } }",
        good="filter f { match { V -[nsubj]-> S  V -> O  S may be O } }",
    ),
    Code(
        "FICT216",
        "may-be-around",
        "`{left}` and `{right}` are both nodes of enclosing blocks",
        "Different nodes are different words. `A may be B` lifts this rule for A and B, and belongs to the block that "
        "contains at least one of them.",
        bad="filter f { match { V -> S  V -> O  without { S may be O  S -> _ } } }",
        good="filter f { match { V -> S  V -> O  S may be O  without { S -> _ } } }",
    ),
    Code(
        "FICT217",
        "list-columns",
        "`@{name}` is a list of {found}, and {expected} compared",
        "A tuple of attributes is compared with a list that has as many columns, `{{(rely, on), (look, for)}}`. One "
        "attribute is compared with a list of single values.",
        bad="list verbs = {rely}\nfilter f { match { V -> P  (V.lemma, P.lemma) in @verbs } }",
        good="list verbs = {(rely, on)}\nfilter f { match { V -> P  (V.lemma, P.lemma) in @verbs } }",
    ),
)
