"""Which matches of a sentence are applied, and what their actions do."""

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from unicodedata import normalize

import numpy as np

from fictdsl.reference import sentences
from fictdsl.reference.evaluate import matches
from fictdsl.syntax import nodes
from fictdsl.syntax.load import Module
from tests.support.rewriting.spelling import Spelt, spell
from tests.support.rewriting.words import Tree, Unchangeable, Word, read_tree

Binding = dict[str, int]
nfc = partial(normalize, "NFC")  # of values that a function makes; copies are exact


@dataclass
class Item:
    """A rewrite, or a member of a family, with the names of its match in order of first mention."""

    name: str
    definition: nodes.RewriteDef
    value: str | None
    module: Module
    names: tuple[str, ...]

    def bindings(self, block: str) -> list[Binding]:
        rewrite = self.definition
        filter_ = nodes.FilterDef(rewrite.name, rewrite.family, (), rewrite.match, (), span=rewrite.span)
        (sentence,) = sentences.read(block)
        return [dict(match) for match in matches(self.module, filter_, self.value, sentence)]

    @property
    def of_sentence(self) -> bool:
        return any(target.kind == "sentence" for action in self.definition.actions for target in _targets(action))

    @property
    def as_is(self) -> set[str]:
        return {entry.kind for entry in self.definition.metadata if isinstance(entry, nodes.AsIs)}

    def bound(self, binding: Binding) -> list[tuple[int, nodes.Rewriting]]:
        """Return the actions whose names are bound, with their numbers."""
        return [
            (number, action)
            for number, action in enumerate(self.definition.actions, start=1)
            if all(name in binding for name in _named(action))
        ]

    def text(self, atom: nodes.Atom) -> str:
        return atom.text if isinstance(atom, nodes.Value) else str(self.value)


@dataclass
class Outcome:
    """A sentence after all rewrites: None if it is as before, "dropped", or the new one; with counts per rewrite."""

    result: Spelt | str | None
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    not_inflected: int = 0


def rewrite(items: list[Item], block: str, source: str, place: int, seed: int) -> Outcome:
    """Apply rewrites to the CoNLL-U of a sentence."""
    tree = read_tree(block, source, place)
    candidates = [(item, binding) for item in items for binding in item.bindings(block) if item.bound(binding)]
    order = {id(item): number for number, item in enumerate(items)}

    def key(candidate: tuple[Item, Binding]) -> tuple[object, ...]:
        item, binding = candidate
        first, last = _reach(item, binding, tree)
        ids = tuple(binding.get(name, 0) for name in item.names)
        return item.of_sentence, first, -last, order[id(item)], ids

    counts = {item.name: Counter[str]() for item in items}
    taken: list[tuple[Item, Binding]] = []
    result: Tree | None = None
    for item, binding in sorted(candidates, key=key):
        first, last = _reach(item, binding, tree)
        spans = [_reach(*other, tree) for other in taken]
        if any(first <= end and start <= last for start, end in spans):
            counts[item.name]["overlapping"] += 1
            continue
        try:
            result = _applied(tree, [*taken, (item, binding)], seed)
        except Unchangeable:
            counts[item.name]["invalid"] += 1
            continue
        taken.append((item, binding))
        counts[item.name]["taken"] += 1
    if result is None:
        return Outcome(None, counts)
    # A later candidate that was invalid has left `result` as it was.
    if not result.gone and _same(tree, result):
        return Outcome(None, counts, result.not_inflected)
    as_is = set().union(*(item.as_is for item, _ in taken))
    return Outcome("dropped" if result.gone else spell(result, as_is), counts, result.not_inflected)


def _same(old: Tree, new: Tree) -> bool:
    return [word.number for word in new.order] == [word.number for word in old.order] and all(
        one.columns == other.columns for one, other in zip(old.order, new.order, strict=True)
    )


def _applied(tree: Tree, chosen: list[tuple[Item, Binding]], seed: int) -> Tree:
    """Return a copy of the tree after the actions of all chosen matches."""
    changed = copy.deepcopy(tree)
    for item, binding in chosen:
        for number, action in item.bound(binding):
            _Action(changed, item, binding, number, seed).carry_out(action)
    _settle(changed)
    return changed


