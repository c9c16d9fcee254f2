"""Parse filters and trees in short notation, and run the reference interpreter on them."""

from __future__ import annotations

from fictdsl.reference.evaluate import Evaluator
from fictdsl.reference.sentences import Sentence, read
from fictdsl.source import Source
from fictdsl.syntax.load import Module
from fictdsl.syntax.nodes import File, FilterDef
from fictdsl.syntax.parse import parse

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def tree(rows: str, *comments: str) -> Sentence:
    """Return a sentence from rows, see `conllu`."""
    return read(conllu(rows, *comments))[0]


def conllu(rows: str, *comments: str) -> str:
    """Return the CoNLL-U of rows `form upos head deprel [column=value …]`, separated by white space or newlines.

    `feats=`, `lemma=`, `xpos=`, `deps=` and `misc=` give the other columns; the default lemma is the form. A row
    `2-3 form [misc=…]` is a multiword token.
    """
    lines = [f"# {comment}" for comment in comments]
    number = 0
    for line in rows.strip().splitlines():
        first, *rest = line.split()
        if first[0].isdigit() and "-" in first:
            columns = {"form": rest[0]}
            word_id, extra = first, rest[1:]
        else:
            upos, head, deprel, *extra = rest
            columns = {"form": first, "lemma": first.lower(), "upos": upos, "head": head, "deprel": deprel}
            number += 1
            word_id = str(number)
        columns |= dict(part.split("=", 1) for part in extra)
        lines.append("\t".join([word_id, *(columns.get(name, "_") for name in COLUMNS)]))
    return "\n".join(lines) + "\n\n"


def parsed(text: str) -> File:
    """Parse a text without mistakes."""
    file, problems = parse(Source.of(text))
    assert file is not None and not problems, problems
    return file


def module(text: str, **used: str) -> Module:
    """Parse a file; `name="…"` gives the text of `use "name"`."""
    source = Source.of(text if text.startswith("fict") else f"fict 1\n{text}")
    return Module(source, parsed(source.text), {name: module(content) for name, content in used.items()})


def matches(match: str, sentence: Sentence, before: str = "", value: str | None = None) -> set[str]:
    """Return the matches of `match { … }` as texts such as "A1 B2"; `before` has lists and patterns."""
    family = "" if value is None else f"for p in {{{value}}}"
    parsed = module(f"{before} filter it {family} {{ match {{ {match} }} }}")
    definition = next(item for item in parsed.file.items if isinstance(item, FilterDef))
    return {
        " ".join(f"{name}{word}" for name, word in sorted(bound))
        for bound in Evaluator(parsed, definition, value).matches(sentence)
    }
