"""FICT78x: the example sentences beside a filter."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT780",
        "example-comment-missing",
        "the example has no `# {key} = …` comment",
        "Every example says what is expected of it with `# expect = match` or `# expect = pass`; beside a file "
        "with several filters it also names its filter, with `# filter = name`.",
    ),
    Code(
        "FICT781",
        "example-filter",
        "no filter `{name}` in {path}",
        "Examples lie beside their filter: those of `f.fict` in `examples/f.conllu`. A member of a family is "
        "`name.value`; the name alone stands for all its members.",
    ),
    Code(
        "FICT782",
        "example-value",
        "`# {key} = {value}` cannot be read: {reason}",
        "`expect` is match or pass; `bind` is pairs of a node's name and a word's number, such as `V:3 S:2`.",
    ),
)