def _settle(tree: Tree) -> None:
    """Check the result: words, heads of inserted words, relations of and besides the root."""
    if tree.gone:
        return
    if not tree.order:
        raise Unchangeable
    if any(word.inserted and word.head is not None and word.head.deleted for word in tree.order):
        raise Unchangeable
    root = root_of(tree)
    for word in tree.order:
        if word.label_given and (word is root) != (word.columns[7] == "root"):
            raise Unchangeable


def head_left(tree: Tree, word: Word) -> Word | None:
    """Return the nearest head of a word that is not deleted; the new root for the other words without one."""
    head = word.head
    while head is not None and head.deleted:
        head = head.head
    if head is not None:
        return head
    root = root_of(tree)
    return None if word is root else root


def root_of(tree: Tree) -> Word:
    """Return the root: the first word in the file without a head that is no PUNCT, else the first."""

    def is_top(word: Word) -> bool:
        head = word.head
        while head is not None and head.deleted:
            head = head.head
        return head is None

    tops = [word for word in tree.all if not word.deleted and is_top(word)]
    return next((word for word in tops if not word.is_punct), tops[0])


# --- reach


def _targets(action: nodes.Rewriting) -> list[nodes.Target]:
    return [part for part in (getattr(action, name, None) for name in _TARGETS) if isinstance(part, nodes.Target)]


def _named(action: nodes.Rewriting) -> set[str]:
    names = {name.text for target in _targets(action) for name in target.nodes}
    if isinstance(action, nodes.Insert):
        names.add(action.head.text)
    if isinstance(action, nodes.Set):
        names.add(action.attribute.node.text)
        if isinstance(action.value, nodes.NodeAttribute):
            names.add(action.value.node.text)
        if isinstance(action.value, nodes.Function):
            names.add(action.value.argument.node.text)
    return names


_TARGETS = ("target", "other", "destination")


def _reach(item: Item, binding: Binding, tree: Tree) -> tuple[int, int]:
    numbers: set[int] = set()
    for _, action in item.bound(binding):
        for target in _targets(action):
            if target.kind == "sentence":
                return 1, len(tree.all)
            numbers |= {word.number for word in _fixed(target, binding, tree)}
        if isinstance(action, nodes.Insert):
            numbers.add(binding[action.head.text])
        if isinstance(action, nodes.Set):
            numbers.add(binding[action.attribute.node.text])
            if isinstance(action.value, nodes.NodeAttribute):
                numbers.add(binding[action.value.node.text])
            if isinstance(action.value, nodes.Function):
                numbers.add(binding[action.value.argument.node.text])
    return min(numbers), max(numbers)


def _fixed(target: nodes.Target, binding: Binding, tree: Tree) -> list[Word]:
    ids = [binding[name.text] for name in target.nodes]
    match target.kind:
        case "node":
            return [tree.word(ids[0])]
        case "span":
            return [tree.word(number) for number in range(min(ids), max(ids) + 1)]
        case "subtree":
            return tree.below(tree.word(ids[0]))
    return list(tree.all)


# --- actions


