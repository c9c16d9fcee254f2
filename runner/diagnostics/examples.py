"""FICT780–786: the example sentences of a filter."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import DOGS_BARK, Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT780",
        "example-comment-missing",
        "the example has no `# {key} = …` comment",
        "Every example states the expected outcome as `# expect = match` or `# expect = pass`. For a file with several "
        "filters, it also names the filter as `# filter = name`, or the rewrite as `# rewrite = name`.",
        bad=("# filter = subject\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT781",
        "example-filter",
        "no {kind} `{name}` in {path}",
        "The examples of `f.fict` are in `examples/f.conllu`. A member of a family is `name.value`; the name alone "
        "selects all its members.",
        bad=("# filter = subjekt\n# expect = match\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT782",
        "example-value",
        "`# {key} = {value}` cannot be read: {reason}",
        "`expect` is match or pass, or rewritten for the expected result of a rewrite of the preceding sentence. "
        "`bind` is a list of node names and word ids, such as `V:3 S:2`. `expect-text` is the expected text of a "
        "matching sentence after a rewrite.",
        bad=("# filter = subject\n# expect = yes\n" + DOGS_BARK),
        good=("# filter = subject\n# expect = match\n" + DOGS_BARK),
    ),
    Code(
        "FICT783",
        "sentence-not-in-store",
        "{path} has no sentence `{sentence}`",
        "A sentence of a store is identified by its `sent_id`, or by its source and its number in the source, counted "
        "from 1, as in `en_ewt-ud-dev.conllu:12`.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence no-such-sentence",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12",
    ),
    Code(
        "FICT784",
        "sentence-named-twice",
        "{count} sentences of {path} have the sent_id `{sentence}`",
        "A `sent_id` that several sentences share is ambiguous. SOURCE:NUMBER is always unique.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence an-id-given-twice",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12",
    ),
    Code(
        "FICT785",
        "example-not-so",
        "`{name}` was expected to {expected} in {sentence}, but does not: it finds {found}",
        "`fictc test --accept --expect` writes an example only if the filter behaves as expected. `--force` writes it "
        "in any case, as a test that fails until the filter is corrected.",
        bad="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12 --expect pass",
        good="$ fictc test agr.fict --accept --corpus ewt --sentence en_ewt-ud-dev.conllu:12 --expect match",
    ),
    Code(
        "FICT786",
        "example-there-already",
        "the sentence is already an example of `{name}`, at {path}:{line}",
        "A sentence can be an example of a filter only once. The expected outcome can be edited in the example file.",
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
