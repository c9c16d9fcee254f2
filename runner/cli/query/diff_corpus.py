"""`fictc diff-corpus`: what one training corpus has that another has not, counted and shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from runner.intervene.compare import Difference

EXAMPLES = 5


@click.command("diff-corpus")
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "-n", "number", type=click.IntRange(0), default=EXAMPLES, show_default=True, help="Examples of each kind."
)
@click.option("--format", "kind", type=click.Choice(["text", "json"]), default="text", help="For people or tools.")
def command(a: Path, b: Path, number: int, kind: str) -> None:
    """Compare two training corpora: sentences lost, gained and edited from A to B, and whether the order differs.

    A and B are corpora of runs, `RUN/corpora/CONDITION`, or files with a sentence a line. Corpora of one run are
    compared sentence by sentence, so that an edited sentence is seen as one; others by their lines.

    \b
    Example:
      fictc diff-corpus runs/demo/corpora/full runs/demo/corpora/passive
    """
    import json

    from runner.intervene.compare import Corpus, compare

    corpora = Corpus.read(a), Corpus.read(b)
    found = compare(*corpora)
    if kind == "json":
        counts = {"lost": len(found.lost), "gained": len(found.gained), "edited": len(found.edited), "same": found.same}
        sizes = {"sentences": [len(corpus.lines) for corpus in corpora], "words": list(found.words)}
        shown: dict[str, list[Any]] = {"lost": found.lost, "gained": found.gained, "edited": found.edited}
        examples = {name: some[:number] for name, some in shown.items()}
        content = {**sizes, **counts, "moved": found.moved, "examples": examples}
        click.echo(json.dumps(content, indent=1, ensure_ascii=False))
        return
    for corpus, words in zip(corpora, found.words, strict=True):
        say(f"{corpus.path}: {len(corpus.lines):,} sentences, {words:,} words")
    _print(found, number)


def _print(found: Difference, number: int) -> None:
    order = ", in another order" if found.moved else ""
    click.echo(f"{found.same:,} {'sentence is' if found.same == 1 else 'sentences are'} the same{order}")
    _section("only in A", found.lost, [f"  - {line}" for line in found.lost[:number]])
    _section("only in B", found.gained, [f"  + {line}" for line in found.gained[:number]])
    _section("edited", found.edited, [f"  - {one}\n  + {other}" for one, other in found.edited[:number]])


def _section(what: str, every: Sequence[object], shown: Sequence[str]) -> None:
    if every:
        click.echo(f"{len(every):,} {what}" + (f", the first {len(shown)}:" if shown else ""))
        for line in shown:
            click.echo(line)