@dataclass
class _Action:
    tree: Tree
    item: Item
    binding: Binding
    number: int
    seed: int

    def words(self, target: nodes.Target) -> list[Word]:
        """Return the words of a target that are left, in their order."""
        fixed = _fixed(target, self.binding, self.tree)
        left = [word for word in self.tree.order if word in fixed]
        if not left:
            raise Unchangeable
        return left

    def node(self, name: nodes.Name) -> Word:
        return self.tree.word(self.binding[name.text])

    def chance(self, purpose: str, word: Word) -> int:
        key = [self.seed, purpose, self.item.name, self.number, self.tree.source, self.tree.place, word.number]
        return int(hashlib.blake2b(json.dumps(key).encode(), digest_size=8).hexdigest(), 16)

    def carry_out(self, action: nodes.Rewriting) -> None:
        tree = self.tree
        match action:
            case nodes.Delete(target=target):
                for word in self.words(target):
                    word.deleted = True
                    tree.order.remove(word)
                tree.gone = tree.gone or target.kind == "sentence"
            case nodes.Move(target=target, side=side, destination=destination):
                self._move(self.words(target), side, destination)
            case nodes.Swap(target=target, other=other):
                self._swap(self.words(target), self.words(other))
            case nodes.Insert():
                self._insert(action)
            case nodes.Set(attribute=attribute):
                word = self.node(attribute.node)
                if word.deleted:
                    raise Unchangeable
                self._set(word, attribute.attribute, action)
            case nodes.Reverse(target=target):
                words = self.words(target)
                self._fill(words, list(reversed(words)))
            case nodes.Interleave(target=target):
                words = self.words(target)
                even = [word for place, word in enumerate(words) if place % 2 == 0]
                self._fill(words, [*even, *(word for word in words if word not in even)])
            case nodes.Shuffle(target=target):
                words = self.words(target)
                self._fill(words, self._shuffled(words, action))
            case nodes.Order(target=target):
                words = self.words(target)
                tops = [word for word in words if head_left(tree, word) not in words]
                self._fill(words, [word for top in tops for word in self._ordered(top, words, action)])

    def _fill(self, words: list[Word], new: list[Word]) -> None:
        places = [self.tree.order.index(word) for word in words]
        for place, word in zip(places, new, strict=True):
            self.tree.order[place] = word

    def _move(self, words: list[Word], side: str, destination: nodes.Target) -> None:
        order = self.tree.order
        others = self.words(destination)
        if destination.kind != "sentence" and set(words) & set(others):
            raise Unchangeable
        rest = [word for word in order if word not in words]
        if destination.kind == "sentence":
            place = 0 if side == "before" else len(rest)
        elif side == "before":
            place = min(rest.index(word) for word in others)
        else:
            place = max(rest.index(word) for word in others) + 1
        self.tree.order = rest[:place] + words + rest[place:]

    def _swap(self, words: list[Word], others: list[Word]) -> None:
        if set(words) & set(others):
            raise Unchangeable
        groups: list[list[Word]] = []
        for word in self.tree.order:
            if word is words[0]:
                groups.append(others)
            elif word is others[0]:
                groups.append(words)
            elif word not in words and word not in others:
                groups.append([word])
        self.tree.order = [word for group in groups for word in group]

    def _insert(self, action: nodes.Insert) -> None:
        others = self.words(action.destination)
        head = self.node(action.head)
        form, label = self.item.text(action.word), self.item.text(action.label)
        columns = ["_", form, "_", "_", "_", "_", "_", label, "_", "_"]
        word = Word(len(self.tree.all) + 1, columns, head, inserted=True, form_in_file=form)
        parts = action.test.tests if isinstance(action.test, nodes.And) else [action.test] if action.test else []
        for part in parts:
            assert isinstance(part, nodes.Compare)
            value = part.values[0]
            absent = _is_absent(value, self.item.text(value), part.attribute)
            _write(word, part.attribute, None if absent else self.item.text(value))
        self.tree.all.append(word)
        order = self.tree.order
        place = order.index(others[0]) if action.side == "before" else order.index(others[-1]) + 1
        order.insert(place, word)

    def _set(self, word: Word, attribute: nodes.Attribute, action: nodes.Set) -> None:
        match action.value:
            case nodes.NodeAttribute(node=name, attribute=source):
                value = _read(self.node(name), source)
                _write(word, attribute, nfc(value.lower()) if value and source.lower else value)
            case nodes.Function(name="inflect", argument=argument, tag=tag):
                import lemminflect

                lemma = _read(self.node(argument.node), argument.attribute)
                forms = lemminflect.getInflection(lemma, tag.text, inflect_oov=False) if lemma and tag else ()
                if forms:
                    _write(word, attribute, _cased_as(word.form, forms[0]) if attribute.name == "form" else forms[0])
                else:
                    self.tree.not_inflected += 1
            case nodes.Function(name=function, argument=argument):
                value = _read(self.node(argument.node), argument.attribute)
                if value:
                    value = nfc(value.upper() if function == "upper" else value[0].upper() + value[1:])
                _write(word, attribute, value)
            case atom:
                absent = _is_absent(atom, self.item.text(atom), attribute) and attribute.name != "form"
                _write(word, attribute, None if absent else self.item.text(atom))

    def _shuffled(self, words: list[Word], action: nodes.Shuffle) -> list[Word]:
        if action.window is None and not action.by_length:
            return sorted(words, key=lambda word: self.chance("shuffle", word))
        size = action.window or len(words)
        shuffled: list[Word] = []
        for start in range(0, len(words), size):
            window = list(words[start : start + size])
            np.random.default_rng(self.seed).shuffle(window)  # type: ignore[arg-type]
            shuffled += window
        return shuffled

    def _ordered(self, head: Word, words: list[Word], action: nodes.Order) -> list[Word]:
        """Return the subtree of a head within `words`, in the new order."""
        below = [word for word in words if word is not head and head_left(self.tree, word) is head]
        blocks = {id(word): self._ordered(word, words, action) for word in below}
        sorted_ = [word for word in below if not word.is_punct]
        longest_first = action.descending or action.head_final
        if action.key == "chance":
            longest_first = self.chance("chance", head) % 2 == 1
        sorted_.sort(key=lambda word: (-1 if longest_first else 1) * sum(_weight(one) for one in blocks[id(word)]))
        line = [head if word is head else word for word in words if word is head or word in below]
        if action.head_final and sorted_:
            last = max(place for place, word in enumerate(line) if word in sorted_)
            tail = [word for word in line[last + 1 :] if word is not head]
            line = [*(word for word in line[: last + 1] if word is not head), head, *tail]
        following = iter(sorted_)
        placed = [next(following) if word in sorted_ else word for word in line]
        return [one for word in placed for one in ([head] if word is head else blocks[id(word)])]


