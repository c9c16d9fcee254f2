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
)
