"""`fictc show`: show, draw or count matches, near misses, or the changes of a condition."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.corpus_options import corpus_option, limits_options
from runner.cli.filter_options import (
    FILTER_HELP,
    QUERY_HELP,
    Query,
    labelled,
    lists_option,
    load_rewrites,
    note_filters_beside,
    required_filters,
    takes_query,
)
from runner.cli.options import FOLDER, PATH, SEED, Count, check_suffix, format_option, relations
from runner.cli.show_changes import (
    DEFAULT_CONDITION_SENTENCES,
    DEFAULT_NEAR_MISSES,
    DEFAULT_SENTENCES,
    FORMATS,
    MACHINE_FORMATS,
    ShowRequest,
    show_condition,
)
from runner.cli.terminal import print_message
from runner.corpus.filter_arguments import filter_labels

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.cli.show_changes import RewrittenGroup
    from runner.corpus.show import Group
    from runner.corpus.store import Store


@click.command(
    name="show",
    help=f"""Show the matches of a filter in context, with the bound words marked: `dogs/S` is the word bound to S.

    {FILTER_HELP}
    {QUERY_HELP}

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
@required_filters
@corpus_option(required=False)
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
    help=f"Number of sentences [default: {DEFAULT_SENTENCES}; {DEFAULT_NEAR_MISSES} with --near-miss, "
    f"{DEFAULT_CONDITION_SENTENCES} of each kind with --condition] or rows to show.",
)
@click.option("--sample", type=Count(1), metavar="N", help="Show a random sample of N sentences.")
@click.option(
    "--seed", type=SEED, metavar="S", help="Seed for the random sample, and for random rewrites [default: 0]."
)
@format_option(
    *FORMATS,
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
@lists_option
@limits_options(timeout=30.0)
@takes_query
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
    query: Query,
    condition: str | None,
    data: Path | None,
    allow: tuple[Path, ...],
    cache: Path | None,
    **options: object,
) -> None:
    from runner.cli.show_output import print_groups, print_rewritten, print_table

    command_words = [
        *query.arguments,
        *(word for path in query.paths for word in ("--corpus", str(path))),
        "--by",
        options["by"],
    ]
    request = ShowRequest(**options, command=shlex.join(map(str, command_words)))  # type: ignore[arg-type]
    _check_options(request)
    if condition is not None:
        if len(query.arguments) != 1:
            raise click.UsageError("--condition expects one manifest")
        show_condition(Path(query.arguments[0]), condition, request, data, allow, cache)
        return
    if not query.paths:
        raise click.UsageError("Missing option '--corpus' / '-c'.")
    if request.rewritten:
        print_rewritten(_rewritten_groups(query, request), request)
        return
    filters = query.filters(with_matches=True)
    store = query.open_corpus(filters)
    labelled_filters = labelled(filters)
    if request.output_format == "list" and len(filters) > 1:
        raise click.UsageError(f"--format list writes the values of one filter, and {len(filters)} are given")
    if request.by is not None:
        print_table(store, labelled_filters, request)
    else:
        print_groups(list(_groups(store, labelled_filters, request)), request)


def _check_options(request: ShowRequest) -> None:
    if request.by is not None and request.output_format not in ("kwic", "tsv", "jsonl", "list"):
        raise click.UsageError(
            f"--by prints a table, as kwic, tsv, jsonl or list; --format {request.output_format} is for sentences"
        )
    if request.by is None and request.output_format == "list":
        raise click.UsageError("--format list lists the values of --by KEYS, such as --by 'lemma(V)'")
    check_suffix(request.output, request.output_format, MACHINE_FORMATS)


def _rewritten_groups(query: Query, request: ShowRequest) -> list[RewrittenGroup]:
    from runner.cli.show_changes import rewritten_group

    rewrites = load_rewrites(query.arguments, query.lists, required=True)
    filters = [rewrite.matching for rewrite in rewrites]
    note_filters_beside(rewrites, query.arguments, query.lists)
    store = query.open_corpus(filters)
    limit = request.sample or request.limit or DEFAULT_SENTENCES
    labels = filter_labels(filters)
    return [
        rewritten_group(store, rewrite, label, limit, request) for rewrite, label in zip(rewrites, labels, strict=True)
    ]


def _groups(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> Iterator[Group]:
    from runner.corpus.show import matching_group, near_groups

    seed = 0 if request.sample is not None and request.seed is None else request.seed
    limit = request.sample or request.limit
    for compiled in filters:
        if request.near:
            groups = list(near_groups(store, compiled, limit or DEFAULT_NEAR_MISSES))
            if not groups:
                print_message(f"note: {compiled.name} has no condition that can be left out", err=True)
            yield from groups
        else:
            yield matching_group(store, compiled, limit or DEFAULT_SENTENCES, seed, negated=request.negated)
