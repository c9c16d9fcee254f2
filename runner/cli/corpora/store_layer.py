"""`fictc store add-layer`: external annotations, joined to the words or sentences of a store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from runner.cli.shared.terminal import for_output
from runner.counted import counted

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.corpus.maintain.layer_conllu import LayerColumn
    from runner.corpus.store.opening import Store

_KEY_VALUE_COLUMNS = ("FEATS", "MISC")  # CoNLL-U columns with several named annotations


@click.command("add-layer")
@click.argument("store", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="Name of the layer [default: the file name].")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["feature", "misc", "meta"]),
    help="How filters refer to the annotations: as features of words, `misc.KEY` of words, or `meta.KEY` of sentences "
    "[default: feature, or meta for tables without `id`].",
)
@click.option(
    "--columns",
    metavar="LIST",
    help="Columns, separated by commas. CoNLL-U: FEATS (default), FEATS.Name, MISC, MISC.Key, or XPOS=Name for another "
    "column; `=New` renames FEATS.Name and MISC.Key; table: columns of the table [default: all but the keys].",
)
def add_layer(
    store: Path, file: Path, name: str | None, kind: Literal["feature", "misc", "meta"] | None, columns: str | None
) -> None:
    """Add the annotations in a FILE to a STORE, for use in filters.

    FILE is CoNLL-U with the same sentences, or a tab-separated table whose first line names the columns: `source` and
    `number` identify the sentence, `id` the word, and all other columns are annotations. Existing files of the store
    are unchanged, but the store has a new key.

    \b
    Examples:
      fictc store add-layer stores/ewt animacy.tsv
      fictc store add-layer stores/ewt parsed-again.conllu --columns FEATS.Animacy,XPOS=Tag2
      fictc store add-layer stores/ewt genres.tsv --as meta
    """
    from runner.corpus.maintain.add_layer import add_layer as write
    from runner.corpus.store.opening import Store

    corpus = Store.open(store)
    requested_columns = [part.strip() for part in columns.split(",")] if columns else []
    annotates_words, rows = _rows(corpus, file, requested_columns)
    target = kind or ("feature" if annotates_words else "meta")
    if annotates_words != (target != "meta"):
        level, other_level = ("words", "sentences") if annotates_words else ("sentences", "words")
        raise click.UsageError(f"{file} annotates {level}, but `--as {target}` annotates {other_level}")
    layer_name = name or re.sub(r"[^\w.-]+", "_", file.name.partition(".")[0]) or "layer"
    if not re.fullmatch(r"\w[\w.-]*", layer_name):
        raise click.UsageError(f"`{layer_name}` is not a layer name: expected letters, digits, `_`, `-` and `.`")
    layer = write(corpus, layer_name, target, rows, file)
    prefix = "" if target == "feature" else f"{target}."
    names = ", ".join(f"{prefix}{annotation}" for annotation in layer.names)
    click.echo(for_output(f"{store}: layer {layer_name}, {names}: {counted(layer.rows, _ROW_NOUNS[target])}"), err=True)


_ROW_NOUNS = {"feature": "word", "misc": "entry", "meta": "comment"}


def _rows(store: Store, file: Path, requested_columns: list[str]) -> tuple[bool, Iterator[pa.Table]]:
    """Return whether a file annotates words (else sentences), and tables of its annotations."""
    from runner.corpus.files.labels import CONLLU_SUFFIXES
    from runner.corpus.maintain.layer_conllu import conllu_rows
    from runner.corpus.maintain.layer_table import read_header, table_rows
    from runner.corpus.sentences.positions import SentencePositions

    positions = SentencePositions.read(store)
    if not file.name.endswith(CONLLU_SUFFIXES):
        header = read_header(file, requested_columns)
        return header.annotates_words, table_rows(file, header, positions)
    return True, conllu_rows(file, positions, [_parse_column(part) for part in requested_columns or ["FEATS"]])


def _parse_column(text: str) -> LayerColumn:
    from runner.corpus.maintain.layer_conllu import COLUMNS, LayerColumn

    column, separator, name = re.fullmatch(r"(?s)([A-Z]*)([.=]?)(.*)", text).groups()  # type: ignore[union-attr]
    name, renames, new_name = name.partition("=") if column in _KEY_VALUE_COLUMNS else (name, "", "")
    if (
        column not in COLUMNS
        or bool(renames) != bool(new_name)
        or separator not in (("", ".") if column in _KEY_VALUE_COLUMNS else ("=",))
        or bool(separator) != bool(name)
    ):
        expected = (
            "FEATS, FEATS.Name, FEATS.Name=New, MISC, MISC.Key, MISC.Key=New, LEMMA=Name, UPOS=Name, XPOS=Name or "
            "DEPREL=Name"
        )
        raise click.UsageError(f"--columns {text}: expected {expected}")
    return LayerColumn(column, name or None, new_name or None)
