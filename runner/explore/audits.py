"""Judgements: marks of matches as a sheet, and the sheet of an audit, which is saved after each judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from runner.audit.sheet import Judgement, Sheet, SheetRow, StratumName, StratumSize, marked_words, read_sheet
from runner.corpus.match_groups import seed_of
from runner.corpus.matches import match as find_matches
from runner.corpus.sentence_arrays import read_sentences
from runner.errors import InputError
from runner.explore.markup import Row, markup
from runner.explore.matches import check_bindings, check_words, sentences_of
from runner.explore.query import Query, store_of
from runner.workspace import lock, write_text

MAX_MARKS = 10_000
AUDIT_ROWS = 50  # of a page


@dataclass(frozen=True)
class Mark:
    """The judgement of a match: the number of its sentence, and the id of the word bound to each name."""

    sid: int
    match: Mapping[str, int]
    judgement: Judgement


def sheet_of_marks(store_index: int, query: Query, sort: str, marks: Sequence[Mark]) -> str:
    """Return the marks as a sheet whose only stratum is the matches, in the order of the marks.

    Raises InputError (FICT853) unless the matches are in random order, since the first of others are no sample.
    """
    store, compiled, seed = store_of(store_index), query.filter, seed_of(sort)
    if seed is None or not marks:
        found, reason = ("no mark", "a sheet has marked matches") if seed is not None else ("another order", _NO_SAMPLE)
        raise InputError.of("FICT853", found=found, reason=reason, hint="sort by random order, and mark some matches")
    sentences, rows = sentences_of(store_index, [mark.sid for mark in marks]), []
    for mark in marks:
        sentence = sentences[mark.sid]
        check_bindings(query, mark.match)
        check_words(sentence, mark.match.values())
        location, tree = sentence.location, sentence.trees()[0]
        words = marked_words(sentence.block, sorted(set(mark.match.values())))
        place = location.source, location.number, location.sent_id or ""
        rows.append(SheetRow(tree.text(), words, *place, "matches", mark.judgement))
    matches = find_matches(store, compiled)
    words_of_stratum = int(read_sentences(store).words[matches.column("sid").unique().to_numpy()].sum())
    strata: dict[StratumName, StratumSize] = {"matches": StratumSize(len(rows), matches.num_rows, words_of_stratum)}
    name = compiled.name if query.is_file else " ".join(query.text.split())
    return Sheet(name, compiled.key, store.path.name, store.key, seed, strata, tuple(rows)).text()


_NO_SAMPLE = "only the first matches in random order are a sample of all"


@dataclass(frozen=True)
class AuditPage:
    """Rows of a sheet, the judgement of each row of the sheet by its index, and how many rows there are."""

    html: str
    judgements: dict[int, Judgement]
    rows: int


def audit_page(path: Path, store_index: int, offset: int) -> AuditPage:
    sheet = read_sheet(path, is_open=True)
    sids = _sids(store_index, store_of(store_index).key)
    shown = [(index, row, sids[row.place]) for index, row in enumerate(sheet.rows)][offset : offset + AUDIT_ROWS]
    sentences = sentences_of(store_index, [sid for *_, sid in shown])
    rows = []
    for _, row, sid in shown:
        words = {str(number): word for number, word in enumerate(row.word_ids, 1)}
        rows.append(Row(sentences[sid].location, sentences[sid].block, words))
    judgements = {index: row.judgement for index, row in enumerate(sheet.rows) if row.judgement is not None}
    return AuditPage(markup("sheet", rows), judgements, len(sheet.rows))


@lru_cache(1)
def _sids(store_index: int, _: str) -> dict[tuple[str, int], int]:
    sentences = read_sentences(store_of(store_index))
    return {place: sid for sid, place in enumerate(zip(sentences.sources, sentences.numbers, strict=True))}


def judge(path: Path, index: int, judgement: Judgement | None) -> int:
    """Save the judgement of a row, or none, in the file of its sheet, and return how many rows are judged."""
    with lock(path.parent):  # requests are answered in several processes
        sheet = read_sheet(path, is_open=True)
        if index >= len(sheet.rows):
            raise InputError.of("FICT853", found=f"row {index + 1}", reason=f"the sheet has {len(sheet.rows)} rows")
        judged = sheet.judge(index, judgement)
        write_text(path, judged.text())
    return len(judged.judged)
