"""Rewrite one sentence with the engine and with the interpreter, and compare words, heads, relations and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from fictdsl.compiler import CompiledRewrite, compile_text
from runner.corpus.rewrite import Rewritten, new_counts, rewrite_sentence
from runner.corpus.rewrite_actions import Candidate, SentenceSeed
from tests.support.rewriting.reference import Item, Outcome, rewrite
from tests.support.rewriting.spelling import TEXTUAL, Row
from tests.support.strategies.rewrites import make_rewrite, make_spelt_sentence
from tests.support.strategies.rng import Rng


@dataclass(frozen=True)
class Pair:
    """Some rewrites, the CoNLL-U of a sentence, and a seed."""

    text: str
    block: str
    seed: int

    @property
    def sentence_text(self) -> str:
        return next(line for line in self.block.split("\n") if line.startswith("# text = "))[len("# text = ") :]


def make_pair(rng: Rng) -> Pair:
    """Draw a pair; most have one rewrite."""
    items = [make_rewrite(rng, f"r{number}") for number in range(rng.pick([1, 1, 1, 2, 3]))]
    return Pair("\n".join(["fict 1", *items]), make_sentence(rng), rng.below(3))


def make_sentence(rng: Rng) -> str:
    """Draw a sentence; one in fifty may be long."""
    return make_spelt_sentence(rng, 50 if rng.often(2) else 9)


def compiled(pair: Pair) -> tuple[CompiledRewrite, ...]:
    compilation = compile_text(pair.text)
    assert not compilation.errors, [f"{each.code} {each.message}" for each in compilation.errors]
    return compilation.rewrites


def items_of(rewrites: tuple[CompiledRewrite, ...]) -> list[Item]:
    return [
        Item(each.name, each.definition, each.matching.value, each.matching.module, each.matching.names)
        for each in rewrites
    ]


def compare(pair: Pair, rewrites: tuple[CompiledRewrite, ...] | None = None) -> Counter[str]:
    """Compare the two on a pair. Return what was tried: actions of changed sentences, and what became of matches."""
    rewrites = compiled(pair) if rewrites is None else rewrites
    items = items_of(rewrites)
    expected = rewrite(items, pair.block, "source", 1, pair.seed)
    candidates = [
        Candidate(index, tuple(binding.get(name, 0) for name in item.names))
        for index, item in enumerate(items)
        for binding in item.bindings(pair.block)
    ]
    counts, sentence_seed = new_counts(rewrites), SentenceSeed(pair.seed, "source", 1)
    found = rewrite_sentence(pair.block, pair.sentence_text, rewrites, candidates, sentence_seed, counts)
    tried: Counter[str] = Counter()
    for each, count in zip(rewrites, counts.rewrites, strict=True):
        numbers = {"taken": count.taken, "overlapping": count.overlapping, "invalid": count.invalid}
        assert {name: expected.counts[each.name][name] for name in numbers} == numbers
        tried.update(numbers)
        if count.taken and found is not None:
            tried.update(_actions(each))
    not_inflected = sum(count.unknown_lemmas for count in counts.rewrites)
    assert expected.not_inflected == not_inflected
    tried["not inflected"] += not_inflected
    became = assert_equal(expected, found)
    tried.update([became, *(_features(pair) if became == "changed" else ())])
    return tried


def _actions(rewrite: CompiledRewrite) -> Iterator[str]:
    """Yield the actions of a rewrite, and each two of them in their order."""
    verbs = [action.split()[0] for action in rewrite.actions]
    yield from verbs
    yield from (f"{one}, then {other}" for one, other in combinations(verbs, 2))


def _features(pair: Pair) -> Iterator[str]:
    """Yield what is special about a pair."""
    lines = pair.block.split("\n")
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    tests = {
        "multiword token": any("-" in row[0] for row in rows),
        "empty node": any("." in row[0] for row in rows),
        "no space": "SpaceAfter=No" in pair.block,
        "other space": "  " in pair.sentence_text or "\u00a0" in pair.sentence_text,
        "long sentence": len(rows) > 20,
        "several rewrites": pair.text.count("rewrite ") > 1,
        "optional name": "maybe" in pair.text,
        "not ASCII": not pair.block.isascii(),
        "as-is": "as-is" in pair.text,
    }
    yield from (name for name, holds in tests.items() if holds)


def assert_equal(expected: Outcome, found: Rewritten | None) -> str:
    """Check that both give the same sentence. Return what became of it."""
    if found is None or found.spelling is None or isinstance(expected.result, str) or expected.result is None:
        became = "unchanged" if found is None else "dropped" if found.spelling is None else found.conllu
        assert became == (expected.result or "unchanged")
        return str(became)
    text, rows, tokens = parsed(str(found.conllu))
    assert found.text == text == expected.result.text
    assert rows == expected.result.rows
    assert tokens == expected.result.tokens
    assert found.spelling.undone == expected.result.undone
    return "changed"


def parsed(conllu: str) -> tuple[str, list[Row], list[tuple[int, int, str]]]:
    """Return the text, the rows without spacing, and the multiword tokens of a sentence."""
    rows: list[Row] = []
    tokens: list[tuple[int, int, str]] = []
    text = ""
    for line in conllu.split("\n"):
        if line.startswith("#"):
            text = line.removeprefix("# text = ") if line.startswith("# text = ") else text
            continue
        number, form, lemma, upos, xpos, feats, head, label, deps, misc = line.split("\t")
        assert deps == "_"
        if "-" in number:
            first, last = number.split("-")
            tokens.append((int(first), int(last), form))
            continue
        assert int(number) == len(rows) + 1
        entries = frozenset(entry for entry in misc.split("|") if entry.partition("=")[0] not in SPACING)
        rows.append((form, lemma, upos, xpos, frozenset(feats.split("|")) - {"_"}, int(head), label, entries))
    return text, rows, tokens


SPACING = {"SpaceAfter", "SpacesAfter", "SpacesBefore", "_"}
assert SPACING - {"_"} < TEXTUAL
ACTIONS = ("delete", "move", "swap", "insert", "set", "reverse", "order", "shuffle", "interleave")
COMBINATIONS = tuple(f"{one}, then {other}" for one in ACTIONS for other in ACTIONS)
FEATURES = (
    "multiword token", "empty node", "no space", "other space", "long sentence", "several rewrites", "optional name",
    "not ASCII", "as-is",
)  # fmt: skip
OUTCOMES = ("taken", "overlapping", "invalid", "changed", "unchanged", "dropped", "not inflected")
