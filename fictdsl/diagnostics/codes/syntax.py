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
    ),
    Code(
        "FICT102",
        "unknown-version",
        "this fictc reads version 1 of the language, not version {found}",
        "A file of another version may mean something else by the same words, so it is not read at all.",
    ),
    Code(
        "FICT103",
        "forbidden-character",
        "{character} may not stand in a file",
        "NUL and lone surrogates are no text: no engine and no corpus file can hold them.",
    ),
    Code(
        "FICT104",
        "not-utf-8",
        "{file} is not UTF-8 text: {reason}",
        "Filters and word lists are UTF-8 files. Most editors offer it under “save with encoding”.",
    ),
    Code(
        "FICT105",
        "lone-carriage-return",
        "a carriage return without a line feed",
        "Lines end in LF or CR LF. A lone CR would let a comment swallow the lines that seem to follow it.",
    ),
)

_WORDS: tuple[Code, ...] = (
    Code(
        "FICT106",
        "unclosed-string",
        "this string is not closed on its line",
        'A string stands between two `"` on one line; `\\"` inside it is a quotation mark.',
    ),
    Code(
        "FICT107",
        "unknown-escape",
        "`{escape}` means nothing in a string",
        'The escapes of a string are `\\"` for a quotation mark and `\\\\` for a backslash.',
    ),
    Code(
        "FICT108",
        "unclosed-regex",
        "this regular expression is not closed on its line",
        "A regular expression stands between two `/` on one line; `\\/` inside it is a slash.",
    ),
    Code(
        "FICT109",
        "unknown-regex-flag",
        "`{flag}` is no flag of a regular expression; the only one is `i`",
        "`/re/i` folds the ASCII letters. There are no other flags.",
    ),
    Code(
        "FICT110",
        "unexpected",
        "found {found}, expected {expected}",
        "The text stops making sense here: what stands before allows only the things named.",
    ),
    Code(
        "FICT111",
        "unknown-word",
        "`{found}` is no word of the language here; the nearest one is `{nearest}`",
        "A keyword is misspelt, or stands where it cannot.",
    ),
    Code(
        "FICT112",
        "foreign-operator",
        "`{found}` is no operator of this language",
        "Some signs mean opposite things in other query languages, so this one does without them.",
    ),
    Code(
        "FICT113",
        "and-operator",
        "`{found}` does not join tests; a `,` does",
        "In `[…]`, `,` means and; `or` and `not` bind tighter; parentheses group.",
    ),
    Code(
        "FICT114",
        "empty-block",
        "this block is empty",
        "A block without clauses says nothing. (An empty list, `{}` after `=` or `in`, is fine.)",
    ),
    Code(
        "FICT115",
        "unclosed-bracket",
        "this `{opening}` is never closed",
        "Every `{`, `[` and `(` needs its partner before the next item begins.",
    ),
    Code(
        "FICT116",
        "reserved-name",
        "`{found}` is a word of the language and cannot name anything",
        "Reserved words cannot name nodes, lists, patterns, filters or parameters. As values they need no quotes.",
    ),
    Code(
        "FICT117",
        "bad-name",
        "`{found}` cannot name a {what}",
        "Filters are named like `agr-pp-mod`: small letters, digits and single hyphens. Nodes, lists, patterns and "
        "parameters are named like `Subj_2`: letters, digits and `_`, with a letter first.",
    ),
    Code(
        "FICT118",
        "needs-quotes",
        "{found} needs quotation marks: `{quoted}`",
        'A bare value is letters, digits and `_`, with `:` between parts. Anything else stands in `"…"`.',
    ),
    Code(
        "FICT119",
        "given-twice",
        "`{word}` is given twice",
        "`about`, `source` and `targets` are given once for a filter; `note` may be repeated.",
    ),
    Code(
        "FICT120",
        "wrong-target",
        "`{verb}` does not take `{target}`, only {allowed}",
        "`keep` takes only `sentence`; `mask` takes everything but `sentence`; `remove` and `count` take all.",
    ),
    Code(
        "FICT121",
        "bad-replacement",
        "`with` takes a string, `upos`, `xpos` or `deprel`, not `{found}`",
        'A mask puts a string for its words (`with "[…]"`) or for each word its tag (`with upos`).',
    ),
    Code(
        "FICT122",
        "misplaced-with",
        "`{verb}` takes no `with`; only `mask` puts something in place of words",
        "What is removed, kept or counted is not replaced.",
    ),
    Code(
        "FICT123",
        "bad-family-value",
        "`{found}` cannot be a value of `for`",
        "The values of `for` become parts of names, so they are letters, digits, `_` and `-`.",
    ),
    Code(
        "FICT124",
        "repeated-family-value",
        "the value `{found}` is given twice",
        "The values of `for` are distinct: each makes one filter of the family.",
    ),
    Code(
        "FICT125",
        "empty-family",
        "this `for` has no values, so the family has no filters",
        "`for p in {a, b}` makes one filter for each value.",
    ),
    Code(
        "FICT126",
        "too-deep",
        "this nests more than {limit} levels deep",
        "The parts of a filter nest in blocks, parentheses and `not`; beyond a limit no engine can run them.",
    ),
    Code(
        "FICT127",
        "number-too-large",
        "the number {found} is too large",
        "Numbers have at most nine digits.",
    ),
    Code(
        "FICT128",
        "stray-bracket",
        "this `{closing}` closes nothing",
        "There is a closing bracket more than there are opening ones, or one that does not fit its partner.",
    ),
    Code(
        "FICT129",
        "counted-node-unnamed",
        "the node that is counted needs a name",
        "`at least 2 X { … }` counts the words X for which the block holds, so the block must be able to name X.",
    ),
)

