"""FICT1xx: syntax errors, and errors in reading files."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity

_FILE: tuple[Code, ...] = (
    Code(
        "FICT101",
        "no-version",
        "the file does not begin with `fict 1`",
        "A file begins with the version of the language. Only comments may come before it.",
        bad="filter f { match { V -[nsubj]-> S } }",
        good=("fict 1\nfilter f { match { V -[nsubj]-> S } }"),
    ),
    Code(
        "FICT102",
        "unknown-version",
        "this fictc reads version 1 of the language, not version {found}",
        "The same text may have another meaning in another version, so the file is not read.",
        bad=("fict 2\nfilter f { match { V -[nsubj]-> S } }"),
        good=("fict 1\nfilter f { match { V -[nsubj]-> S } }"),
    ),
    Code(
        "FICT103",
        "forbidden-character",
        "{character} is not allowed in a file",
        "NUL and lone surrogates are not valid text. Query engines and corpus files cannot store them.",
        bad="list npi = {any\x00, ever}",
        good="list npi = {any, ever}",
    ),
    Code(
        "FICT104",
        "not-utf-8",
        "{file} is not UTF-8 text: {reason}",
        "Filters and word lists are UTF-8 files. Most editors can save a file in this encoding.",
        bad="$ fictc lint saved-as-latin1.fict",
        good="$ iconv -f latin1 -t utf-8 saved-as-latin1.fict > saved-as-utf8.fict",
    ),
    Code(
        "FICT105",
        "lone-carriage-return",
        "a carriage return without a line feed",
        "Lines end in LF or CR LF. After a lone CR, some editors show a new line where a comment continues.",
        bad="# one line\rlist npi = {any}",
        good=("# one line\nlist npi = {any}"),
    ),
)

_SYNTAX: tuple[Code, ...] = (
    Code(
        "FICT106",
        "unclosed-string",
        "this string is not closed on its line",
        'A string is enclosed in `"` on one line; `\\"` inside it is a quotation mark.',
        bad='list npi = {"at all, ever}',
        good='list npi = {"at all", ever}',
    ),
    Code(
        "FICT107",
        "unknown-escape",
        "`{escape}` is not an escape sequence",
        'The escape sequences of a string are `\\"` for a quotation mark and `\\\\` for a backslash.',
        bad='filter f { about "one\\ntwo" match { V -> S } }',
        good='filter f { about "one, two" match { V -> S } }',
    ),
    Code(
        "FICT108",
        "unclosed-regex",
        "this regular expression is not closed on its line",
        "A regular expression is enclosed in `/` on one line; `\\/` inside it is a slash.",
        bad="filter f { match { V[form = /any.*] } }",
        good="filter f { match { V[form = /any.*/] } }",
    ),
    Code(
        "FICT109",
        "unknown-regex-flag",
        "`{flag}` is not a flag of a regular expression; the only flag is `i`",
        "`/re/i` ignores the case of ASCII letters. There are no other flags.",
        bad="filter f { match { V[form = /any.*/g] } }",
        good="filter f { match { V[form = /any.*/i] } }",
    ),
    Code(
        "FICT110",
        "unexpected",
        "found {found}, expected {expected}",
        "After the text before this position, only the listed elements are allowed.",
        bad="list npi = {any ever, yet}",
        good="list npi = {any, ever, yet}",
    ),
    Code(
        "FICT111",
        "unknown-word",
        "`{found}` is not a valid keyword here; the nearest one is `{nearest}`",
        "A keyword is misspelt, or not allowed in this position.",
        bad="filter f { match { V -> S } remov sentence }",
        good="filter f { match { V -> S } remove sentence }",
    ),
    Code(
        "FICT112",
        "foreign-operator",
        "`{found}` is not an operator of this language",
        "Some operators have opposite meanings in other query languages, so this language does not use them.",
        bad="filter f { match { V > S } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT113",
        "and-operator",
        "`{found}` does not join tests; a `,` does",
        "In `[…]`, `,` means *and*. `or` and `not` bind more tightly; parentheses group.",
        bad="filter f { match { V[upos = VERB and Voice = Pass] } }",
        good="filter f { match { V[upos = VERB, Voice = Pass] } }",
    ),
    Code(
        "FICT114",
        "empty-block",
        "this block is empty",
        "A block needs at least one clause. (An empty list, `{}` after `=` or `in`, is allowed.)",
        bad="filter f { match { V -> S without { } } }",
        good="filter f { match { V -> S without { V -> O } } }",
    ),
    Code(
        "FICT115",
        "unclosed-bracket",
        "this `{opening}` is never closed",
        "Every `{`, `[` and `(` must be closed before the next item begins.",
        bad="filter f { match { V -> S }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT116",
        "reserved-name",
        "`{found}` is a reserved word and cannot be a name",
        "Reserved words cannot be names of nodes, lists, patterns or parameters. As values they need no quotes.",
        bad="filter f { match { count -[nsubj]-> S } }",
        good="filter f { match { C -[nsubj]-> S } }",
    ),
    Code(
        "FICT117",
        "bad-name",
        "`{found}` is not a valid name of a {what}",
        "Names of filters have lowercase letters, digits and single hyphens, as in `agr-pp-mod`. Names of nodes, "
        "lists, patterns and parameters have letters, digits and `_` and begin with a letter, as in `Subj_2`.",
        bad="filter Agr_PP { match { V -> S } }",
        good="filter agr-pp { match { V -> S } }",
    ),
    Code(
        "FICT118",
        "needs-quotes",
        "{found} needs quotation marks: `{quoted}`",
        'A value without quotes has letters, digits and `_`, with `:` between parts. Other values need `"…"`.',
        bad="filter f { match { N[form = n't] } }",
        good='filter f { match { N[form = "n\'t"] } }',
    ),
    Code(
        "FICT119",
        "given-twice",
        "`{word}` is given twice",
        "`about`, `source` and `targets` are given once for a filter, and so are `as-is case` and `as-is article` for "
        "a rewrite; `note` may be repeated.",
        bad='filter f { about "one" about "two" match { V -> S } }',
        good='filter f { about "one" note "two" match { V -> S } }',
    ),
    Code(
        "FICT120",
        "wrong-target",
        "`{verb}` does not take `{target}`, only {allowed}",
        "`keep` takes only `sentence`; `mask` takes all targets but `sentence`; `remove` and `count` take all. In a "
        "rewrite, `move` and `swap` take all targets but `sentence`, and `order` takes `subtree` and `sentence`.",
        bad="filter f { match { V -> S } keep node(S) }",
        good="filter f { match { V -> S } remove node(S) }",
    ),
    Code(
        "FICT121",
        "bad-replacement",
        "`with` takes a string, `upos`, `xpos` or `deprel`, not `{found}`",
        'A mask replaces its words by a string (`with "[…]"`), or each word by its tag (`with upos`).',
        bad="filter f { match { V -> S } mask node(S) with lemma }",
        good="filter f { match { V -> S } mask node(S) with upos }",
    ),
    Code(
        "FICT122",
        "misplaced-with",
        "`{verb}` takes no `with`; only `mask` replaces words",
        "`remove`, `keep` and `count` do not replace words.",
        bad='filter f { match { V -> S } remove node(S) with "<gap>" }',
        good='filter f { match { V -> S } mask node(S) with "<gap>" }',
    ),
    Code(
        "FICT123",
        "bad-family-value",
        "`{found}` cannot be a value of `for`",
        "The values of `for` become parts of names, so they consist of letters, digits, `_` and `-`.",
        bad='filter f for n in {"sing ular"} { match { N[lemma = $n] } }',
        good="filter f for n in {singular} { match { N[lemma = $n] } }",
    ),
    Code(
        "FICT124",
        "repeated-family-value",
        "the value `{found}` is given twice",
        "The values of `for` are distinct, since each defines one filter of the family.",
        bad="filter f for n in {Sing, Sing} { match { N[Number = $n] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT125",
        "empty-family",
        "this `for` has no values, so the family has no filters",
        "`for p in {a, b}` defines one filter for each value.",
        bad="filter f for n in {} { match { N[Number = $n] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT126",
        "too-deep",
        "this nests more than {limit} levels deep",
        "The nesting of blocks, parentheses and `not` is limited, since query engines have limits too.",
        bad=(
            "filter f { match { "
            "N[((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
            "((((((((has "
            "Number)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
            "))))))))))))] } }"
        ),
        good="filter f { match { N[has Number] } }",
    ),
    Code(
        "FICT127",
        "number-too-large",
        "the number {found} is too large",
        "Numbers have at most nine digits.",
        bad="filter f { match { A <<{1..10000000000} B } }",
        good="filter f { match { A << B } }",
    ),
    Code(
        "FICT128",
        "stray-bracket",
        "unmatched `{closing}`",
        "A closing bracket has no opening bracket, or one of another kind.",
        bad="filter f { match { V -> S) } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT129",
        "counted-node-unnamed",
        "the counted node needs a name",
        "`at least 2 X { … }` counts the words X for which the block holds, so the block must refer to X by name.",
        bad="filter f { match { at least 2 _ { V -> _ } } }",
        good="filter f { match { at least 2 S { V -> S } } }",
    ),
)

_REGEX: tuple[Code, ...] = (
    Code(
        "FICT130",
        "regex-construct",
        "{problem} is not supported in regular expressions",
        "Regular expressions are restricted to a subset with the same meaning on every engine: literals, `.`, classes, "
        "`\\d`, `\\p{L}`, groups, `|`, `* + ?` and `{m,n}`. They must match the whole value.",
        bad="filter f { match { V[form = /^any/] } }",
        good="filter f { match { V[form = /any.*/] } }",
    ),
    Code(
        "FICT131",
        "regex-malformed",
        "malformed regular expression: {problem}",
        "A bracket or a repetition of the regular expression is invalid.",
        bad="filter f { match { V[form = /(any/] } }",
        good="filter f { match { V[form = /(any)/] } }",
    ),
    Code(
        "FICT132",
        "regex-limits",
        "this regular expression {problem}",
        "Bounds of repetitions are at most 100, the product of nested bounds is at most 1,000, and groups nest at most "
        "64 levels deep. Beyond these limits, engines reject the expression or take very long.",
        bad="filter f { match { V[form = /a{1000}/] } }",
        good="filter f { match { V[form = /a{100}/] } }",
    ),
)

_ATTRIBUTES_AND_ORDERS: tuple[Code, ...] = (
    Code(
        "FICT133",
        "attribute-form",
        "`{found}` must be written `{right}`",
        "The layer of a feature is in square brackets: `Number[psor]`. The key or the length of a column is after a "
        "dot: `misc.Gloss`, `form.length`.",
        bad="filter f { match { V[Number.psor = Sing] } }",
        good="filter f { match { V[Number[psor] = Sing] } }",
    ),
    Code(
        "FICT134",
        "head-final-order",
        "`head-final` stands after `by length`, not after `{found}`",
        "In a head-final order, the dependents of each head stand before it, the longest first.",
        bad="rewrite r { match { } order sentence by chance head-final }",
        good="rewrite r { match { } order sentence by length head-final }",
    ),
    Code(
        "FICT135",
        "window-too-small",
        "a window of {found} words cannot be shuffled",
        "`shuffle … in N` shuffles each window of N words, where N is at least 2.",
        bad="rewrite r { match { } shuffle sentence in 1 }",
        good="rewrite r { match { } shuffle sentence in 3 }",
    ),
    Code(
        "FICT136",
        "not-a-measure",
        "`{found}` is not a number of words",
        "Numbers of words are `length(subtree(X))`, `length(span(X, Y))` and `distance(X, Y)`, where X and Y are names "
        "of nodes. They compare with each other and with whole numbers, and `+` and `-` join them.",
        bad="filter f { match { V -[obj]-> O  V -[obl]-> P  size(subtree(O)) > size(subtree(P)) } }",
        good="filter f { match { V -[obj]-> O  V -[obl]-> P  length(subtree(O)) > length(subtree(P)) } }",
    ),
)

_READING: tuple[Code, ...] = (
    Code(
        "FICT140",
        "no-such-file",
        "there is no file `{file}`",
        "Paths after `use` and `file` are relative to the file that contains them.",
        bad='use "wrods.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT141",
        "outside-project",
        "`{file}` is outside the project",
        "A file can read only files of its project: those in the nearest parent folder with a `pyproject.toml` or "
        "`fictc.toml`, or else in its own folder. Links to files outside the project are not followed.",
        bad='use "../../elsewhere/words.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT142",
        "not-a-file",
        "`{file}` is not a regular file",
        "Folders, pipes and devices are not read.",
        bad='use "folder"',
        good='use "words.fict"',
    ),
    Code(
        "FICT143",
        "file-too-large",
        "`{file}` is larger than {limit}",
        "A `.fict` file has at most 1 MB and a word list at most 8 MB.",
        bad="$ fictc lint corpus-renamed-to.fict",
        good="$ fictc lint filter.fict",
    ),
    Code(
        "FICT144",
        "too-many-files",
        "more than {limit} files are read here",
        "A file can use at most 64 `.fict` files and 64 word lists, directly or through other files.",
        bad="$ fictc lint uses-70-others.fict",
        good="$ fictc lint uses-7-others.fict",
    ),
    Code(
        "FICT145",
        "use-cycle",
        "circular `use`: {chain}",
        "Files cannot use each other. Definitions that both need belong in a third file.",
        bad='use "circle.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT146",
        "unreadable-file",
        "`{file}` cannot be read: {reason}",
        "The operating system does not allow reading the file.",
        bad="$ fictc lint no-permission.fict",
        good="$ chmod u+r no-permission.fict",
    ),
    Code(
        "FICT147",
        "absolute-path",
        "the path `{file}` is not relative",
        "Paths after `use` and `file` are relative to the file that contains them, so that a project can be moved.",
        bad='use "/home/me/words.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT148",
        "repeated-entry",
        "the entry `{entry}` occurs twice in this list",
        "A list is a set, so the second entry has no effect. It is often a mistake for another word.",
        Severity.WARNING,
        bad="$ cat words/npi.txt\nany\never\nany",
        good="$ cat words/npi.txt\nany\never\nyet",
    ),
    Code(
        "FICT149",
        "no-folder",
        "this text has no folder, so it cannot read `{file}`",
        "Paths are relative to the folder of the file that contains them. A text that is not from a file has none.",
        bad=">>> compile_text('fict 1\\nuse \"words.fict\"')",
        good='>>> compile_text(\'fict 1\\nuse "words.fict"\', base=Path("filters"))',
    ),
    Code(
        "FICT150",
        "ragged-rows",
        "this row and the first one differ in the number of columns: {found} and {expected}",
        "The rows of a list have the same number of columns. In a file, tabs separate them.",
        bad="list frames = { (rely, on), (look, for, ward) }",
        good="list frames = { (rely, on), (look, for) }",
    ),
    Code(
        "FICT151",
        "tab-in-row",
        "a value of a row cannot contain a tab",
        "Tabs separate the columns of a list in a file, so no value of a row can contain one.",
        bad='list frames = { (rely, "on\tto") }',
        good='list frames = { (rely, "on to") }',
    ),
)

CODES: tuple[Code, ...] = (*_FILE, *_SYNTAX, *_REGEX, *_ATTRIBUTES_AND_ORDERS, *_READING)
