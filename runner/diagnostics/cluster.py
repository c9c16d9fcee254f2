"""FICT84x: the cells of a run where others than this process start them."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT840",
        "run-missing",
        "{path} is not the folder of a run",
        "`fictc status` takes the manifest of an experiment or the folder of its run, `runs/NAME`, in which "
        "`cells.json` names its cells from the moment that `fictc run` is first called.",
        bad="$ fictc status runs",
        good="$ fictc status runs/small",
    ),
    Code(
        "FICT841",
        "job-unreadable",
        "the job file {path} cannot be used: {reason}",
        "Job files are written by `fictc run` for cells of its plan and are read by the same version. "
        "`fictc run --emit-jobs FOLDER` writes them anew.",
        bad="$ fictc run-cell of-an-old-version.json",
        good="$ fictc run experiment.toml --emit-jobs jobs\n$ fictc run-cell jobs/cells/full--lstm-128--1.json",
    ),
    Code(
        "FICT842",
        "cluster-missing",
        "there is no Slurm here: {reason}",
        "`--cluster slurm` hands the cells to Slurm, from a machine that has its commands, such as a login node. "
        "Elsewhere `--jobs` runs them on this machine, and `--emit-jobs` writes job files for any scheduler.",
        bad="$ fictc run experiment.toml --cluster slurm  # on a machine that is in no cluster",
        good="$ fictc run experiment.toml --emit-jobs jobs",
    ),
    Code(
        "FICT843",
        "cluster-refused",
        "the jobs were refused by Slurm: {reason}",
        "Slurm says which option it does not take, such as a partition or an account that is not there. Other options "
        "of sbatch than those that have names of their own are given by `--slurm KEY=VALUE`.",
        bad="$ fictc run experiment.toml --cluster slurm --partition gup",
        good="$ fictc run experiment.toml --cluster slurm --partition gpu --slurm account=lab",
    ),
)
