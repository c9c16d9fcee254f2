"""`fictc store`: inspect and verify a corpus store; split, merge and extend stores."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from fictdsl.words import counted
from runner.cli.options import PATH, Count, format_option
from runner.cli.progress import Style, counting_bar, progress_option
from runner.cli.terminal import for_output, print_message, size_of
from runner.corpus.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.corpus.layer_files import LayerColumn
    from runner.corpus.store_files import Layer


@click.group("store")
def command() -> None:
    """Inspect, verify, split, merge or extend corpus stores.

    \b
    Examples:
      fictc store info stores/ewt
      fictc store verify stores/ewt
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store merge stores/ewt stores/gum --output stores/english
      fictc store add-layer stores/ewt animacy.tsv
    """


_STORE = click.argument("store", type=PATH)
_FORCE = click.option("--force", is_flag=True, help="Replace an existing store.")


@command.command()
@_STORE
@click.option("--output", "-o", required=True, type=PATH, help="Directory of the new stores.")
@click.option("--sentences", type=Count(1), help="Sentences per store.")
@click.option("--words", type=Count(1), help="Minimum words per store; sentences are kept whole.")
@click.option("--parts", type=Count(1), help="Number of stores, with about equally many words.")
@click.option("--by", metavar="KEY", help="One store per `source`, or per value of a comment, such as `meta.genre`.")
@_FORCE
@progress_option
def split(
    store: Path,
    output: Path,
    sentences: int | None,
    words: int | None,
    parts: int | None,
    by: str | None,
    *,
    force: bool,
    progress: Style,
) -> None:
    """Split a STORE into several stores.

    The new stores are named 1, 2, 3 …, or after the values they are split by; `_` has the sentences without a value.
    Sentences keep their order, source and number.

    \b
    Examples:
      fictc store split stores/ewt --parts 4 --output stores/ewt-parts
      fictc store split stores/ewt --by source --output stores/ewt-files
    """
    from runner.corpus.store_copies import consecutive_parts, parts_by_key
    from runner.corpus.store_copies import split as write

    if sum(option is not None for option in (sentences, words, parts, by)) != 1:
        raise click.UsageError("expected exactly one of --sentences, --words, --parts and --by")
    corpus = Store.open(store)
    new_stores = (
        consecutive_parts(corpus, sentences=sentences, words=words, parts=parts)
        if by is None
        else parts_by_key(corpus, by)
    )
    with counting_bar("Splitting", progress, unit="sentences", total=corpus.info.sentences) as count:
        write(corpus, new_stores, output, force=force, advance=count)
    for part in new_stores:
        sentence_count = counted(int(part.mask.sum()), "sentence")
        click.echo(for_output(f"{output / part.name}: {sentence_count}"), err=True)
    names = {part.name for part in new_stores}
    if others := sorted(file.parent.name for file in output.glob("*/store.json") if file.parent.name not in names):
        print_message(f"note: {output} also has other stores, which are not parts: {', '.join(others)}", err=True)


@command.command()
@click.argument("stores", nargs=-1, required=True, type=PATH)
@click.option("--output", "-o", required=True, type=PATH, metavar="STORE", help="The store to create.")
@click.option(
    "--mixed", is_flag=True, help="Merge stores even if different parsers made them; the new store records all of them."
)
@_FORCE
@progress_option
def merge(stores: tuple[Path, ...], output: Path, *, mixed: bool, force: bool, progress: Style) -> None:
    """Merge several STORES into one, in the given order.

    Sources keep their names unless two files have the same name. Merging all parts of a split store restores it.

    \b
    Example:
      fictc store merge stores/ewt stores/gum --output stores/english
    """
    from runner.corpus.store_copies import merge as write

    corpora = [Store.open(path) for path in stores]
    total = sum(store.info.sentences for store in corpora)
    with counting_bar("Merging", progress, unit="sentences", total=total) as count:
        info = write(corpora, output, mixed=mixed, force=force, advance=count).info
    print_message(f"{output}: {size_of(info)}, from {counted(len(corpora), 'store')}", err=True)


_KEY_VALUE_COLUMNS = ("FEATS", "MISC")  # CoNLL-U columns with several named annotations


@command.command("add-layer")
@_STORE
@click.argument("file", type=PATH)
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
    from runner.corpus.add_layer import add_layer as write

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
    row_count = counted(layer.rows, _ROW_NOUNS[target])
    click.echo(for_output(f"{store}: layer {layer_name}, {_names(layer)}: {row_count}"), err=True)


_ROW_NOUNS = {"feature": "word", "misc": "entry", "meta": "comment"}


def _rows(store: Store, file: Path, requested_columns: list[str]) -> tuple[bool, Iterator[pa.Table]]:
    from runner.corpus.corpus_files import CONLLU_SUFFIXES
    from runner.corpus.layer_files import SentencePositions, conllu_rows, read_header, table_rows

    store.require_text()
    positions = SentencePositions.read(store)
    if not file.name.endswith(CONLLU_SUFFIXES):
        header = read_header(file, requested_columns)
        return header.annotates_words, table_rows(file, header, positions)
    return True, conllu_rows(file, positions, [_parse_column(part) for part in requested_columns or ["FEATS"]])


def _parse_column(text: str) -> LayerColumn:
    from runner.corpus.layer_files import COLUMNS, LayerColumn

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


@command.command()
@_STORE
@format_option("text", "json")
def info(store: Path, output_format: str) -> None:
    """Print the contents of a STORE: sources, values, parser, table sizes and index."""
    corpus = Store.open(store)
    if output_format == "json":
        click.echo(json.dumps(_info_record(corpus), ensure_ascii=False, indent=2))
        return
    for line in list(_info_lines(corpus)):  # all of them, or an error alone
        click.echo(for_output(line))


def _info_lines(store: Store) -> Iterator[str]:
    contents = store.info
    yield f"{size_of(contents)}; key {store.key[:12]}"
    for source in contents.sources:
        rejected = f", {source.rejected:,} rejected" if source.rejected else ""
        yield f"  {source.label}: {size_of(source)}{rejected}"
    for name in ("upos", "deprel", *contents.features):
        values = sorted(contents.values.get(name, {}).items(), key=lambda entry: -entry[1])
        most_frequent = ", ".join(f"{value} {count:,}" for value, count in values[:8])
        yield f"{name}: {most_frequent}{' …' if len(values) > 8 else ''}"
    if contents.annotator is not None:
        annotator = ", ".join(f"{key} {contents.annotator.get(key)}" for key in ("tool", "lang", "package", "versions"))
        yield f"parsed by: {annotator}"
    yield f"on disk, in {counted(contents.chunks, 'chunk')}:"
    for name, bytes_used in [*store.sizes.items(), ("all", sum(store.sizes.values()))]:
        yield f"  {name:<12} {bytes_used:>15,} bytes {bytes_used / contents.words:>7.2f} per word"
    if store.layout.copies:
        yield f"copies of neighbours: {', '.join(sorted(store.layout.copies))}"
    for layer in contents.layers:
        yield f"layer {layer.name}: {_names(layer)} ({layer.rows:,}), from {layer.source}"
    yield f"index: {_index_summary(store)}"


def _names(layer: Layer) -> str:
    prefix = "" if layer.kind == "feature" else f"{layer.kind}."
    return ", ".join(f"{prefix}{name}" for name in layer.names)


def _info_record(store: Store) -> dict[str, object]:
    index = store.index
    copies = index.sorted_copies if index else ()
    copy_records = [
        {"by": copy.columns[copy.by], "rows": copy.rows, "columns": [*copy.columns.values()]} for copy in copies
    ]
    return {
        "key": store.key,
        **asdict(store.info),
        "absent": {feature: sorted(chunks) for feature, chunks in store.info.absent.items()},
        "bytes": store.sizes,
        "copies": sorted(store.layout.copies),
        "index": {"bytes": index.size, "projections": copy_records} if index else None,
    }


def _index_summary(store: Store) -> str:
    from runner.corpus.store_index import is_foreign

    if store.index is None:
        foreign = is_foreign(store.path, store.files)
        return "out of date and not used; `fictc index` rebuilds it" if foreign else "none"
    sort_keys = [copy.by for copy in store.layout.sorted_copies]
    size = f"{store.index.size:,} bytes, {store.index.size / store.info.words:.2f} per word"
    return f"{size}; sorted by {', '.join(sort_keys)}"


@command.command()
@_STORE
@progress_option
def verify(store: Path, progress: Style) -> None:
    """Compare the SHA-256 of every file of a STORE with the recorded one; exit with code 2 if any differs.

    The numbers of the sentences are checked too: a source and a number must identify one sentence.
    """
    from runner.corpus.store_copies import check_numbers

    corpus = Store.open(store)
    index = corpus.index.files.values() if corpus.index else ()
    total = sum(file.size for file in (*corpus.files.values(), *index))
    with counting_bar("Verifying", progress, unit="bytes", total=total) as count:
        corpus.verify(count)
        if corpus.index:
            corpus.index.verify(count)
    check_numbers(corpus)
    print_message(f"{store}: {counted(len(corpus.files) + len(index), 'file is', 'files are')} intact", err=True)
