"""FICT1xx: what is wrong with the text itself."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity

_FILE: tuple[Code, ...] = (
    Code(
        "FICT101",
        "no-version",
        "the file does not begin with `fict 1`",
        "The first words of a file say which version of the language it is written in. Comments may stand above.",
        bad="filter f { match { V -[nsubj]-> S } }",
        good=("fict 1\nfilter f { match { V -[nsubj]-> S } }"),
    ),
    Code(
        "FICT102",
        "unknown-version",
        "this fictc reads version 1 of the language, not version {found}",
        "A file of another version may mean something else by the same words, so it is not read at all.",
        bad=("fict 2\nfilter f { match { V -[nsubj]-> S } }"),
        good=("fict 1\nfilter f { match { V -[nsubj]-> S } }"),
    ),
    Code(
        "FICT103",
        "forbidden-character",
        "{character} may not stand in a file",
        "NUL and lone surrogates are no text: no engine and no corpus file can hold them.",
        bad="list npi = {any\x00, ever}",
        good="list npi = {any, ever}",
    ),
    Code(
        "FICT104",
        "not-utf-8",
        "{file} is not UTF-8 text: {reason}",
        "Filters and word lists are UTF-8 files. Most editors offer it under “save with encoding”.",
        bad="$ fictc lint saved-as-latin1.fict",
        good="$ iconv -f latin1 -t utf-8 saved-as-latin1.fict > saved-as-utf8.fict",
    ),
    Code(
        "FICT105",
        "lone-carriage-return",
        "a carriage return without a line feed",
        "Lines end in LF or CR LF. A lone CR would let a comment swallow the lines that seem to follow it.",
        bad="# one line\rlist npi = {any}",
        good=("# one line\nlist npi = {any}"),
    ),
)

_WORDS: tuple[Code, ...] = (
    Code(
        "FICT106",
        "unclosed-string",
        "this string is not closed on its line",
        'A string stands between two `"` on one line; `\\"` inside it is a quotation mark.',
        bad='list npi = {"at all, ever}',
        good='list npi = {"at all", ever}',
    ),
    Code(
        "FICT107",
        "unknown-escape",
        "`{escape}` means nothing in a string",
        'The escapes of a string are `\\"` for a quotation mark and `\\\\` for a backslash.',
        bad='filter f { about "one\\ntwo" match { V -> S } }',
        good='filter f { about "one, two" match { V -> S } }',
    ),
    Code(
        "FICT108",
        "unclosed-regex",
        "this regular expression is not closed on its line",
        "A regular expression stands between two `/` on one line; `\\/` inside it is a slash.",
        bad="filter f { match { V[form = /any.*] } }",
        good="filter f { match { V[form = /any.*/] } }",
    ),
    Code(
        "FICT109",
        "unknown-regex-flag",
        "`{flag}` is no flag of a regular expression; the only one is `i`",
        "`/re/i` folds the ASCII letters. There are no other flags.",
        bad="filter f { match { V[form = /any.*/g] } }",
        good="filter f { match { V[form = /any.*/i] } }",
    ),
    Code(
        "FICT110",
        "unexpected",
        "found {found}, expected {expected}",
        "The text stops making sense here: what stands before allows only the things named.",
        bad="list npi = {any ever, yet}",
        good="list npi = {any, ever, yet}",
    ),
    Code(
        "FICT111",
        "unknown-word",
        "`{found}` is no word of the language here; the nearest one is `{nearest}`",
        "A keyword is misspelt, or stands where it cannot.",
        bad="filter f { match { V -> S } remov sentence }",
        good="filter f { match { V -> S } remove sentence }",
    ),
    Code(
        "FICT112",
        "foreign-operator",
        "`{found}` is no operator of this language",
        "Some signs mean opposite things in other query languages, so this one does without them.",
        bad="filter f { match { V > S } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT113",
        "and-operator",
        "`{found}` does not join tests; a `,` does",
        "In `[…]`, `,` means and; `or` and `not` bind tighter; parentheses group.",
        bad="filter f { match { V[upos = VERB and Voice = Pass] } }",
        good="filter f { match { V[upos = VERB, Voice = Pass] } }",
    ),
    Code(
        "FICT114",
        "empty-block",
        "this block is empty",
        "A block without clauses says nothing. (An empty list, `{}` after `=` or `in`, is fine.)",
        bad="filter f { match { V -> S without { } } }",
        good="filter f { match { V -> S without { V -> O } } }",
    ),
    Code(
        "FICT115",
        "unclosed-bracket",
        "this `{opening}` is never closed",
        "Every `{`, `[` and `(` needs its partner before the next item begins.",
        bad="filter f { match { V -> S }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT116",
        "reserved-name",
        "`{found}` is a word of the language and cannot name anything",
        "Reserved words cannot name nodes, lists, patterns or parameters. As values they need no quotes.",
        bad="filter f { match { count -[nsubj]-> S } }",
        good="filter f { match { C -[nsubj]-> S } }",
    ),
    Code(
        "FICT117",
        "bad-name",
        "`{found}` cannot name a {what}",
        "Filters are named like `agr-pp-mod`: small letters, digits and single hyphens. Nodes, lists, patterns and "
        "parameters are named like `Subj_2`: letters, digits and `_`, with a letter first.",
        bad="filter Agr_PP { match { V -> S } }",
        good="filter agr-pp { match { V -> S } }",
    ),
    Code(
        "FICT118",
        "needs-quotes",
        "{found} needs quotation marks: `{quoted}`",
        'A bare value is letters, digits and `_`, with `:` between parts. Anything else stands in `"…"`.',
        bad="filter f { match { N[form = n't] } }",
        good='filter f { match { N[form = "n\'t"] } }',
    ),
    Code(
        "FICT119",
        "given-twice",
        "`{word}` is given twice",
        "`about`, `source` and `targets` are given once for a filter; `note` may be repeated.",
        bad='filter f { about "one" about "two" match { V -> S } }',
        good='filter f { about "one" note "two" match { V -> S } }',
    ),
    Code(
        "FICT120",
        "wrong-target",
        "`{verb}` does not take `{target}`, only {allowed}",
        "`keep` takes only `sentence`; `mask` takes everything but `sentence`; `remove` and `count` take all.",
        bad="filter f { match { V -> S } keep node(S) }",
        good="filter f { match { V -> S } remove node(S) }",
    ),
    Code(
        "FICT121",
        "bad-replacement",
        "`with` takes a string, `upos`, `xpos` or `deprel`, not `{found}`",
        'A mask puts a string for its words (`with "[…]"`) or for each word its tag (`with upos`).',
        bad="filter f { match { V -> S } mask node(S) with lemma }",
        good="filter f { match { V -> S } mask node(S) with upos }",
    ),
    Code(
        "FICT122",
        "misplaced-with",
        "`{verb}` takes no `with`; only `mask` puts something in place of words",
        "What is removed, kept or counted is not replaced.",
        bad='filter f { match { V -> S } remove node(S) with "<gap>" }',
        good='filter f { match { V -> S } mask node(S) with "<gap>" }',
    ),
    Code(
        "FICT123",
        "bad-family-value",
        "`{found}` cannot be a value of `for`",
        "The values of `for` become parts of names, so they are letters, digits, `_` and `-`.",
        bad='filter f for n in {"sing ular"} { match { N[lemma = $n] } }',
        good="filter f for n in {singular} { match { N[lemma = $n] } }",
    ),
    Code(
        "FICT124",
        "repeated-family-value",
        "the value `{found}` is given twice",
        "The values of `for` are distinct: each makes one filter of the family.",
        bad="filter f for n in {Sing, Sing} { match { N[Number = $n] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT125",
        "empty-family",
        "this `for` has no values, so the family has no filters",
        "`for p in {a, b}` makes one filter for each value.",
        bad="filter f for n in {} { match { N[Number = $n] } }",
        good="filter f for n in {Sing, Plur} { match { N[Number = $n] } }",
    ),
    Code(
        "FICT126",
        "too-deep",
        "this nests more than {limit} levels deep",
        "The parts of a filter nest in blocks, parentheses and `not`; beyond a limit no engine can run them.",
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
        "this `{closing}` closes nothing",
        "There is a closing bracket more than there are opening ones, or one that does not fit its partner.",
        bad="filter f { match { V -> S) } }",
        good="filter f { match { V -> S } }",
    ),
    Code(
        "FICT129",
        "counted-node-unnamed",
        "the node that is counted needs a name",
        "`at least 2 X { … }` counts the words X for which the block holds, so the block must be able to name X.",
        bad="filter f { match { at least 2 _ { V -> _ } } }",
        good="filter f { match { at least 2 S { V -> S } } }",
    ),
)

_REGEX: tuple[Code, ...] = (
    Code(
        "FICT130",
        "regex-construct",
        "{problem} is no part of this language's regular expressions",
        "The regular expressions of this language are a subset that means the same on every engine: literals, `.`, "
        "classes, `\\d`, `\\p{L}`, groups, `|`, `* + ?` and `{m,n}`, always matched against the whole value.",
        bad="filter f { match { V[form = /^any/] } }",
        good="filter f { match { V[form = /any.*/] } }",
    ),
    Code(
        "FICT131",
        "regex-malformed",
        "malformed regular expression: {problem}",
        "The brackets and repetitions of the regular expression do not fit together.",
        bad="filter f { match { V[form = /(any/] } }",
        good="filter f { match { V[form = /(any)/] } }",
    ),
    Code(
        "FICT132",
        "regex-limits",
        "this regular expression {problem}",
        "Repetitions count to 100 at most, those inside each other multiply to 1,000 at most, and groups nest 64 deep; "
        "beyond that engines refuse it or take very long.",
        bad="filter f { match { V[form = /a{1000}/] } }",
        good="filter f { match { V[form = /a{100}/] } }",
    ),
)

_ATTRIBUTES: tuple[Code, ...] = (
    Code(
        "FICT133",
        "attribute-form",
        "`{found}` is written `{right}`",
        "Features, which begin with a capital, take a layer in square brackets: `Number[psor]`. Columns take a key or "
        "a measure after a dot: `misc.Gloss`, `form.length`.",
        bad="filter f { match { V[Number.psor = Sing] } }",
        good="filter f { match { V[Number[psor] = Sing] } }",
    ),
)

_READING: tuple[Code, ...] = (
    Code(
        "FICT140",
        "no-such-file",
        "there is no file `{file}`",
        "Paths after `use` and `file` are relative to the file in which they are written.",
        bad='use "wrods.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT141",
        "outside-project",
        "`{file}` lies outside the project",
        "A file reads others only within its project: the nearest folder upwards that holds `pyproject.toml` or "
        "`fictc.toml`, or else the folder of the file itself. Links that lead out of it do not count as inside.",
        bad='use "../../elsewhere/words.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT142",
        "not-a-file",
        "`{file}` is no regular file",
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
        "One file and all that it uses, directly or through others, are at most 64 `.fict` files and 64 word lists.",
        bad="$ fictc lint uses-70-others.fict",
        good="$ fictc lint uses-7-others.fict",
    ),
    Code(
        "FICT145",
        "use-cycle",
        "`use` goes in a circle: {chain}",
        "Files that use each other have no order in which they could be understood. What both need goes into a third.",
        bad='use "circle.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT146",
        "unreadable-file",
        "`{file}` cannot be read: {reason}",
        "The operating system refused to read the file.",
        bad="$ fictc lint no-permission.fict",
        good="$ chmod u+r no-permission.fict",
    ),
    Code(
        "FICT147",
        "absolute-path",
        "`{file}` is not relative",
        "Paths after `use` and `file` are relative to the file in which they are written, so that a project can move.",
        bad='use "/home/me/words.fict"',
        good='use "words.fict"',
    ),
    Code(
        "FICT148",
        "repeated-entry",
        "the entry `{entry}` stands in this list twice",
        "A list is a set: the second entry changes nothing, but often another word was meant.",
        Severity.WARNING,
        bad="$ cat words/npi.txt\nany\never\nany",
        good="$ cat words/npi.txt\nany\never\nyet",
    ),
    Code(
        "FICT149",
        "no-folder",
        "this text comes from no file, so it cannot read `{file}`",
        "Paths are relative to the folder of the file in which they are written; text from elsewhere has none.",
        bad=">>> compile_text('fict 1\\nuse \"words.fict\"')",
        good='>>> compile_text(\'fict 1\\nuse "words.fict"\', base=Path("filters"))',
    ),
)

CODES: tuple[Code, ...] = (*_FILE, *_WORDS, *_REGEX, *_ATTRIBUTES, *_READING)