def _weight(word: Word) -> int:
    return 1 if any(char.isalnum() for char in word.form) else 0


def _cased_as(old: str, new: str) -> str:
    """Return an inflected form with a capital, or in capitals, where the form that it replaces is so."""
    letters = [char for char in old if char.isalpha()]
    if not letters or not letters[0].isupper():
        return new
    if len(letters) > 1 and old.isupper():
        return new.upper()
    place = next(place for place, char in enumerate(new) if char.isalpha())
    return new[:place] + new[place].upper() + new[place + 1 :]


# --- columns

_PLACES = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "deprel": 7}


def _feature(attribute: nodes.Attribute) -> str:
    return attribute.name + (f"[{attribute.key}]" if attribute.key else "")


def _entries(column: str) -> dict[str, list[str]]:
    entries: dict[str, list[str]] = {}
    for entry in [] if column == "_" else column.split("|"):
        key, _, value = entry.partition("=")
        entries.setdefault(key, []).append(value)
    return entries


def _is_absent(value: nodes.Atom, text: str, attribute: nodes.Attribute) -> bool:
    """Return whether a value is `_`. In quotes it is a value of MISC, where the column of the entry can hold it."""
    is_value = isinstance(value, nodes.Value) and value.quoted and attribute.name == "misc"
    return text == "_" and not is_value


def _read(word: Word, attribute: nodes.Attribute) -> str | None:
    if attribute.name in _PLACES:
        value = word.columns[_PLACES[attribute.name]]
        return None if value == "_" and not (word.form == "_" and attribute.name in ("form", "lemma")) else value
    if attribute.name == "misc":  # without the white space around keys and values, as matches read it
        entries = (entry.partition("=") for entry in word.columns[9].split("|"))
        return next((value.strip() for key, _, value in entries if key.strip() == attribute.key), None)
    return (_entries(word.columns[5]).get(_feature(attribute)) or [None])[0]  # type: ignore[list-item]


def _write(word: Word, attribute: nodes.Attribute, value: str | None) -> None:
    if attribute.name in _PLACES:
        if attribute.name == "form" and not value:
            return
        word.columns = list(word.columns)
        word.columns[_PLACES[attribute.name]] = value or "_"
        word.label_given = word.label_given or attribute.name == "deprel"
        return
    place, key = (9, attribute.key or "") if attribute.name == "misc" else (5, _feature(attribute))
    entries = _entries(word.columns[place])
    entries.pop(key, None)
    if value is not None:
        entries[key] = [value.replace("|", "\\p")]
    if place == 5:
        entries = dict(sorted(entries.items(), key=lambda item: item[0].lower()))
    word.columns = list(word.columns)
    word.columns[place] = "|".join(f"{k}={v}" if v or k == key else k for k, vs in entries.items() for v in vs) or "_"
