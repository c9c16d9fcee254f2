"""`fictc store add-layer`: annotations from elsewhere, joined to the words or sentences of a store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from runner.cli.shared.terminal import for_output

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.corpus.maintain.layer_conllu import Wanted
    from runner.corpus.store.opening import Store

_NAMED = ("FEATS", "MISC")  # columns of CoNLL-U whose annotations have names of their own


@click.command("add-layer")
@click.argument("store", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="What the layer is called; by default as the file.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["feature", "misc", "meta"]),
    help="What filters see: a feature of words, `misc.KEY` of words, or `meta.KEY` of sentences. "
    "By default features, and `meta.KEY` for tables without `id`.",
)
@click.option(
    "--columns",
    metavar="LIST",
    help="Which columns, with commas between. Of CoNLL-U: FEATS (the default), FEATS.Name for one feature, MISC or "
    "MISC.Key, XPOS=Name and the like; of a table: all but its keys by default.",
)
def add_layer(
    store: Path, file: Path, name: str | None, kind: Literal["feature", "misc", "meta"] | None, columns: str | None
) -> None:
    """Add the annotations in a FILE to a STORE, to be used in filters at once.

    FILE is CoNLL-U with the same sentences; or a table, with tabs, whose first line names the columns: `source` and
    `number` say which sentence a line is about, `id` which word, and all others are annotations. The files that the
    store has stay as they are, but its key is another one.

    \b
    Examples:
      fictc store add-layer stores/ewt animacy.tsv
      fictc store add-layer stores/ewt parsed-again.conllu --columns FEATS.Animacy,XPOS=Tag2
      fictc store add-layer stores/ewt genres.tsv --as meta
    """
    from runner.corpus.conllu.reader import pluralize
    from runner.corpus.maintain.add_layer import add_layer as write
    from runner.corpus.store.opening import Store

    opened = Store.open(store)
    asked = [part.strip() for part in columns.split(",")] if columns else []
    of_words, rows = _rows(opened, file, asked)
    wanted = kind or ("feature" if of_words else "meta")
    if of_words != (wanted != "meta"):
        what = (
            "words, and `--as meta` is about sentences" if of_words else f"sentences, and `--as {wanted}` about words"
        )
        raise click.UsageError(f"{file} is about {what}")
    called = name or re.sub(r"[^\w.-]+", "_", file.name.partition(".")[0]) or "layer"
    if not re.fullmatch(r"\w[\w.-]*", called):
        raise click.UsageError(f"the name of a layer has letters, digits, `_`, `-` and `.`, and `{called}` has others")
    layer = write(opened, called, wanted, rows, file)
    prefix = "" if wanted == "feature" else f"{wanted}."
    names = ", ".join(f"{prefix}{one}" for one in layer.names)
    click.echo(for_output(f"{store}: layer {called}, {names}: {pluralize(layer.rows, _ROWS[wanted])}"), err=True)


_ROWS = {"feature": "word", "misc": "entry", "meta": "comment"}


def _rows(store: Store, file: Path, asked: list[str]) -> tuple[bool, Iterator[pa.Table]]:
    """Whether a file is about words, and its annotations."""
    from runner.corpus.maintain.layer_conllu import conllu_rows
    from runner.corpus.maintain.layer_table import read_header, table_rows
    from runner.corpus.sentences.positions import SentencePositions

    places = SentencePositions.read(store)
    if ".conllu" not in file.name:
        header = read_header(file, asked)
        return header.of_words, table_rows(file, header, places)
    return True, conllu_rows(file, places, [_wanted(part) for part in asked or ["FEATS"]])


def _wanted(part: str) -> Wanted:
    from runner.corpus.maintain.layer_conllu import COLUMNS, Wanted

    column, sign, name = re.fullmatch(r"([A-Z]*)([.=]?)(.*)", part).groups()  # type: ignore[union-attr]
    if column not in COLUMNS or sign not in (("", ".") if column in _NAMED else ("=",)) or bool(sign) != bool(name):
        known = "there are FEATS, FEATS.Name, MISC, MISC.Name, LEMMA=Name, UPOS=Name, XPOS=Name and DEPREL=Name"
        raise click.UsageError(f"--columns {part}: of CoNLL-U {known}")
    return Wanted(column, name or None)
