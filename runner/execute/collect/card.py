"""The run card: settings, versions, hardware and times of a run."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from runner.model.recipe import TrainSpec
from runner.steps.plan import Plan
from runner.train.hugging_face.differences import DIFFERENCES

PACKAGES = ("fictc", "torch", "transformers", "tokenizers", "duckdb", "pyarrow", "numpy", "scipy", "stanza", "lark")
PACKAGES_THAT_AFFECT_RESULTS = ("torch", "transformers", "tokenizers")  # trained weights and scores depend on them


def versions_of(packages: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of packages. Packages that are not installed are omitted."""
    versions: dict[str, str] = {}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def run_card(
    plan: Plan, parameter_counts: dict[str, int], devices: list[str], seconds: dict[str, float], failed: dict[str, str]
) -> dict[str, Any]:
    """Return the content of `results/run.json`.

    `parameter_counts` maps models to numbers of parameters, `seconds` maps phases to wall times, and `failed` maps
    cells to error messages. `devices` are the devices used for training.
    """
    manifest, manifest_text = plan.resolved.manifest, plan.resolved.draft.source.text
    return {
        "name": manifest.experiment.name,
        "description": manifest.experiment.description,
        "seeds": list(manifest.experiment.seeds),
        "manifest": {"text": manifest_text, "sha256": hashlib.sha256(manifest_text.encode()).hexdigest()},
        "report": {
            "ties": manifest.report.ties,
            "confidence": manifest.report.confidence,
            "examples": manifest.report.examples,
            "equivalence": manifest.report.equivalence,
        },
        "convention": plan.resolved.recorded_conventions,
        "suites": {suite.name: suite.kind for suite in plan.resolved.suites},
        "tokenizer": {**manifest.tokenizer.model_dump(), "key": plan.tokenizer.key},
        "models": [
            {
                **model_entry.content["model"],
                "masked": model_entry.model.masked,
                "name": label,
                "parameters": parameter_counts.get(label),
            }
            for label, model_entry in plan.resolved.models.items()
        ],
        "training": {label: _training(model_entry.training) for label, model_entry in plan.resolved.models.items()},
        "sources": {text: [list(entry) for entry in entries] for text, entries in plan.resolved.sources.items()},
        "size": manifest.size.model_dump(),
        "lists": {name: override.record for name, override in plan.resolved.lists.items()},
        "versions": {"python": platform.python_version(), **versions_of(PACKAGES)},
        "hardware": {
            "machine": platform.machine(),
            "system": platform.system(),
            "cores": os.cpu_count(),
            "byte order": sys.byteorder,
            "devices": devices,
        },
        "times": {name: round(value, 1) for name, value in seconds.items()},
        "warnings": [warning.message for warning in plan.resolved.warnings],
        "failed": [
            {"condition": cell.condition, "model": cell.model, "seed": cell.seed, "error": failed[cell.name]}
            for cell in sorted(plan.cells, key=lambda cell: cell.name)
            if cell.name in failed
        ],
    }


def _training(spec: TrainSpec) -> dict[str, Any]:
    """Return the settings of a model's training.

    For a trainer other than fictc's own, add its arguments and its differences from fictc's trainer.
    """
    if spec.trainer == "fictc":
        return spec.content
    return spec.content | {"trainer_arguments": spec.trainer_arguments or {}, "differs": list(DIFFERENCES)}
