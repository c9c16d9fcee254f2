"""FICT29x: missing filters and lists that a command or manifest names, and invalid input of `fictc translate`."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT290",
        "filter-not-in-file",
        "{path} has no {kind} `{name}`",
        "`FILE::name` selects one filter or rewrite of a file, `FILE::name.value` one member of a family, and "
        "`FILE` all of them.",
        bad="$ fictc explain agr.fict::agr-pp-mud",
        good="$ fictc explain agr.fict::agr-pp-mod",
    ),
    Code(
        "FICT291",
        "no-filter",
        "{path} contains no {kind}",
        "A filter file defines at least one `filter`, or a `rewrite` where rewrites are expected; a folder selects all "
        "`.fict` files in it. Files that define only lists and patterns can only be used by other files.",
        bad="$ fictc explain word-lists.fict",
        good="$ fictc explain agr.fict",
    ),
    Code(
        "FICT292",
        "filter-argument",
        "{path} is not a filter file or folder: {reason}",
        "A filter argument is FILE, FILE::name, FILE::name.value for a member of a family, or a folder.",
        bad="$ fictc explain arg.fict",
        good="$ fictc explain agr.fict",
    ),
    Code(
        "FICT293",
        "list-not-declared",
        "neither the filter files nor the files they use declare a list `{name}`",
        "`--list NAME=FILE` and `[lists]` of a manifest replace a list that the filters or the files they use declare.",
        bad="$ fictc explain agr.fict --list sv_noun=words.txt",
        good="$ fictc explain agr.fict --list sv_nouns=words.txt",
    ),
    Code(
        "FICT294",
        "not-translated",
        "found `{found}`, expected {expected}, in a {input_kind}",
        "`fictc translate` reads requests of Grew (blocks `pattern`, `with`, `without` and `global`) and patterns of "
        "Semgrex (`{{cpos:VERB}} >nsubj {{}}`), as their own tools do.",
        bad="$ fictc translate --from grew passive.fict",
        good="$ fictc translate --from grew passive.req",
    ),
    Code(
        "FICT295",
        "translate-unreadable",
        "{path} cannot be read: {reason}",
        "`fictc translate` reads a text file in UTF-8, or standard input for `-`.",
        bad="$ fictc translate --from grew pasive.req",
        good="$ fictc translate --from grew passive.req",
    ),
)