_REGEX: tuple[Code, ...] = (
    Code(
        "FICT130",
        "regex-construct",
        "{problem} is no part of this language's regular expressions",
        "The regular expressions of this language are a subset that means the same on every engine: literals, `.`, "
        "classes, `\\d`, `\\p{L}`, groups, `|`, `* + ?` and `{m,n}`, always matched against the whole value.",
    ),
    Code(
        "FICT131",
        "regex-malformed",
        "malformed regular expression: {problem}",
        "The brackets and repetitions of the regular expression do not fit together.",
    ),
    Code(
        "FICT132",
        "regex-limits",
        "this regular expression {problem}",
        "Repetitions count to 100 at most, those inside each other multiply to 1,000 at most, and groups nest 64 deep; "
        "beyond that engines refuse it or take very long.",
    ),
)

_ATTRIBUTES: tuple[Code, ...] = (
    Code(
        "FICT133",
        "attribute-form",
        "`{found}` is written `{right}`",
        "Features, which begin with a capital, take a layer in square brackets: `Number[psor]`. Columns take a key or "
        "a measure after a dot: `misc.Gloss`, `form.length`.",
    ),
)

_READING: tuple[Code, ...] = (
    Code(
        "FICT140",
        "no-such-file",
        "there is no file `{file}`",
        "Paths after `use` and `file` are relative to the file in which they are written.",
    ),
    Code(
        "FICT141",
        "outside-project",
        "`{file}` lies outside the project",
        "A file reads others only within its project: the nearest folder upwards that holds `pyproject.toml` or "
        "`fictc.toml`, or else the folder of the file itself. Links that lead out of it do not count as inside.",
    ),
    Code(
        "FICT142",
        "not-a-file",
        "`{file}` is no regular file",
        "Folders, pipes and devices are not read.",
    ),
    Code(
        "FICT143",
        "file-too-large",
        "`{file}` is larger than {limit}",
        "A `.fict` file has at most 1 MB and a word list at most 8 MB.",
    ),
    Code(
        "FICT144",
        "too-many-files",
        "more than {limit} files are read here",
        "One file and all that it uses, directly or through others, are at most 64 `.fict` files and 64 word lists.",
    ),
    Code(
        "FICT145",
        "use-cycle",
        "`use` goes in a circle: {chain}",
        "Files that use each other have no order in which they could be understood. What both need goes into a third.",
    ),
    Code(
        "FICT146",
        "unreadable-file",
        "`{file}` cannot be read: {reason}",
        "The operating system refused to read the file.",
    ),
    Code(
        "FICT147",
        "absolute-path",
        "`{file}` is not relative",
        "Paths after `use` and `file` are relative to the file in which they are written, so that a project can move.",
    ),
    Code(
        "FICT148",
        "repeated-entry",
        "the entry `{entry}` stands in this list twice",
        "A list is a set: the second entry changes nothing, but often another word was meant.",
        Severity.WARNING,
    ),
    Code(
        "FICT149",
        "no-folder",
        "this text comes from no file, so it cannot read `{file}`",
        "Paths are relative to the folder of the file in which they are written; text from elsewhere has none.",
    ),
)

CODES: tuple[Code, ...] = (*_FILE, *_WORDS, *_REGEX, *_ATTRIBUTES, *_READING)
