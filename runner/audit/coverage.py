"""Compute the share of a suite's items that each filter matches, from a store of its parsed sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from runner.corpus.sentence_texts import locate, normalized, sids_by_text
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from runner.corpus.store import Store
    from runner.score.suite_files import Pair, Suite


SIDES = {"good": ("good",), "bad": ("bad",), "either": ("good", "bad"), "both": ("good", "bad")}
COMMENTS = ("blimp::uid", "blimp::field", "blimp::side")  # of the trees of a suite


@dataclass(frozen=True, slots=True)
class Share:
    filter: str
    paradigm: str
    targets: tuple[str, ...]
    items: int
    matched: int
    unparsed: int
    which: tuple[int, ...] = ()  # the indices of matched items among the parsed ones
    phenomenon: str = ""

    @property
    def share(self) -> float | None:
        return self.matched / self.items if self.items else None


class _Item(NamedTuple):
    paradigm: str
    phenomenon: str
    trees: tuple[set[int] | None, ...]  # of each sentence that counts, the ids of its trees; None without a tree


def sentences(suite: Suite, side: str) -> list[str]:
    return list(dict.fromkeys(text for pair in suite.items for text in _texts(pair, side)))


def shares(suite: Suite | None, store: Store, filters: Sequence[CompiledFilter], side: str) -> list[Share]:
    """A share per filter and paradigm. One of the sentences into which the parser split a text must match (FICT818).

    Without a suite, the comments `COMMENTS` and the `sent_id` of each tree say which sentence it is.
    """
    from runner.corpus.matches import matching_sids

    paradigms: dict[str, list[_Item]] = {}
    for each in _items_of_trees(store, side) if suite is None else _items_of_suite(suite, store, side):
        paradigms.setdefault(each.paradigm, []).append(each)
    combine = all if side == "both" else any
    result = []
    for compiled in filters:
        sids = set(matching_sids(store, [compiled]).tolist())
        for paradigm, items in paradigms.items():
            parsed = [[trees for trees in item.trees if trees] for item in items if None not in item.trees]
            matched = (combine(not sids.isdisjoint(trees) for trees in item) for item in parsed)
            which = tuple(index for index, is_matched in enumerate(matched) if is_matched)
            phenomena = list(dict.fromkeys(item.phenomenon for item in items))
            names = {paradigm, *("".join(phenomenon.split()) for phenomenon in phenomena)}
            targets = tuple(target for target in compiled.metadata.targets if target.rpartition("/")[2] in names)
            counts = len(parsed), len(which), len(items) - len(parsed)
            result.append(Share(compiled.name, paradigm, targets, *counts, which, phenomena[0]))
    return result


def _items_of_suite(suite: Suite, store: Store, side: str) -> Iterator[_Item]:
    sids_of_texts = sids_by_text(store)
    found = {text: sids_of_texts.get(normalized(text)) for text in sentences(suite, side)}
    if not any(found.values()):
        raise InputError.of("FICT818", suite=suite.name, path=store.path)
    for pair in suite.items:
        yield _Item(pair.paradigm, pair.phenomenon, tuple(found[text] for text in _texts(pair, side)))


def _texts(pair: Pair, side: str) -> tuple[str, ...]:
    return tuple(pair.good if each == "good" else pair.bad for each in SIDES[side])


def _items_of_trees(store: Store, side: str) -> Iterator[_Item]:
    """Yield the items by phenomenon. The sentences of one have the same `sent_id` up to its last hyphen."""
    from runner.corpus.statistics import read_groups

    uids, phenomena, sides = (
        {sid: groups.names[index] for sid, index in zip(*groups.rows.to_pydict().values(), strict=True)}
        for groups in (read_groups(store, key) for key in COMMENTS)
    )
    items: dict[tuple[str, str, str], dict[str | None, set[int]]] = {}
    for sentence in locate(store, None):
        sid = sentence.sid
        if sid in uids and sentence.sent_id:
            key = phenomena.get(sid, ""), uids[sid], sentence.sent_id.rpartition("-")[0]
            items.setdefault(key, {}).setdefault(sides.get(sid), set()).add(sid)
    for (phenomenon, uid, _), trees in sorted(items.items(), key=lambda item: item[0]):
        yield _Item(uid, phenomenon, tuple(trees.get(each) for each in SIDES[side]))


def count_targets(shares: Iterable[Share]) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for share in shares:
        if share.targets:
            matched, items = sums.get(share.filter, (0, 0))
            sums[share.filter] = matched + share.matched, items + share.items
    return sums
