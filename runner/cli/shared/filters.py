"""FILTER arguments, shared by commands that run filters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from fictdsl.syntax.word_lists import NO_OVERRIDES, ListOverrides
from runner.cli.shared.messages import print_message
from runner.corpus.query import filters as corpus_filters
from runner.corpus.query.filters import filter_labels

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from runner.corpus.store.opening import Store

__all__ = [
    "FILTER_HELP",
    "QUERY_HELP",
    "check_lists",
    "filter_labels",
    "load_filters",
    "load_filters_and_matches",
    "load_rewrites",
    "note_absent_labels",
    "note_filters_beside",
]

QUERY_HELP = """\b
      'V -[nsubj]-> S'   a query: the clauses of a match block; it contains a space or one of [ < > ~"""
FILTER_HELP = """\b
    FILTER is one of
      FILE               all filters of a .fict file
      FILE::name         one filter (for a family: all its members)
      FILE::name.value   one member of a family
      FOLDER             all filters of all .fict files in a folder
      fict15             a folder shipped with fictc; fict15/passive is a file in it"""


def load_filters(
    arguments: Iterable[str], lists: ListOverrides = NO_OVERRIDES, *, allow_queries: bool = False
) -> list[CompiledFilter]:
    """Compile the filters that the arguments name, with declared lists replaced by `lists`.

    With `allow_queries`, an argument may also be a query: the clauses of a `match` block.
    """
    return _checked(corpus_filters.load_filters(arguments, lists, bodies=allow_queries), lists)


def load_filters_and_matches(
    arguments: Iterable[str], lists: ListOverrides = NO_OVERRIDES, *, allow_queries: bool = False
) -> list[CompiledFilter]:
    """Compile the filters that the arguments name and, for each rewrite, a filter with its `match` block.

    With `allow_queries`, an argument may also be a query: the clauses of a `match` block.
    """
    return _checked(corpus_filters.load_matching(arguments, lists, bodies=allow_queries), lists)


def _checked(filters: list[CompiledFilter], lists: ListOverrides) -> list[CompiledFilter]:
    """Check the lists, and note queries that consist of names alone."""
    check_lists(filters, lists)
    if queries := [compiled for compiled in filters if compiled.path is None]:
        from fictdsl.lint.vocabulary import bare_names

        for names in filter(None, map(bare_names, queries)):
            print_message(f"note: {names}", err=True)
    return filters


def load_rewrites(
    arguments: Iterable[str], lists: ListOverrides = NO_OVERRIDES, *, required: bool = False
) -> list[CompiledRewrite]:
    """Compile the rewrites that the arguments name. There may be none, unless `required`.

    The lists are checked only if `required`; otherwise the command must check them together with its filters.
    """
    rewrites = corpus_filters.load_rewrites(arguments, lists, required=required)
    if required:
        check_lists([rewrite.matching for rewrite in rewrites], lists)
    return rewrites


def note_filters_beside(rewrites: Sequence[CompiledRewrite], arguments: Iterable[str], lists: ListOverrides) -> None:
    """Note on stderr the filters that the arguments name beside the rewrites, in a command that ignores them."""
    matching = {(rewrite.matching.path, rewrite.name) for rewrite in rewrites}
    named = corpus_filters.load_matching(arguments, lists)
    if names := [compiled.name for compiled in named if (compiled.path, compiled.name) not in matching]:
        print_message(f"note: {', '.join(names)}: not a rewrite, and ignored", err=True)


def check_lists(filters: Sequence[CompiledFilter], lists: ListOverrides) -> None:
    """Raise InputError for a list that no file declares; note on stderr lists that no filter uses, and tables."""
    if not lists:
        return
    from fictdsl.compiler import unknown_lists
    from fictdsl.semantics.resolve import reachable
    from fictdsl.syntax.word_lists import TAB, single_word_lists
    from runner.errors import InputError

    modules = [compiled.module for compiled in filters]
    if problems := unknown_lists(modules, lists):
        raise InputError(list(problems.values()))
    used = {word_list.name for compiled in filters for word_list in compiled.lists}
    for name in lists:
        if name not in used:
            click.echo(f"note: none of these filters uses the list {name}, so --list {name}=… has no effect", err=True)
    for name in sorted(used & single_word_lists(each.file for module in modules for each in reachable(module))):
        if row := next((entry for entry in lists[name].entries if TAB in entry), None):
            entry = f"an entry with a tab, such as `{row.expandtabs(4)}`, matches no word"
            print_message(f"note: --list {name}=…: {entry}; leave only the column of the words", err=True)


def note_absent_labels(store: Store, filters: Sequence[CompiledFilter]) -> None:
    """Note on stderr the features in the filters that do not occur in the corpus.

    Also note the other labels that occur neither in the corpus nor in UD.
    """
    from runner.corpus.query.absent_labels import absent_labels

    for label in absent_labels(store, filters):
        print_message(f"note: {label}", err=True)


def labelled(filters: Sequence[CompiledFilter]) -> list[CompiledFilter]:
    """Return the filters with their labels as names."""
    return [replace(compiled, name=label) for label, compiled in zip(filter_labels(filters), filters, strict=True)]
