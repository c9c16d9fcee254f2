"""Output of `fictc show` to the terminal, a pipe, a file or a folder of drawings."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.draw.terminal import Line, Piece, plain_text
from fictdsl.words import counted, inflected
from runner.cli import count as count_tables
from runner.cli import show_changes
from runner.cli.show_changes import DEFAULT_ROWS, MACHINE_FORMATS, ShowRequest
from runner.cli.terminal import block_for_output, faint, styled, terminal_width
from runner.corpus import show
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.cli.show_changes import RewrittenGroup
    from runner.corpus.show import Group
    from runner.corpus.store import Store


def print_groups(groups: Sequence[Group], request: ShowRequest) -> None:
    if request.output_format == "svg" and not (request.output is None or request.output.suffix == ".svg"):
        _write_drawings(request.output, list(show.drawings(groups)))
        _note_not_drawn(groups)
        return
    _write_or_print(_group_lines(groups, request), request)
    if request.output_format == "svg":
        _note_not_drawn(groups)
    if request.output_format in MACHINE_FORMATS or (len(groups) == 1 and not request.near):
        for group in groups:
            _note(group.counts if len(groups) == 1 else f"{group.title}: {group.counts}")


def print_rewritten(groups: Sequence[RewrittenGroup], request: ShowRequest) -> None:
    if request.output_format == "svg":
        if request.output is None or request.output.suffix == ".svg":
            count = len(list(show_changes.drawings(groups)))
            raise InputError(diagnostic("FICT777", count=count, hint="name a folder with `--output`"))
        _write_drawings(request.output, list(show_changes.drawings(groups)))
        return
    _write_or_print(_rewritten_lines(groups, request), request)
    if request.output_format in MACHINE_FORMATS or len(groups) == 1:
        for group in groups:
            _note(group.counts if len(groups) == 1 else f"{group.label}: {group.counts}")


def _rewritten_lines(groups: Sequence[RewrittenGroup], request: ShowRequest) -> Iterator[str]:
    match request.output_format:
        case "html":
            yield show_changes.html(groups).rstrip("\n")
        case "conllu":
            for group in groups:
                yield from (block.removesuffix("\n") for block in show_changes.conllu(group))
        case "tsv":
            yield from show_changes.tsv(groups)
        case "jsonl":
            for group in groups:
                yield from show_changes.jsonl(group)
        case _:
            yield from _readable_rewritten(groups, request)


def _readable_rewritten(groups: Sequence[RewrittenGroup], request: ShowRequest) -> Iterator[str]:
    paint = _plain if request.output else styled
    render = show_changes.draw_trees if request.output_format == "tree" else show_changes.rewritten_lines
    for index, group in enumerate(groups):
        if len(groups) > 1:
            yield from [""] if index else []
            yield paint((Piece(group.label, "bound"), Piece(f"  {group.counts}", "faint")))
        for sentence in group.sentences:
            yield from render(sentence, _width(request), paint)


def _note_not_drawn(groups: Sequence[Group]) -> None:
    count = show.undrawn_matches(groups)
    if count:
        matches = f"{counted(count, 'more match', 'more matches')} in long sentences"
        _note(f"{matches} {inflected(count, 'is', 'are')} not drawn; `--format jsonl` lists all matches")


def print_table(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> None:
    _write_or_print(_table_lines(store, filters, request), request)


def _table_lines(store: Store, filters: Sequence[CompiledFilter], request: ShowRequest) -> Iterator[str]:
    from runner.corpus.match_groups import count_groups
    from runner.corpus.match_keys import parse_group_keys

    for index, compiled in enumerate(filters):
        keys = parse_group_keys(request.by or "", compiled, store)
        columns = count_tables.Columns.of(keys)
        rows = count_groups(store, compiled, keys)
        if request.output_format == "tsv":
            lines = list(count_tables.tsv(compiled.name, columns, rows[: request.limit]))
            yield from lines[1:] if index else lines
        elif request.output_format == "jsonl":
            yield from count_tables.jsonl(compiled.name, columns, rows[: request.limit])
        elif request.output_format == "list":
            yield from count_tables.word_list(request.command, store, columns, rows, request.limit)
        else:
            yield from [_heading(compiled.name, request)] if len(filters) > 1 else []
            yield from count_tables.key_table(
                columns, rows, store.info.words, request.limit or DEFAULT_ROWS, _width(request)
            )


def _group_lines(groups: Sequence[Group], request: ShowRequest) -> Iterator[str]:
    match request.output_format:
        case "html":
            yield show.html(groups, ", ".join(dict.fromkeys(group.compiled.name for group in groups))).rstrip("\n")
        case "svg":
            yield _single_drawing(groups)
        case "conllu":
            for group in groups:
                yield from (block.removesuffix("\n") for block in show.conllu(group))
        case "tsv":
            yield from show.tsv(groups)
        case "jsonl":
            for group in groups:
                yield from show.jsonl(group)
        case _:
            yield from _readable_lines(groups, request)


def _readable_lines(groups: Sequence[Group], request: ShowRequest) -> Iterator[str]:
    """Yield the groups as readable text, under headings if there are several."""
    paint = _plain if request.output else styled
    render = show.trees if request.output_format == "tree" else show.kwic
    without_misses: list[Group] = []  # of this filter
    for index, group in enumerate(groups):
        if group.left_out is not None:
            if not index or groups[index - 1].compiled is not group.compiled:
                yield _heading(group.compiled.name, request)
            if group.is_empty:
                without_misses.append(group)
            else:
                yield ""
                yield paint((Piece("all conditions except "), *_condition(group), Piece(f": {group.counts}")))
        elif len(groups) > 1:
            yield from [""] if index else []
            yield paint((Piece(group.title, "bound"), Piece(f"  {group.counts}", "faint")))
        for sentence in group.sentences:
            yield from render(sentence, _width(request), paint)
        if without_misses and (group is groups[-1] or groups[index + 1].compiled is not group.compiled):
            yield ""
            conditions = [piece for miss in without_misses for piece in (Piece(", "), *_condition(miss))][1:]
            yield paint((Piece("0 sentences for: "), *conditions))
            without_misses = []


def _condition(group: Group) -> tuple[Piece, Piece]:
    assert group.left_out is not None
    return Piece(group.left_out, "bound"), Piece(f" (line {group.line})", "faint")


def _heading(text: str, request: ShowRequest) -> str:
    return (_plain if request.output else styled)((Piece(text, "bound"),))


def _plain(line: Line) -> str:
    return plain_text([line])


def _width(request: ShowRequest) -> int | None:
    return None if request.output else terminal_width()


def _single_drawing(groups: Sequence[Group]) -> str:
    drawings = list(show.drawings(groups))
    if len(drawings) != 1:
        hint = "name a folder with `--output`, or use `--format html`; `-n 1` shows one sentence"
        raise InputError(diagnostic("FICT777", count=len(drawings), hint=hint))
    return drawings[0][1].rstrip("\n")


def _write_drawings(folder: Path, drawings: Sequence[tuple[str, str]]) -> None:
    from runner.workspace import write_text

    for name, text in drawings:
        write_text(folder / name, text)
    _note(f"{counted(len(drawings), 'drawing')} in {folder}")


def _write_or_print(lines: Iterator[str], request: ShowRequest) -> None:
    """Write the lines to the file, or print them, escaped for a terminal."""
    if request.output is not None:
        from runner.workspace import write_text

        write_text(request.output, "".join(f"{line}\n" for line in lines))
        _note(f"written to {request.output}")
        return
    escape = block_for_output if request.output_format in MACHINE_FORMATS else str
    for line in lines:
        click.echo(escape(line), color=True)  # keep the styles


def _note(text: str) -> None:
    click.echo(faint(text) if sys.stderr.isatty() else text, err=True)
