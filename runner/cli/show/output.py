"""What `fictc show` found to where it goes: the terminal, a pipe, a file, a folder of drawings."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.draw.pieces import Line, Piece, plain
from runner.cli.shared.terminal import faint, safe, styled, terminal_width
from runner.cli.show import formats, table
from runner.cli.show.request import ROWS, Wanted
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.cli.show.formats import Group
    from runner.corpus.store.opening import Store

MACHINE = ("svg", "html", "conllu", "tsv", "jsonl")


def print_groups(groups: Sequence[Group], wanted: Wanted) -> None:
    """Print or write sentences in the format that was asked for."""
    if wanted.kind == "svg" and not (wanted.output is None or wanted.output.suffix == ".svg"):
        _folder(wanted.output, list(formats.drawings(groups)))
        _note_not_drawn(groups)
        return
    _put(_text(groups, wanted), wanted)
    if wanted.kind == "svg":
        _note_not_drawn(groups)
    if wanted.kind in MACHINE or (len(groups) == 1 and not wanted.near):
        for group in groups:
            _note(group.counts if len(groups) == 1 else f"{group.title}: {group.counts}")


def _note_not_drawn(groups: Sequence[Group]) -> None:
    left = formats.not_drawn(groups)
    if left:
        _note(f"{left:,} more matches in long sentences are not drawn; --format jsonl lists all")


def print_table(store: Store, filters: Sequence[CompiledFilter], wanted: Wanted) -> None:
    """Print or write how many matches there are for each combination of values."""
    _put(_tables(store, filters, wanted), wanted)


def _tables(store: Store, filters: Sequence[CompiledFilter], wanted: Wanted) -> Iterator[str]:
    from runner.corpus.query.group_counts import clusters
    from runner.corpus.query.group_keys import read_keys

    for number, compiled in enumerate(filters):
        keys = read_keys(wanted.by or "", compiled, store)
        texts, rows = [key.text for key in keys], clusters(store, compiled, keys)
        if wanted.kind == "tsv":
            lines = list(table.tsv(compiled.name, texts, rows[: wanted.number]))
            yield from lines[1:] if number else lines
        elif wanted.kind == "jsonl":
            yield from table.jsonl(compiled.name, texts, rows[: wanted.number])
        else:
            yield from [_heading(compiled.name, wanted)] if len(filters) > 1 else []
            yield from table.table(texts, rows, wanted.number or ROWS, _width(wanted))


def _text(groups: Sequence[Group], wanted: Wanted) -> Iterator[str]:
    """The lines of the output."""
    match wanted.kind:
        case "html":
            yield formats.html(groups, ", ".join(dict.fromkeys(group.compiled.name for group in groups))).rstrip("\n")
        case "svg":
            yield _one_drawing(groups)
        case "conllu":
            for group in groups:
                yield from (block.removesuffix("\n") for block in formats.conllu(group))
        case "tsv":
            yield from formats.tsv(groups)
        case "jsonl":
            for group in groups:
                yield from formats.jsonl(group)
        case _:
            yield from _read(groups, wanted)


def _read(groups: Sequence[Group], wanted: Wanted) -> Iterator[str]:
    """Groups as people read them, under headings where there are several."""
    paint = _plain if wanted.output else styled
    shape = formats.trees if wanted.kind == "tree" else formats.kwic
    for number, group in enumerate(groups):
        if group.left_out is not None:
            if not number or groups[number - 1].compiled is not group.compiled:
                yield _heading(group.compiled.name, wanted)
            yield ""
            yield paint((Piece(f"{group.counts}, all but "), Piece(group.left_out, "bound"), _line_number(group)))
        elif len(groups) > 1:
            yield from [""] if number else []
            yield paint((Piece(group.title, "bound"), Piece(f"  {group.counts}", "faint")))
        for found in group.found:
            yield from shape(found, _width(wanted), paint)


def _line_number(group: Group) -> Piece:
    return Piece(f"  (line {group.line})", "faint")


def _heading(text: str, wanted: Wanted) -> str:
    return (_plain if wanted.output else styled)((Piece(text, "bound"),))


def _plain(line: Line) -> str:
    return plain([line])


def _width(wanted: Wanted) -> int | None:
    return None if wanted.output else terminal_width()


def _one_drawing(groups: Sequence[Group]) -> str:
    drawn = list(formats.drawings(groups))
    if len(drawn) != 1:
        hint = "name a folder with `--output`, or use `--format html`; `-n 1` shows one sentence"
        raise InputError(diagnostic("FICT777", count=len(drawn), hint=hint))
    return drawn[0][1].rstrip("\n")


def _folder(folder: Path, drawn: Sequence[tuple[str, str]]) -> None:
    from runner.workspace import write_text

    for name, text in drawn:
        write_text(folder / name, text)
    _note(f"{len(drawn):,} drawings in {folder}")


def _put(lines: Iterator[str], wanted: Wanted) -> None:
    """Write the file; or print, safe for a terminal where there is one."""
    if wanted.output is not None:
        from runner.workspace import write_text

        write_text(wanted.output, "".join(f"{line}\n" for line in lines))
        _note(f"written to {wanted.output}")
        return
    tame = sys.stdout.isatty() and wanted.kind in MACHINE
    for line in lines:
        click.echo("\n".join(map(_tamed, line.split("\n"))) if tame else line, color=True)  # nothing is stripped


def _tamed(line: str) -> str:
    return "\t".join(map(safe, line.split("\t")))


def _note(text: str) -> None:
    click.echo(faint(text) if sys.stderr.isatty() else text, err=True)
