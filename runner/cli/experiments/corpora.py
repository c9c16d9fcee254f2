"""`fictc corpora`: write the training corpora of an experiment for trainers other than fictc's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.manifest import FOLDER, manifest_inputs
from runner.cli.shared.messages import print_message

if TYPE_CHECKING:
    from runner.execute.export.formats import Format


@click.command("corpora")
@manifest_inputs
@click.option("--output", "-o", type=FOLDER, required=True, metavar="DIR", help="Directory to write the corpora into.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "parquet", "hf"]),
    default="text",
    show_default=True,
    help="text: a sentence per line, an empty line between documents. jsonl, parquet: a record per sentence with its "
    "source, document and comments. hf: a folder for `load_dataset` of Hugging Face, with a card.",
)
def command(
    manifest: Path, data: Path | None, allow: tuple[Path, ...], cache: Path | None, output: Path, form: Format
) -> None:
    """Write the corpus of every condition of MANIFEST, controls included, without training.

    DIR/CONDITION has the training corpus of a condition, and DIR the validation and test texts that all conditions
    share. The corpora are those that `fictc run` trains on; both use the same cache. Running the command again
    continues an interrupted one with the same results.

    \b
    Examples:
      fictc corpora experiment.toml --output corpora
      fictc corpora experiment.toml --output corpora --format hf
    """
    from runner.cli.experiments.watch import watch
    from runner.cli.shared.manifest import load_plan
    from runner.execute.export.export import export
    from runner.execute.prepare.prepare import Preparation

    plan, store, _ = load_plan(manifest, data, allow, None, cache)
    for warning in plan.resolved.warnings:
        print_message(warning, err=True)
    with watch(plan) as listener:
        files = export(Preparation(plan, store, listener), output, form)
    print_message(f"{len(plan.conditions)} conditions, {len(files)} files: {output}")
