"""Sentences to show: matches, near misses and differences of filters, and their formats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fictdsl.draw.svg import Entry, Section, page, svg
from fictdsl.draw.terminal import Line, Piece, context, tree_lines
from fictdsl.draw.tree import Tree, labels, words
from fictdsl.terminal_text import cut, safe
from fictdsl.words import counted
from runner.corpus.matches import FilterComparison, compare_filters, find_near_misses, match_in, matching_sids
from runner.corpus.sentence_texts import SentenceLocation, conllu_blocks, locate
from runner.corpus.store import Store

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter, CompiledRewrite


_MAX_WORDS = 2_000  # drawn words per sentence, in all drawings

Match = Mapping[str, int]
T = TypeVar("T", "CompiledFilter", "CompiledRewrite")


@dataclass(frozen=True, slots=True)
class MatchedSentence:
    location: SentenceLocation
    block: str
    matches: Sequence[Match]

    def trees(self) -> list[Tree]:
        tree_words = words(self.block)
        return [Tree(tree_words, labels(match)) for match in self.matches or [{}]]

    def drawn_trees(self) -> tuple[list[Tree], str | None]:
        """Return the trees to draw, and a text with the number of the other matches, or None if all are drawn."""
        trees = self.trees()
        trees = trees[: max(1, _MAX_WORDS // max(1, len(trees[0].words)))]
        undrawn = len(self.matches) - len(trees)
        return trees, f"… {counted(undrawn, 'more match', 'more matches')}" if undrawn > 0 else None


def select_sids(sids: np.ndarray, count: int, seed: int | None) -> np.ndarray:
    import numpy as np

    candidates = sids if seed is None else np.random.default_rng(seed).permutation(sids)
    return np.sort(candidates[:count])


def matched_sentences(store: Store, compiled: CompiledFilter | None, sids: np.ndarray) -> Iterator[MatchedSentence]:
    matches: dict[int, list[Match]] = {}
    if compiled is not None and len(sids):
        table = match_in(store, compiled, sids)
        for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
            binding = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
            matches.setdefault(sid, []).append(binding)
    for location, block in zip(locate(store, sids), conllu_blocks(store, sids), strict=True):
        yield MatchedSentence(location, block, matches.get(location.sid, []))


@dataclass(frozen=True)
class Group:
    """The sentences of a filter, or of its near misses without the condition `left_out`."""

    compiled: CompiledFilter
    names: tuple[str, ...]
    counts: str
    sentences: Sequence[MatchedSentence]
    left_out: str | None = None
    line: int = 0
    is_empty: bool = False  # whether no sentence belongs to it; false if they were not counted

    @property
    def title(self) -> str:
        name = self.compiled.name
        return name if self.left_out is None else f"{name}, all but {self.left_out}"


def matching_group(
    store: Store, compiled: CompiledFilter, limit: int, seed: int | None = None, *, negated: bool = False
) -> Group:
    """Return the first `limit` sentences that match (or not, if `negated`), or a random sample if `seed` is given."""
    import numpy as np

    sids = matching_sids(store, [compiled])
    if negated:
        sids = np.setdiff1d(np.arange(store.info.sentences), sids, assume_unique=True)
    selected_sids = select_sids(sids, limit, seed)
    verb = "do not match" if negated else "match"
    counts = f"{len(selected_sids):,} of {len(sids):,} sentences that {verb}"
    sentences = list(matched_sentences(store, None if negated else compiled, selected_sids))
    return Group(compiled, () if negated else compiled.names, counts, sentences)


def near_groups(store: Store, compiled: CompiledFilter, limit: int) -> Iterator[Group]:
    """Yield the first `limit` near misses for each condition that can be left out, each with its first match."""
    for miss in find_near_misses(store, compiled, limit):
        counts = f"not counted in {store.limits.timeout:g} s"
        if miss.sentences is not None:
            counts = counted(miss.sentences, "sentence")
        sentences = [
            replace(sentence, matches=sentence.matches[:1])
            for sentence in matched_sentences(store, miss.weaker, miss.sids)
        ]
        yield Group(
            compiled, miss.weaker.names, counts, sentences, miss.left_out, miss.line, is_empty=miss.sentences == 0
        )


@dataclass(frozen=True)
class Pair(Generic[T]):
    """Two filters or rewrites. `same`: they differ at most in names, the order of clauses and actions."""

    first: T
    second: T
    same: bool

    @property
    def name(self) -> str:
        first, second = self.first.name, self.second.name
        return first if first == second else f"{first} → {second}"


@dataclass(frozen=True)
class FilterDifference:
    pair: Pair[CompiledFilter]
    comparison: FilterComparison
    gained: Sequence[MatchedSentence]
    lost: Sequence[MatchedSentence]


def filter_pair(first: CompiledFilter, second: CompiledFilter) -> Pair[CompiledFilter]:
    from fictdsl.lint.normal_form import normal_form

    first_form, second_form = (normal_form(replace(compiled.ir, actions=())) for compiled in (first, second))
    return Pair(first, second, first_form == second_form)


def compare_pair(
    store: Store, pair: Pair[CompiledFilter], limit: int | None, seed: int | None = None
) -> FilterDifference:
    """Compare a pair, with the first `limit` sentences of each kind (None: all), or a random sample with `seed`."""
    comparison = compare_filters(store, pair.first, pair.second)

    gained, lost = (
        list(matched_sentences(store, compiled, select_sids(sids, len(sids) if limit is None else limit, seed)))
        for compiled, sids in ((pair.second, comparison.gained), (pair.first, comparison.lost))
    )
    return FilterDifference(pair, comparison, gained, lost)


_MAX_COLUMNS = 500  # per line in a file or pipe
_POSITION_DIVISOR = 3  # a position that is wider than a third of a line gets its own line


Paint = Callable[[Line], str]


def format_position(position: SentenceLocation) -> str:
    return position.place + (f"  {position.sent_id}" if position.sent_id else "")


def kwic(sentence: MatchedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    """Yield a line per match, cut to the width. If the width is small, the position gets its own line."""
    position = sentence.location.place
    on_own_line = width is not None and len(position) * _POSITION_DIVISOR > width
    if on_own_line:
        yield paint((Piece(position, "faint"),))
    prefix = (Piece("  "),) if on_own_line else (Piece(f"{position}  ", "faint"),)
    columns = (width or _MAX_COLUMNS) - sum(len(piece.text) for piece in prefix)
    for tree in sentence.trees():
        yield paint((*prefix, *context(tree, columns)))


def trees(sentence: MatchedSentence, width: int | None, paint: Paint) -> Iterator[str]:
    position = safe(format_position(sentence.location))
    yield paint((Piece(position if width is None else cut(position, width), "faint"),))
    drawn_trees, others = sentence.drawn_trees()
    for tree in drawn_trees:
        yield paint(context(tree, width or _MAX_COLUMNS))
        yield from map(paint, tree_lines(tree, width))
        yield ""
    if others is not None:
        yield paint((Piece(f"{others} in this sentence", "faint"),))
        yield ""


def undrawn_matches(groups: Iterable[Group]) -> int:
    """Return the number of matches that are not drawn, because their sentences are long and have many matches."""
    sentences = [sentence for group in groups for sentence in group.sentences if sentence.matches]
    return sum(len(sentence.matches) - len(sentence.drawn_trees()[0]) for sentence in sentences)


def html(groups: Iterable[Group], title: str) -> str:
    return page(title, [_section(group) for group in groups])


def _section(group: Group) -> Section:
    about, source = group.compiled.metadata.about, group.compiled.definition.span
    text = group.compiled.module.source.text[source.start : source.end]
    entries = [Entry(format_position(sentence.location), *sentence.drawn_trees()) for sentence in group.sentences]
    return Section(group.title, about, text, group.counts, entries)


def drawings(groups: Iterable[Group]) -> Iterator[tuple[str, str]]:
    used_stems: set[str] = set()
    for index, group in enumerate(groups):
        name = group.compiled.name + ("" if group.left_out is None else f"-near{index + 1}")
        for sentence in group.sentences:
            stem = unique_stem(f"{name}-{sentence.location.source}-{sentence.location.number}", used_stems)
            for match, tree in enumerate(sentence.drawn_trees()[0], 1):
                yield f"{stem}-{match}.svg", svg(tree, f"{group.title}: {tree.text()}")


def unique_stem(label: str, used_stems: set[str]) -> str:
    """Return a label as the stem of a file name that is not in `used_stems`, and add it. Case is ignored."""
    stem = first_stem = re.sub(r"[^\w.-]", "_", label)
    number = 1
    while stem.casefold() in used_stems:
        number += 1
        stem = f"{first_stem}~{number}"
    used_stems.add(stem.casefold())
    return stem


def conllu(group: Group) -> Iterator[str]:
    left_out = [] if group.left_out is None else [f"# left_out = {group.left_out}"]
    for sentence in group.sentences:
        yield conllu_of(sentence, [f"# filter = {group.compiled.name}", *left_out])


def conllu_of(sentence: MatchedSentence, comments: Sequence[str]) -> str:
    """Return a sentence as imported. `comments` and a comment per match follow its own comments."""
    matches = (f"# match = {' '.join(f'{name}:{word}' for name, word in match.items())}" for match in sentence.matches)
    return conllu_with(sentence.block, (*comments, *matches))


def conllu_with(block: str, comments: Sequence[str]) -> str:
    line_end = "\r\n" if block.endswith("\r\n") else "\n"
    lines = block.split("\n")
    body_start = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    new_lines = "".join(f"{comment}{line_end}" for comment in comments)
    return "\n".join([*lines[:body_start], new_lines + "\n".join(lines[body_start:])])


def tsv(groups: Sequence[Group]) -> Iterator[str]:
    """Yield a header and a row per match, or per sentence without matches: id, form, UPOS and DEPREL of each name."""
    names = list(dict.fromkeys(name for group in groups for name in group.names))
    has_near_misses = any(group.left_out is not None for group in groups)
    header = ["filter", *(["left_out"] if has_near_misses else []), "source", "number", "sent_id"]
    header += [f"{name}{part}" for name in names for part in ("", ".form", ".upos", ".deprel")]
    yield _row([*header, "text"])
    for group in groups:
        for sentence in group.sentences:
            location = sentence.location
            first_cells = [group.compiled.name, *([group.left_out or ""] if has_near_misses else [])]
            first_cells += [location.source, str(location.number), location.sent_id or ""]
            tree = sentence.trees()[0]
            words, text = {word.id: word for word in tree.words}, tree.text()
            for match in sentence.matches or [{}]:
                cells: list[str] = []
                for name in names:
                    word = words.get(match.get(name, 0))
                    cells += [""] * 4 if word is None else [str(word.id), word.form, word.upos, word.deprel]
                yield _row([*first_cells, *cells, text])


def _row(cells: Sequence[str]) -> str:
    return "\t".join(re.sub(r"\s", " ", cell) for cell in cells)


def jsonl(group: Group) -> Iterator[str]:
    left_out = {} if group.left_out is None else {"left_out": group.left_out}
    for sentence in group.sentences:
        yield json.dumps({"filter": group.compiled.name, **left_out, **entry_of(sentence)})


def entry_of(sentence: MatchedSentence) -> dict[str, Any]:
    words = [
        {"id": word.id, "form": word.form, "upos": word.upos, "head": word.head, "deprel": word.deprel}
        | {"space_after": word.space}
        for word in sentence.trees()[0].words
    ]
    return {**sentence.location.record, "words": words, "matches": list(sentence.matches)}
