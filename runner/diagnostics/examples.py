"""FICT78x: the example sentences beside a filter."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import DOGS_BARK, Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT780",
        "example-comment-missing",
        "the example has no `# {key} = …` comment",
        "Every example says what is expected of it with `# expect = match` or `# expect = pass`; beside a file "
        "with several filters it also names its filter, with `# filter = name`.",
        bad=("# filter = subject\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT781",
        "example-filter",
        "no filter `{name}` in {path}",
        "Examples lie beside their filter: those of `f.fict` in `examples/f.conllu`. A member of a family is "
        "`name.value`; the name alone stands for all its members.",
        bad=("# filter = subjekt\n# expect = match\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT782",
        "example-value",
        "`# {key} = {value}` cannot be read: {reason}",
        "`expect` is match or pass; `bind` is pairs of a node's name and a word's number, such as `V:3 S:2`.",
        bad=("# filter = subject\n# expect = yes\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT783",
        "sentence-not-in-store",
        "{path} has no sentence `{sentence}`",
        "A sentence of a store is named by its `sent_id`, or by its source and its number in that source, from 1, "
        "as in `en_ewt-ud-dev.conllu:12`.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence no-such-sentence",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12",
    ),
    Code(
        "FICT784",
        "sentence-named-twice",
        "{count} sentences of {path} are called `{sentence}`",
        "A `sent_id` that several sentences of a store have names none of them; SOURCE:NUMBER always names one.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence an-id-given-twice",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12",
    ),
    Code(
        "FICT785",
        "example-not-so",
        "`{name}` was expected to {expected} in {sentence}, and does not: it finds {found}",
        "`fictc test --accept --expect` writes an example only if the filter does what is expected. `--force` writes "
        "it all the same, as a test that fails until the filter is right.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12 --expect pass",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12 --expect match",
    ),
    Code(
        "FICT786",
        "example-there-already",
        "the sentence is an example of `{name}` already, at {path}:{line}",
        "A sentence is an example of a filter once. What is expected of it can be changed in the file of examples.",
        bad=(
            "$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12\n"
            "$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12"
        ),
        good=(
            "$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12\n"
            "$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:13"
        ),
    ),
)
