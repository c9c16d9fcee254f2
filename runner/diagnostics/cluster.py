"""FICT84x: cells of a run that are started by Slurm or another scheduler, and their status."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT840",
        "run-missing",
        "{path} is not the folder of a run",
        "`fictc status` takes the manifest of an experiment or the folder of its run, `runs/NAME`. `fictc run` writes "
        "the list of cells, `cells.json`, to this folder when it starts.",
        bad="$ fictc status runs",
        good="$ fictc status runs/small",
    ),
    Code(
        "FICT841",
        "job-unreadable",
        "the job file {path} cannot be used: {reason}",
        "`fictc run` writes job files for the cells of its plan; only the same version of fictc can read them. "
        "`fictc run --emit-jobs FOLDER` writes them again.",
        bad="$ fictc run-cell of-an-old-version.json",
        good="$ fictc run experiment.toml --emit-jobs jobs\n$ fictc run-cell jobs/cells/full--lstm-128--1.json",
    ),
    Code(
        "FICT842",
        "cluster-missing",
        "cannot use Slurm: {reason}",
        "`--cluster slurm` submits the cells to Slurm and needs its commands, as on a login node. `--jobs` runs the "
        "cells on this machine, and `--emit-jobs` writes job files for any scheduler.",
        bad="$ fictc run experiment.toml --cluster slurm  # on a machine outside a cluster",
        good="$ fictc run experiment.toml --emit-jobs jobs",
    ),
    Code(
        "FICT843",
        "cluster-refused",
        "the jobs were rejected by Slurm: {reason}",
        "Slurm's message names the invalid option, such as a partition or account that does not exist. "
        "`--slurm KEY=VALUE` sets options of sbatch that fictc has no option for.",
        bad="$ fictc run experiment.toml --cluster slurm --partition gup",
        good="$ fictc run experiment.toml --cluster slurm --partition gpu --slurm account=lab",
    ),
)
