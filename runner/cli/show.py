"""`fictc show`: show, draw or count matches, near misses, or the changes of a rewrite or a condition."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import click

from fictdsl.draw.terminal import Piece
from fictdsl.terminal_text import cut, display_width, safe
from fictdsl.words import counted, inflected
from runner.cli import query_options, show_changes
from runner.cli.options import FOLDER, PATH, SEED, Count, check_suffix, format_option, relations
from runner.cli.show_changes import DEFAULT_ROWS, ShowRequest
from runner.cli.terminal import block_for_output, faint, print_message
from runner.corpus import show
from runner.corpus.filter_arguments import filter_labels
from runner.corpus.show import Group
from runner.errors import InputError
from runner.tables import aligned
from runner.workspace import write_text

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.match_groups import GroupCount
    from runner.corpus.store import Store


def _table_lines(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> Iterator[str]:
    from runner.corpus import match_groups, match_keys

    for index, compiled in enumerate(filters):
        keys = match_keys.parse_group_keys(request.by or "", compiled, store)
        columns = Columns(
            [key.text for key in keys if key.aggregate is None], [key.text for key in keys if key.aggregate is not None]
        )
        rows = match_groups.count_groups(store, compiled, keys)
        match request.output_format:
            case "tsv":
                lines = list(_tsv(compiled.name, columns, rows[: request.limit]))
                yield from lines[1:] if index else lines
            case "jsonl":
                yield from _jsonl(compiled.name, columns, rows[: request.limit])
            case "list":
                yield from _word_list(store, columns, rows, request)
            case _:
                if len(filters) > 1:
                    yield request.paint((Piece(compiled.name, "bound"),))
                limit = request.limit or DEFAULT_ROWS
                yield from key_table(columns, rows, store.info.words, limit, request.width)


_MIN_WIDTH = 5  # of a column of values, in terminal columns
_NUMBER = re.compile(r"[+-]?\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class Columns:
    keys: Sequence[str]
    aggregates: Sequence[str] = ()


def key_table(
    columns: Columns, rows: Sequence[GroupCount], words: int, limit: int | None, width: int | None
) -> Iterator[str]:
    """Show at most `limit` rows, or one more if that completes them, then the sum of the others and the sum of all."""
    shown_rows = rows if limit is None or len(rows) <= limit + 1 else rows[:limit]
    other_rows = rows[len(shown_rows) :]
    matches = sum(row.matches for row in rows)
    total, rate = f"{matches:,}", f"{1e6 * matches / max(1, words):,.1f}"
    aggregates = [["–" if value is None else f"{value:,.2f}" for value in row.aggregates] for row in shown_rows]
    if not columns.keys:
        heading = ["matches", "per million", *columns.aggregates]
        yield from aligned([heading, *([total, rate, *each] for each in aggregates)], range(len(heading)))
        return
    heading = ["matches", " " * 6, "per million", *columns.aggregates]
    numbers = [
        [f"{row.matches:,}", f"{row.share:.1%}", f"{row.per_million_words:,.1f}", *each]
        for row, each in zip(shown_rows, aggregates, strict=True)
    ]
    labels, blank = [], [""] * len(columns.aggregates)
    if other_rows:
        labels.append(f"({len(other_rows):,} more)")
        others = sum(row.matches for row in other_rows), sum(row.share for row in other_rows)
        numbers.append([f"{others[0]:,}", f"{others[1]:.1%}", "", *blank])
    numbers.append([total, f"{1:.1%}" if rows else "", rate if rows else "", *blank])
    right = aligned([heading, *numbers], range(len(heading)))
    labels.append("(all)")
    left = _key_lines(columns.keys, shown_rows, len(labels[0]), None if width is None else width - max(map(len, right)))
    yield from aligned(list(zip([*left, *labels], right, strict=True)), ())


def _key_lines(keys: Sequence[str], rows: Sequence[GroupCount], min_width: int, width: int | None) -> list[str]:
    texts = [[safe(value) for value in row.values] for row in rows]
    widths = [max(map(display_width, column)) for column in zip(keys, *texts, strict=True)]
    if width is not None:
        minimums = [_min_width(column) for column in zip(*texts, strict=True)] or [_MIN_WIDTH for _ in keys]
        widths = _fit(widths, minimums, width - 2 * len(keys))
    widths[-1] += max(0, min_width - (sum(widths) + 2 * len(widths) - 2))
    return aligned([list(map(cut, row, widths)) for row in (keys, *texts)], ())


def _min_width(texts: Sequence[str]) -> int:
    """A cut number would be a wrong number."""
    return max([_MIN_WIDTH, *(display_width(text) for text in texts if _NUMBER.fullmatch(text))])


def _fit(widths: Sequence[int], minimums: Sequence[int], available_width: int) -> list[int]:
    fitted = list(widths)
    while sum(fitted) > available_width and (
        reducible := [column for column, minimum in enumerate(minimums) if fitted[column] > minimum]
    ):
        fitted[max(reducible, key=fitted.__getitem__)] -= 1
    return fitted


def _tsv(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    yield "\t".join(["filter", *columns.keys, "matches", "share", "per_million_words", *columns.aggregates])
    for row in rows:
        numbers = ["_" if value is None else f"{value:.6f}" for value in row.aggregates]
        values = (value.replace("\t", " ") for value in row.values)
        yield "\t".join(
            [filter, *values, str(row.matches), f"{row.share:.6f}", f"{row.per_million_words:.3f}", *numbers]
        )


def _jsonl(filter: str, columns: Columns, rows: Sequence[GroupCount]) -> Iterator[str]:  # noqa: A002
    for row in rows:
        values = dict(zip(columns.keys, row.values, strict=True))
        entry = {"filter": filter, "values": values, "matches": row.matches, "share": row.share}
        entry["per_million_words"] = row.per_million_words
        if columns.aggregates:
            entry["aggregates"] = dict(zip(columns.aggregates, row.aggregates, strict=True))
        yield json.dumps(entry)


def _word_list(store: Store, columns: Columns, rows: Sequence[GroupCount], request: ShowRequest) -> Iterator[str]:
    """Yield the source in comments, then the rows without absent or unbound values, most frequent first."""
    from runner.corpus.match_groups import ABSENT, UNBOUND

    present = [row for row in rows if not {ABSENT, UNBOUND} & set(row.values)]
    listed, sources = present[: request.limit], [source.label for source in store.info.sources]
    yield f"# fictc show {' '.join(request.command.split())} --format list"
    more_sources = f" and {len(sources) - 3} more" if len(sources) > 3 else ""
    yield f"# of {counted(store.info.sentences, 'sentence')} in {', '.join(sources[:3])}{more_sources}"
    chosen = f"{len(listed)} of " if len(listed) < len(present) else ""
    amount = f"{chosen}{counted(len(present), 'value')} of {', '.join(columns.keys)}"
    yield f"# {amount} in {counted(sum(row.matches for row in rows), 'match', 'matches')}, most frequent first"
    for row in listed:
        entry = "\t".join(" ".join(value.split()) for value in row.values)
        yield f"\\{entry}" if entry.startswith("#") else entry


@click.command(
    name="show",
    help=f"""Show the matches of a filter in context, with the bound words marked: `dogs/S` is the word bound to S.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

    \b
    With --by, matches are counted. Keys:
      doc, source, sent_id, length, genre, any comment of the corpus
      upos(X), lemma(X), form(X), xpos(X), deprel(X), Number(X), misc.Key(X), lower(form(X)), token(X), feats(X)
      ExtPos/upos(X): the first of these values that the word has; id(X), form.length(X)
      order(V,S,O), distance(V,S), relation(V,S); '{{ clauses }}': whether they hold for the match
      length:10: a number in bins; min(…), max(…), mean(…): aggregates of a number, in separate columns
    genre is the comment of that name or meta::genre, of the sentence or its document, or else the prefix of the
    document's name (answers for answers-2007…).

    A rewrite is shown with its matches or, with --rewritten, with the sentences that it changes.

    \b
    Examples:
      fictc show filters/passive.fict --corpus stores/ewt --sample 20 --format tree
      fictc show filters/passive.fict --corpus stores/ewt --by 'genre,lemma(V)'
      fictc show 'V:VERB -[nsubj]-> S  V -[obj]-> O' -c stores/ewt --by 'order(V,S,O),mean(distance(V,S))'
      fictc show 'V:VERB -[iobj]-> _' -c stores/ewt --by 'lemma(V)' --format list -o ditransitive.txt
      fictc show filters/passive.fict --corpus stores/ewt --near-miss
      fictc show rewrites/dative.fict --corpus stores/ewt --rewritten --format html -o dative.html
      fictc show experiments/demo/manifest.toml --condition passive --sample 20
    """,
)
@query_options.required_filters
@query_options.corpus_option(required=False)
@click.option("--condition", metavar="NAME", help="Show the changes of this condition. FILTER is then a manifest.")
@click.option("--data", type=FOLDER, help="With --condition: directory that ${data} refers to.")
@click.option(
    "--allow", type=FOLDER, multiple=True, help="With --condition: additional directory that the manifest may read."
)
@click.option(
    "--cache",
    type=FOLDER,
    envvar="FICTC_CACHE",
    help="With --condition: cache of finished steps [default: runs/.cache].",
)
@click.option(
    "-n",
    "limit",
    type=Count(1),
    metavar="N",
    help=f"Number of sentences [default: {show_changes.DEFAULT_SENTENCES}; "
    f"{show_changes.DEFAULT_NEAR_MISSES} with --near-miss, {show_changes.DEFAULT_CONDITION_SENTENCES} of each kind "
    "with --condition] or rows to show.",
)
@click.option("--sample", type=Count(1), metavar="N", help="Show a random sample of N sentences.")
@click.option(
    "--seed", type=SEED, metavar="S", help="Seed for the random sample, and for random rewrites [default: 0]."
)
@format_option(
    *show_changes.FORMATS,
    help="kwic: a line per match. tree: trees for the terminal. svg: arc diagrams. html: a page of arc diagrams. "
    "conllu: the sentences, with a comment per match. tsv: a row per match. jsonl: a JSON object per sentence. "
    "list: with --by, the values as a word list for filters.",
)
@click.option("-o", "--output", type=PATH, help="Output file; for svg, a folder or *.svg file.")
@click.option("--not", "negated", is_flag=True, help="Show sentences that do not match.")
@click.option(
    "--near-miss", "near", is_flag=True, help="Show sentences that meet all conditions but one, by condition."
)
@click.option(
    "--rewritten",
    is_flag=True,
    help="Show sentences that a rewrite changes, before and after, with the changed words marked.",
)
@click.option("--by", metavar="KEYS", help="Count the matches per value of these keys, such as genre,upos(X).")
@query_options.lists_option
@query_options.limits_options(timeout=30.0)
@query_options.takes_query
@relations(
    "--condition excludes --corpus, --not, --near-miss, --rewritten, --by, --output, --list",
    "--condition requires --format kwic or jsonl",
    "--data, --allow requires --condition",
    "-n, --by, --near-miss excludes --sample",
    "--not, --rewritten excludes --near-miss, --by",
    "--near-miss excludes --by, --seed",
    "--rewritten excludes --not",
    "--by excludes --seed",
)
def command(
    query: query_options.Query,
    condition: str | None,
    data: Path | None,
    allow: tuple[Path, ...],
    cache: Path | None,
    **options: object,
) -> None:
    paths = (word for path in query.paths for word in ("--corpus", str(path)))
    command_words = [*query.arguments, *paths, "--by", options["by"]]
    request = ShowRequest(**options, command=shlex.join(map(str, command_words)))  # type: ignore[arg-type]
    _check_options(request)
    if condition is not None:
        if len(query.arguments) != 1:
            raise click.UsageError("--condition expects one manifest")
        show_changes.show_condition(Path(query.arguments[0]), condition, request, data, allow, cache)
        return
    if not query.paths:
        raise click.UsageError("Missing option '--corpus' / '-c'.")
    if request.rewritten:
        _print_groups(_rewritten_groups(query, request), request)
        return
    filters = query.filters(with_matches=True)
    store = query.open_corpus(filters)
    if request.output_format == "list" and len(filters) > 1:
        raise click.UsageError(f"--format list writes the values of one filter, and {len(filters)} are given")
    if request.by is not None:
        _write_or_print(_table_lines(store, query_options.labelled(filters), request), request)
    else:
        _print_groups(list(_groups(store, query_options.labelled(filters), request)), request)


def _check_options(request: ShowRequest) -> None:
    if request.by is not None and request.output_format not in ("kwic", "tsv", "jsonl", "list"):
        raise click.UsageError(
            f"--by prints a table, as kwic, tsv, jsonl or list; --format {request.output_format} is for sentences"
        )
    if request.by is None and request.output_format == "list":
        raise click.UsageError("--format list lists the values of --by KEYS, such as --by 'lemma(V)'")
    check_suffix(request.output, request.output_format, show_changes.MACHINE_FORMATS)


def _rewritten_groups(query: query_options.Query, request: ShowRequest) -> list[show_changes.RewrittenGroup]:
    rewrites = query_options.load_rewrites(query.arguments, query.lists, required=True)
    filters = [rewrite.matching for rewrite in rewrites]
    query_options.note_filters_beside(rewrites, query.arguments, query.lists)
    store = query.open_corpus(filters)
    return [
        show_changes.rewritten_group(store, rewrite, label, request)
        for rewrite, label in zip(rewrites, filter_labels(filters), strict=True)
    ]


def _groups(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> Iterator[Group]:
    seed = 0 if request.sample is not None and request.seed is None else request.seed
    limit = request.sample or request.limit
    for compiled in filters:
        if request.near:
            groups = list(show.near_groups(store, compiled, limit or show_changes.DEFAULT_NEAR_MISSES))
            if not groups:
                print_message(f"note: {compiled.name} has no condition that can be left out", err=True)
            yield from groups
        else:
            yield show.matching_group(
                store, compiled, limit or show_changes.DEFAULT_SENTENCES, seed, negated=request.negated
            )


_Groups: TypeAlias = Sequence[Group | show_changes.RewrittenGroup]


def _machine_texts(groups: _Groups, request: ShowRequest) -> Iterable[str]:
    writers: Any = show_changes if request.rewritten else show
    match request.output_format:
        case "html":
            names = (group.title if request.rewritten else group.compiled.name for group in groups)
            return [writers.html(groups, ", ".join(dict.fromkeys(names))).rstrip("\n")]
        case "tsv":
            return cast("Iterable[str]", writers.tsv(groups))
    return chain.from_iterable(map(writers.conllu if request.output_format == "conllu" else writers.jsonl, groups))


def _print_groups(groups: _Groups, request: ShowRequest) -> None:
    if request.output_format == "svg":
        draw: Callable[[Any], Iterable[tuple[str, str]]] = show_changes.drawings if request.rewritten else show.drawings
        drawings = list(draw(groups))
        undrawn = show.undrawn_matches(group for group in groups if isinstance(group, Group))
        if request.output is not None and request.output.suffix != ".svg":
            for name, text in drawings:
                write_text(request.output / name, text)
            _note(f"{counted(len(drawings), 'drawing')} in {request.output}")
            _note_undrawn(undrawn)
            return
        _write_or_print([_single_drawing(drawings, request)], request)
        _note_undrawn(undrawn)
    elif request.output_format in show_changes.MACHINE_FORMATS:
        _write_or_print((text.removesuffix("\n") for text in _machine_texts(groups, request)), request)
    else:
        _write_or_print(_readable_lines(groups, request), request)
    if request.output_format in show_changes.MACHINE_FORMATS or (len(groups) == 1 and not request.near):
        for group in groups:
            _note(group.counts if len(groups) == 1 else f"{group.title}: {group.counts}")


def _readable_lines(groups: _Groups, request: ShowRequest) -> Iterator[str]:
    sources = (show.kwic, show.trees), (show_changes.rewritten_lines, show_changes.draw_trees)
    render: Callable[..., Iterator[str]] = sources[request.rewritten][request.output_format == "tree"]
    without_misses: list[Piece] = []  # of this filter
    for index, group in enumerate(groups):
        if isinstance(group, Group) and group.left_out is not None:
            condition = Piece(group.left_out, "bound"), Piece(f" (line {group.line})", "faint")
            if not index or groups[index - 1].compiled is not group.compiled:
                yield request.paint((Piece(group.compiled.name, "bound"),))
            if group.is_empty:
                without_misses += [Piece(", "), *condition]
            else:
                yield ""
                yield request.paint((Piece("all conditions except "), *condition, Piece(f": {group.counts}")))
        elif len(groups) > 1:
            yield from [""] if index else []
            yield request.paint((Piece(group.title, "bound"), Piece(f"  {group.counts}", "faint")))
        for sentence in group.sentences:
            yield from render(sentence, request.width, request.paint)
        if without_misses and (group is groups[-1] or groups[index + 1].compiled is not group.compiled):
            yield ""
            yield request.paint((Piece("0 sentences for: "), *without_misses[1:]))
            without_misses = []


def _single_drawing(drawings: Sequence[tuple[str, str]], request: ShowRequest) -> str:
    hint = "name a folder with `--output`"
    if request.rewritten or len(drawings) != 1:  # a rewritten sentence has two drawings
        hint += "" if request.rewritten else ", or use `--format html`; `-n 1` shows one sentence"
        raise InputError.of("FICT777", count=len(drawings), hint=hint)
    return drawings[0][1].rstrip("\n")


def _note_undrawn(count: int) -> None:
    if count:
        matches = f"{counted(count, 'more match', 'more matches')} in long sentences"
        _note(f"{matches} {inflected(count, 'is', 'are')} not drawn; `--format jsonl` lists all matches")


def _write_or_print(lines: Iterable[str], request: ShowRequest) -> None:
    if request.output is not None:
        write_text(request.output, "".join(f"{line}\n" for line in lines))
        _note(f"written to {request.output}")
        return
    escape = block_for_output if request.output_format in show_changes.MACHINE_FORMATS else str
    for line in lines:
        click.echo(escape(line), color=True)  # keep the styles


def _note(text: str) -> None:
    click.echo(faint(text) if sys.stderr.isatty() else text, err=True)
