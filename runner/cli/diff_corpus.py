"""`fictc diff-corpus`: compare two training corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.messages import print_message
from runner.cli.options import Count, format_option
from runner.cli.terminal import for_output
from runner.counted import counted

if TYPE_CHECKING:
    from runner.conditions.compare import Difference


DEFAULT_EXAMPLES = 5


@click.command("diff-corpus")
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "-n",
    "example_count",
    type=Count(),
    default=DEFAULT_EXAMPLES,
    show_default=True,
    help="Number of examples to show for each kind of difference.",
)
@format_option("text", "json")
def command(a: Path, b: Path, example_count: int, output_format: str) -> None:
    """Compare two training corpora: sentences lost, gained and edited from A to B, and whether the order differs.

    A and B are corpora of runs, `RUN/corpora/CONDITION`, or files with one sentence per line. Corpora of the same run
    are compared sentence by sentence, which recognises edited sentences. Other corpora are compared as multisets of
    lines, regardless of order. Words are counted between spaces, so they are fewer than the words of the trees, which
    `fictc import` and the report count: a punctuation mark is not a word of its own.

    \b
    Example:
      fictc diff-corpus runs/demo/corpora/full runs/demo/corpora/passive
    """
    import json

    from runner.conditions.compare import Corpus, compare

    corpora = Corpus.read(a), Corpus.read(b)
    difference = compare(*corpora)
    if output_format == "json":
        counts = {
            "lost": len(difference.lost),
            "gained": len(difference.gained),
            "edited": len(difference.edited),
            "same": difference.unchanged,
        }
        sizes = {"sentences": [len(corpus.lines) for corpus in corpora], "words": list(difference.words)}
        changes: dict[str, list[Any]] = {
            "lost": difference.lost,
            "gained": difference.gained,
            "edited": difference.edited,
        }
        examples = {name: entries[:example_count] for name, entries in changes.items()}
        content = {**sizes, **counts, "moved": difference.reordered, "examples": examples}
        click.echo(json.dumps(content, indent=1, ensure_ascii=False))
        return
    for corpus, words in zip(corpora, difference.words, strict=True):
        word_count = counted(words, "word between spaces", "words between spaces")
        print_message(f"{corpus.path}: {counted(len(corpus.lines), 'sentence')}, {word_count}")
    _print_difference(difference, example_count)


def _print_difference(difference: Difference, example_count: int) -> None:
    order = "; the order differs" if difference.reordered else ""
    click.echo(f"{counted(difference.unchanged, 'sentence is', 'sentences are')} the same{order}")
    _print_section("only in A", difference.lost, [f"  - {line}" for line in difference.lost[:example_count]])
    _print_section("only in B", difference.gained, [f"  + {line}" for line in difference.gained[:example_count]])
    _print_section(
        "edited",
        difference.edited,
        [f"  - {before}\n  + {after}" for before, after in difference.edited[:example_count]],
    )


def _heading_suffix(total: int, shown: int) -> str:
    return f"; the first {shown:,}:" if 0 < shown < total else ":" if shown else ""


def _print_section(title: str, entries: Sequence[object], examples: Sequence[str]) -> None:
    if entries:
        click.echo(f"{len(entries):,} {title}" + _heading_suffix(len(entries), len(examples)))
        for example in examples:
            click.echo("\n".join(map(for_output, example.split("\n"))))
