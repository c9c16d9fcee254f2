"""Search a store range by range; near misses, plan and exports of the matches; the words of one match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.draw.svg import svg
from fictdsl.english.describe import describe
from fictdsl.schema import Field
from fictdsl.syntax.nodes import quote as quoted
from fictdsl.words import counted, inflected
from runner.audit.coverage import shares
from runner.corpus import show
from runner.corpus.engine import explain_plan
from runner.corpus.limits import Limits
from runner.corpus.match_groups import sort_matches
from runner.corpus.match_keys import with_clauses
from runner.corpus.matches import match, match_range
from runner.corpus.rewrite import changed_trees, first_changed
from runner.corpus.show import (
    Group,
    MatchedSentence,
    compare_pair,
    filter_pair,
    matched_sentences,
    matching_group,
    near_groups,
)
from runner.corpus.store import Store
from runner.errors import InputError
from runner.explore.markup import Row, markup
from runner.explore.query import STALE, Query, existing_sid, store_of
from runner.score.pair_formats import load_suite

if TYPE_CHECKING:
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter


MAX_KEPT = 10_000  # matches that are kept for sorting before the search is complete


@dataclass(frozen=True)
class SearchPlan:
    """What a search needs; `key` is equal for queries with the same matches under the same names."""

    ends: tuple[int, ...]
    sentences: int
    words: int
    names: tuple[str, ...]
    key: str
    notes: list[str]


@dataclass(frozen=True)
class RangeResult:
    """The matches in a range, of which `html` has `rows`, and the first of them if they are kept for sorting."""

    matches: int
    sentences: int
    html: str
    rows: int
    kept: pa.Table | None


def plan_search(store_index: int, query: Query) -> SearchPlan:
    from runner.corpus.lint_facts import absent_labels

    store, compiled = store_of(store_index), query.filter
    notes = [str(label) for label in absent_labels(store, [compiled])]
    ends, info = tuple(store.info.ends), store.info
    return SearchPlan(ends, info.sentences, info.words, compiled.names, compiled.key, notes)


def search_range(
    store_index: int, query: Query, sids: range, view: str, offset: int, max_rows: int, max_kept: int
) -> RangeResult:
    store, compiled = store_of(store_index), query.filter
    table = match_range(store, compiled, sids)
    shown = table.slice(min(offset, table.num_rows), max_rows)
    return RangeResult(
        table.num_rows,
        len(table.column("sid").unique()),
        markup("rows", _rows(store_index, query, shown), view),
        shown.num_rows,
        table.slice(0, max_kept) if max_kept else None,
    )


def sort_page(
    store_index: int, query: Query, matches: pa.Table, key: str, view: str, offset: int, max_rows: int
) -> str:
    table = sort_matches(store_of(store_index), query.filter, matches, key, offset, max_rows)
    return markup("rows", _rows(store_index, query, table), view)


def search_sorted_page(store_index: int, query: Query, key: str, view: str, offset: int, max_rows: int) -> str:
    return sort_page(store_index, query, match(store_of(store_index), query.filter), key, view, offset, max_rows)


def _rows(store_index: int, query: Query, matches: pa.Table) -> list[Row]:
    import numpy as np

    store, names = store_of(store_index), query.filter.names
    columns = [column.to_pylist() for column in matches.columns]
    sids = np.unique(np.array(columns[0], np.int64))
    sentences = {sentence.location.sid: sentence for sentence in matched_sentences(store, None, sids)}
    return [
        Row(sentence.location, sentence.block, {name: word for name, word in zip(names, ids, strict=True) if word})
        for sid, *ids in zip(*columns, strict=True)
        for sentence in [sentences[sid]]
    ]


NEAR, DIFFERENT, REWRITTEN = 3, 10, 30  # sentences shown for a left-out condition, a difference, a rewrite


def near_misses(store_index: int, query: Query) -> str:
    groups = [
        (group.counts, f"all clauses except {group.left_out}", _sentence_rows(group.sentences))
        for group in near_groups(store_of(store_index), query.filter, NEAR)
    ]
    return markup("groups", groups, "No condition can be left out.")


def _sentence_rows(sentences: Sequence[MatchedSentence], matches: int | None = None) -> str:
    rows = [
        Row(sentence.location, sentence.block, match) for sentence in sentences for match in sentence.matches[:matches]
    ]
    return markup("rows", rows, "text")


def explanation(query: Query) -> str:
    compiled = query.filter
    return markup("lines", [compiled.metadata.about, *describe(compiled)])


def plan(store_index: int, query: Query) -> str:
    store = store_of(store_index)
    explained, total = explain_plan(store, query.filter), store.info.sentences
    count = explained.counts.sentences
    return markup("plan", explained, f"{count:,} of {total:,} sentences match ({count / max(1, total):.2%})")


def rewritten(store_index: int, query: Query) -> str:
    rewrite = query.rewrite
    if rewrite is None:
        return markup("lines", ["The query has no rewrite. A file with one, such as dative/swap, is in the library."])
    rows = [
        markup("changed", sentence.location, *changed_trees(sentence))
        for sentence in first_changed(store_of(store_index), rewrite, 0, REWRITTEN)
    ]
    return markup("rewritten", rows) if rows else markup("lines", [f"{rewrite.name} changes no sentence."])


def difference(store_index: int, query: Query, other: Query) -> str:
    outcome = compare_pair(store_of(store_index), filter_pair(query.filter, other.filter), DIFFERENT)
    comparison = outcome.comparison
    groups = [
        (counted(len(sids), "sentence"), label, _sentence_rows(sentences, 1))
        for label, sids, sentences in (
            ("gained: only the second query matches", comparison.gained, outcome.gained),
            ("lost: only the first query matches", comparison.lost, outcome.lost),
        )
    ]
    summary = f"{counted(comparison.common, 'sentence')} {inflected(comparison.common, 'matches', 'match')} both."
    note = "The two queries are equal up to names and order. " if outcome.pair.same else ""
    return markup("lines", [note + summary]) + markup("groups", groups, "")


def coverage(query: Query, suite: Path, parses: Path, limits: Limits) -> str:
    found = shares(_suite(suite), _parses(parses, limits), [query.filter], "good")
    shown = sorted((each for each in found if each.items), key=lambda each: (-(each.share or 0), each.paradigm))
    unparsed = sum(each.unparsed for each in found)
    skipped = f"{counted(unparsed, 'item is', 'items are')} skipped: the store lacks their sentences"
    return markup("coverage", shown, skipped if unparsed else "")


_suite = lru_cache(1)(load_suite)
_parses = lru_cache(1)(Store.open)
MAX_SENTENCES, MAX_DRAWN = 100_000, 200  # sentences of a file, and of an HTML page with drawings

_WRITERS: dict[str, Callable[[Group], str]] = {
    "conllu": lambda group: "".join(show.conllu(group)),
    "tsv": lambda group: "".join(f"{line}\n" for line in show.tsv([group])),
    "jsonl": lambda group: "".join(f"{line}\n" for line in show.jsonl(group)),
    "html": lambda group: show.html([group], group.title),
}
FORMATS = tuple(_WRITERS)


def export(store_index: int, query: Query, output_format: str) -> str:
    limit = MAX_DRAWN if output_format == "html" else MAX_SENTENCES
    return _WRITERS[output_format](matching_group(store_of(store_index), query.filter, limit))


_RELATION = re.compile(r"[a-z_]+(:[a-z_]+)?")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Clause:
    text: str | None = None
    note: str = ""


@dataclass(frozen=True)
class MatchDrawings:
    arcs: str
    tree: str
    svg: str
    place: str


def open_match(store_index: int, sid: int, match: Mapping[str, int]) -> MatchDrawings:
    sentence = _sentence(store_index, sid, match.values())
    tree = Row(sentence.location, sentence.block, match).tree
    return MatchDrawings(markup("arcs", tree), markup("tree", tree), svg(tree), sentence.location.place)


def word_columns(store_index: int, query: Query, sid: int, match: Mapping[str, int], word: int) -> str:
    check_bindings(query, match)
    sentence = _sentence(store_index, sid, [*match.values(), word])
    cells_by_id = {cells[0]: cells for cells in _word_rows(sentence)}
    cells = cells_by_id[str(word)]
    name = _bound_name(match, word) or _free_names(query, 1)[0]
    clauses = list(_word_clauses(name, cells))
    if cells[Field.HEAD] in cells_by_id:
        head, label = int(cells[Field.HEAD]), cells[Field.DEPREL]
        relation = _relation_clause(query, match, head, word, label, dependent_first=True)
        clauses += [] if relation.text is None else [relation.text]
    return markup("columns", cells, [clause for clause in clauses if not _implies(query, clause)])


def _relation_clause(
    query: Query, match: Mapping[str, int], head: int, dependent: int, label: str, *, dependent_first: bool = False
) -> Clause:
    if not _RELATION.fullmatch(label):
        return Clause(note=f"{label} is not a label that a clause can name.")
    names = [_bound_name(match, head), _bound_name(match, dependent)]
    unbound_names = [name for name in query.filter.names if name not in match]
    for first, second in product(*([name] if name is not None else unbound_names for name in names)):
        if first != second and _implies(query, f"{first} -[{label}]-> {second}"):
            return Clause(note="The query has this relation already.")
    free = _free_names(query, names.count(None))
    new_names = iter(free[::-1] if dependent_first else free)
    head_name, dependent_name = (name if name is not None else next(new_names) for name in names)
    return Clause(f"{head_name} -[{label}]-> {dependent_name}")


def _implies(query: Query, clause: str) -> bool:
    def conditions(compiled: CompiledFilter) -> list[frozenset[object]]:
        return [frozenset(reading.conjunction.conditions) for reading in compiled.ir.readings]

    return conditions(query.filter) == conditions(with_clauses(query.filter, f"{{ {clause} }}"))


def relation_at(store_index: int, query: Query, sid: int, match: Mapping[str, int], dependent: int) -> Clause:
    check_bindings(query, match)
    sentence = _sentence(store_index, sid, [*match.values(), dependent])
    cells = next(cells for cells in _word_rows(sentence) if cells[0] == str(dependent))
    if cells[Field.HEAD] in ("0", "_"):
        return Clause(note="A root has no head.")
    return _relation_clause(query, match, int(cells[Field.HEAD]), dependent, cells[Field.DEPREL])


def _free_names(query: Query, count: int) -> list[str]:
    used = set(_WORD.findall(query.text))
    names = (f"W{suffix}" for suffix in range(1, len(used) + count + 2))
    return [name for name in names if name not in used][:count]


def _word_clauses(name: str, cells: list[str]) -> Iterator[str]:
    if _WORD.fullmatch(cells[Field.UPOS]) and cells[Field.UPOS] != "_":
        yield f"{name}:{cells[Field.UPOS]}"
    if cells[Field.LEMMA] != "_":
        yield f"{name}[lemma = {quoted(cells[Field.LEMMA])}]"
    for feature in cells[Field.FEATS].split("|"):
        key, _, value = feature.partition("=")
        if _WORD.fullmatch(key) and _WORD.fullmatch(value):
            yield f"{name}[{key} = {value}]"


def _bound_name(match: Mapping[str, int], word: int) -> str | None:
    return next((name for name, bound in match.items() if bound == word), None)


def check_bindings(query: Query, match: Mapping[str, int]) -> None:
    names = query.filter.names
    if unknown := [name for name in match if name not in names]:
        reason = f"the query binds {' '.join(names) or 'no name'}"
        raise InputError.of("FICT853", found=f"a match of {' '.join(unknown)}", reason=reason, hint=STALE)


def sentences_of(store_index: int, sids: Iterable[int]) -> dict[int, MatchedSentence]:
    import numpy as np

    existing_sids = np.unique(np.array([existing_sid(store_index, sid) for sid in sids], np.int64))
    sentences = matched_sentences(store_of(store_index), None, existing_sids)
    return {sentence.location.sid: sentence for sentence in sentences}


def check_words(sentence: MatchedSentence, word_ids: Iterable[int]) -> None:
    count = sum(1 for _ in _word_rows(sentence))
    for word in word_ids:
        if not 1 <= word <= count:
            reason = f"sentence {sentence.location.sid + 1} has {counted(count, 'word')}"
            raise InputError.of("FICT853", found=f"word {word}", reason=reason, hint=STALE)


def _sentence(store_index: int, sid: int, word_ids: Iterable[int]) -> MatchedSentence:
    sentence = sentences_of(store_index, [sid])[sid]
    check_words(sentence, word_ids)
    return sentence


def _word_rows(sentence: MatchedSentence) -> Iterator[list[str]]:
    for line in sentence.block.split("\n"):
        cells = line.rstrip("\r").split("\t")
        if not line.startswith("#") and len(cells) == len(Field) and cells[0].isdecimal():
            yield cells
