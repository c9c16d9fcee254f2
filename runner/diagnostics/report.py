"""FICT89x: the results that a report is based on."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.extras import install_hint

CODES: tuple[Code, ...] = (
    Code(
        "FICT890",
        "results-missing",
        "no {what} at {path}",
        "A report is based on the results of a run: items.parquet, perplexity.parquet, conditions.json and run.json in "
        "the folder `results` of the run. They exist after at least one cell of the run has been scored. `fictc power` "
        "and `fictc status` also take the folder of a run, which is `runs/NAME` unless `--output` sets another.",
        bad="$ fictc report runs/not-scored-yet",
        good=("$ fictc run experiment.toml\n$ fictc report runs/small"),
    ),
    Code(
        "FICT891",
        "results-broken",
        "{path} cannot be used: {reason}",
        "A result file is damaged, or was written by another version of fictc. `fictc run` writes the results again "
        "from cached scores.",
        bad="$ fictc report runs/half-copied",
        good=("$ fictc run experiment.toml\n$ fictc report runs/small"),
    ),
    Code(
        "FICT892",
        "results-disagree",
        "the results are inconsistent: {reason}",
        "Every cell of a run scores the same pairs, and every condition has a description. Otherwise comparisons "
        "between cells would be invalid, so no report is written.",
        bad="The tables of two runs were put into one folder of results.",
        good="Each run has a folder of its own: `runs/small/results`.",
    ),
    Code(
        "FICT893",
        "results-table",
        "{path} is not a table of results: {reason}",
        "Results of other programs are imported from a CSV file in long form, with the columns corpus, arch, seed, "
        "benchmark, metric and value, and one value per line. The metric is `accuracy` for the benchmark "
        "`suite/paradigm`, `ppl` or `loss` for a text, and `tokens` for `train`. A file of targets is a CSV file with "
        "the columns corpus and benchmark.",
        bad="corpus,architecture,run,benchmark,metric,value",
        good="corpus,arch,seed,benchmark,metric,value\nfull,lstm,1,blimp/passive_1,accuracy,0.863",
    ),
    Code(
        "FICT894",
        "results-table-line",
        "line {line} of {path} cannot be used: {reason}",
        "Every line of a table of results is one value. Accuracies are between 0 and 1, perplexities are at least 1, "
        "and seeds are whole numbers. Only the number of training tokens, which belongs to a corpus, has no arch and "
        "no seed. The arch `unigram` is reserved for word frequencies. An unknown value is empty, or its line is "
        "omitted.",
        bad="full,lstm,1,blimp/passive_1,accuracy,86.3",
        good="full,lstm,1,blimp/passive_1,accuracy,0.863",
    ),
    Code(
        "FICT895",
        "results-corpus",
        "no corpus `{name}` in {where}",
        "The baseline of a report and the corpora in a file of targets must be corpora of the results.",
        bad="$ fictc report results.csv --baseline fulll",
        good="$ fictc report results.csv --baseline full",
    ),
    Code(
        "FICT896",
        "pilot-without-variance",
        "{path} does not allow an estimate of the variance between seeds and between pairs",
        "`fictc power` projects the variance of a pilot to other numbers of seeds and pairs. A pilot is a finished run "
        "with scores of minimal pairs, at least two seeds, and a condition besides `full`.",
        bad="$ fictc power runs/one-seed",
        good="$ fictc power runs/two-seeds --seeds 3,5,10 --pairs 200,1000",
    ),
    Code(
        "FICT897",
        "pack-invalid",
        "{path} is not a replication pack: {reason}",
        "A replication pack is a folder with `pack.toml` and a published table of results. `[pack]` names the paper, "
        "`[results]` the table, and `[targets]` the benchmarks of each corpus. Each `[[figure]]` is a number of the "
        "paper, and names the table, row and column of the report (`--format json`) with the recomputed number.",
        bad='[[figure]]\nplace = "Table 1"\nwhat = "tokens of npi-only"\nvalue = "99.93 %"',
        good=(
            '[[figure]]\nplace = "Table 1"\nwhat = "tokens of npi-only"\nvalue = "99.93"\ntable = "corpora"\n'
            'row = { condition = "npi-only" }\ncolumn = "tokens_share"\npercent = true'
        ),
    ),
    Code(
        "FICT898",
        "pack-table-missing",
        "the pack {pack} needs the table {path}, which does not exist",
        "Some packs have no table, because it may not be distributed. `[pack] page` says where the table is. `fictc "
        "fetch` downloads registered tables.",
        bad="$ fictc report experiments/fict/pack",
        good="$ fictc fetch fict-results --output experiments/fict/pack\n$ fictc report experiments/fict/pack",
    ),
    Code(
        "FICT899",
        "figures-package-missing",
        f"figures as PNG and PDF need the package typst; {install_hint('figures')}",
        "Figures are SVG, which needs no package. Typst renders them as PNG and PDF.",
        bad="$ fictc report runs/small --figures pdf",
        good="$ pip install '.[figures]'\n$ fictc report runs/small --figures pdf",
    ),
)
