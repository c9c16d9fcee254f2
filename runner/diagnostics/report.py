"""FICT89x: the results a report is made from."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT890",
        "results-missing",
        "no {what} at {path}",
        "A report is made from a run's results: items.parquet, perplexity.parquet, conditions.json and run.json in "
        "the folder `results` of the run. They exist once at least one cell of the run has been scored.",
        bad="$ fictc report runs/not-scored-yet",
        good=("$ fictc run experiment.toml\n$ fictc report runs/small"),
    ),
    Code(
        "FICT891",
        "results-broken",
        "{path} cannot be used: {reason}",
        "A file of the results is damaged, or was not written by this version of fictc. Running `fictc run` again "
        "writes the results anew from what is cached.",
        bad="$ fictc report runs/half-copied",
        good=("$ fictc run experiment.toml\n$ fictc report runs/small"),
    ),
    Code(
        "FICT892",
        "results-disagree",
        "the results do not fit together: {reason}",
        "Every cell of a run scores the same pairs, in conditions that are described. Where that is not so, any "
        "comparison between cells would compare different things, so no report is made.",
        bad="The tables of two runs were put into one folder of results.",
        good="Each run has a folder of its own: `runs/small/results`.",
    ),
    Code(
        "FICT893",
        "results-table",
        "{path} is no table of results: {reason}",
        "Results can come from anywhere, as a CSV file in long form: a header with the columns corpus, arch, seed, "
        "benchmark, metric and value, and a line for each value. Metrics are `accuracy` of `suite/paradigm`, `ppl` and "
        "`loss` of a text, and `tokens` of `train`. Targets are a CSV file with the columns corpus and benchmark.",
        bad="corpus,architecture,run,benchmark,metric,value",
        good="corpus,arch,seed,benchmark,metric,value\nfull,lstm,1,blimp/passive_1,accuracy,0.863",
    ),
    Code(
        "FICT894",
        "results-table-line",
        "line {line} of {path} cannot be used: {reason}",
        "Every line of a table of results is one value. Accuracies are shares from 0 to 1, a perplexity is at least 1, "
        "seeds are whole numbers; only the number of training tokens, which belongs to a corpus, has no arch and no "
        "seed. No arch is called `unigram`, which is what a report calls word frequencies. A value that is not known "
        "is left empty, or its line left out.",
        bad="full,lstm,1,blimp/passive_1,accuracy,86.3",
        good="full,lstm,1,blimp/passive_1,accuracy,0.863",
    ),
    Code(
        "FICT895",
        "results-corpus",
        "no corpus `{name}` in {where}",
        "The baseline of a report, and the corpora that a file of targets names, are among the corpora of its results.",
        bad="$ fictc report results.csv --baseline fulll",
        good="$ fictc report results.csv --baseline full",
    ),
)
