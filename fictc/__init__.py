"""Python API: compile, lint and format filters, run them on sentences, and inspect the matches.

    import fictc

    for match in fictc.match("V -[nsubj]-> S", fictc.read_conllu("treebank.conllu")):
        print(match["S"].form, match.sentence.text)

compile_file(path), compile_text(text)   the filters of a .fict file or of a text
lint(text), format(text)                 findings, and the formatted text
read_conllu(path)                        the sentences of a CoNLL-U file
match(filter, corpus)                    the matches, each with its sentence and the bound words
count(filter, corpus, by="lemma(S)")     the number of matches by keys, as an Arrow table

Errors in a filter or a corpus raise `FilterError`. Its text is the message that the command line shows.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fictc.errors import FilterError
    from fictc.filters import Filter, Filters, compile_file, compile_text, format, lint  # noqa: A004 - as `fictc.format`
    from fictc.matches import Match, Matches, count, match
    from fictc.sentences import Sentence, Word, read_conllu
    from fictdsl.diagnostics.diagnostic import Diagnostic, Severity

_MODULES = {
    **dict.fromkeys(("Diagnostic", "Severity"), "fictdsl.diagnostics.diagnostic"),
    "count": "fictc.matches",
    "FilterError": "fictc.errors",
    **dict.fromkeys(("Filter", "Filters", "compile_file", "compile_text", "format", "lint"), "fictc.filters"),
    **dict.fromkeys(("Match", "Matches", "match"), "fictc.matches"),
    **dict.fromkeys(("Sentence", "Word", "read_conllu"), "fictc.sentences"),
}

__all__ = [
    "Diagnostic",
    "Filter",
    "FilterError",
    "Filters",
    "Match",
    "Matches",
    "Sentence",
    "Severity",
    "Word",
    "compile_file",
    "compile_text",
    "count",
    "format",
    "lint",
    "match",
    "read_conllu",
]


def __dir__() -> list[str]:
    return [*__all__, *(name for name in globals() if name.startswith("__"))]


def __getattr__(name: str) -> object:
    # Names are imported on first use: the command line needs none of them.
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fictc.installed import check_runner

    check_runner()
    return getattr(import_module(_MODULES[name]), name)
