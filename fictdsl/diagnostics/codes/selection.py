"""FICT29x: filters that are named on the command line or in a manifest and are not there."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT290",
        "filter-not-in-file",
        "{path} has no filter `{name}`",
        "`FILE::name` chooses one filter of a file, `FILE::name.value` one member of a family; `FILE` alone "
        "stands for all of them.",
        bad="$ fictc explain agr.fict::agr-pp-mud",
        good="$ fictc explain agr.fict::agr-pp-mod",
    ),
    Code(
        "FICT291",
        "no-filter",
        "{path} holds no filter",
        "A filter file defines at least one `filter`; a folder stands for all `.fict` files in it. Files that "
        "define only lists and patterns are there to be used by others.",
        bad="$ fictc explain word-lists.fict",
        good="$ fictc explain agr.fict",
    ),
    Code(
        "FICT292",
        "filter-argument",
        "{path} is no filter file or folder: {reason}",
        "A filter is given as FILE, FILE::name, FILE::name.value of a family, or a folder for all its files.",
        bad="$ fictc explain arg.fict",
        good="$ fictc explain agr.fict",
    ),
    Code(
        "FICT293",
        "list-not-declared",
        "no file here declares a list `{name}`",
        "`--list NAME=FILE` and `[lists]` of a manifest replace a list that the filters, or the files they use, "
        "declare under this name.",
        bad="$ fictc explain agr.fict --list sv_noun=words.txt",
        good="$ fictc explain agr.fict --list sv_nouns=words.txt",
    ),
)
