"""`fictc corpora`: write the training corpora of an experiment for trainers other than fictc's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli.messages import print_message
from runner.cli.options import FOLDER, format_option, manifest_inputs

if TYPE_CHECKING:
    from runner.execute.export import Format


@click.command("corpora")
@manifest_inputs
@click.option("--output", "-o", type=FOLDER, required=True, metavar="DIR", help="Directory to write the corpora into.")
@format_option(
    "text",
    "jsonl",
    "parquet",
    "hf",
    help="text: a sentence per line, an empty line between documents. jsonl, parquet: a record per sentence with its "
    "source, document and comments. hf: a folder for `load_dataset` of Hugging Face, with a card.",
)
@click.option(
    "--cells",
    is_flag=True,
    help="Also write what the trainer of each cell reads, into DIR/cells/CONDITION/MODEL/SEED: rows of token ids, the "
    "rows and the learning rate of each step, the settings, and the tokenizer with the model before training.",
)
def command(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    cache: Path | None,
    output: Path,
    output_format: Format,
    cells: bool,
) -> None:
    """Write the corpus of every condition of MANIFEST, controls included, without training.

    DIR/CONDITION has the training corpus of a condition, and DIR the validation and test texts that all conditions
    share. The corpora are those that `fictc run` trains on; both use the same cache. Running the command again
    continues an interrupted one with the same results.

    \b
    Examples:
      fictc corpora experiment.toml --output corpora
      fictc corpora experiment.toml --output corpora --format hf
      fictc corpora experiment.toml --output corpora --cells
    """
    from runner.cli.options import load_plan
    from runner.cli.progress import watch
    from runner.execute.builder import Builder
    from runner.execute.export import export
    from runner.execute.export_cells import check_cells, export_cells

    plan, result_cache, _ = load_plan(manifest, data, allow, None, cache)
    for warning in plan.resolved.warnings:
        print_message(warning, err=True)
    written_cells = []
    with watch(plan) as listener:
        builder = Builder(plan, result_cache, listener)
        if cells:
            check_cells(builder, output)
        files = export(builder, output, output_format)
        if cells:
            written_cells = export_cells(builder, output)
    counts = [
        counted(len(plan.conditions), "condition"),
        counted(len(files), "file"),
        *([counted(len(written_cells), "cell")] if cells else []),
    ]
    print_message(f"{', '.join(counts)}: {output}")
    if cells and (missing := len(plan.cells) - len(written_cells)):
        print_message(
            f"cells that begin from a state of another cell are left out ({missing}): states exist only after training"
        )
