"""`fictc diff-corpus`: compare two training corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.messages import print_message

if TYPE_CHECKING:
    from runner.intervene.compare import Difference

EXAMPLES = 5


@click.command("diff-corpus")
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "-n", "number", type=click.IntRange(0), default=EXAMPLES, show_default=True, help="Examples of each kind."
)
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="Output format.")
def command(a: Path, b: Path, number: int, kind: str) -> None:
    """Compare two training corpora: sentences lost, gained and edited from A to B, and whether the order differs.

    A and B are corpora of runs, `RUN/corpora/CONDITION`, or files with one sentence per line. Corpora of the same run
    are compared sentence by sentence, which recognises edited sentences; others are compared line by line.

    \b
    Example:
      fictc diff-corpus runs/demo/corpora/full runs/demo/corpora/passive
    """
    import json

    from runner.intervene.compare import Corpus, compare

    corpora = Corpus.read(a), Corpus.read(b)
    difference = compare(*corpora)
    if kind == "json":
        counts = {
            "lost": len(difference.lost),
            "gained": len(difference.gained),
            "edited": len(difference.edited),
            "same": difference.same,
        }
        sizes = {"sentences": [len(corpus.lines) for corpus in corpora], "words": list(difference.words)}
        changes: dict[str, list[Any]] = {
            "lost": difference.lost,
            "gained": difference.gained,
            "edited": difference.edited,
        }
        examples = {name: entries[:number] for name, entries in changes.items()}
        content = {**sizes, **counts, "moved": difference.reordered, "examples": examples}
        click.echo(json.dumps(content, indent=1, ensure_ascii=False))
        return
    for corpus, words in zip(corpora, difference.words, strict=True):
        print_message(f"{corpus.path}: {len(corpus.lines):,} sentences, {words:,} words")
    _print(difference, number)


def _print(difference: Difference, number: int) -> None:
    order = ", in another order" if difference.reordered else ""
    click.echo(f"{difference.same:,} {'sentence is' if difference.same == 1 else 'sentences are'} the same{order}")
    _section("only in A", difference.lost, [f"  - {line}" for line in difference.lost[:number]])
    _section("only in B", difference.gained, [f"  + {line}" for line in difference.gained[:number]])
    _section(
        "edited", difference.edited, [f"  - {before}\n  + {after}" for before, after in difference.edited[:number]]
    )


def _section(title: str, entries: Sequence[object], lines: Sequence[str]) -> None:
    if entries:
        click.echo(f"{len(entries):,} {title}" + (f", the first {len(lines)}:" if lines else ""))
        for line in lines:
            click.echo(line)
