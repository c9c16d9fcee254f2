"""Rewrite one sentence with the engine and with the interpreter, and compare words, heads, relations and text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from fictdsl.compiler import CompiledRewrite, compile_text
from runner.corpus.rewriting.actions import Place
from runner.corpus.rewriting.apply import Rewritten, new_counts, rewrite_sentence
from runner.corpus.rewriting.take import Candidate
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
    return Pair("\n".join(["fict 1", *items]), make_spelt_sentence(rng), rng.below(3))


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
    counts, place = new_counts(rewrites), Place(pair.seed, "source", 1)
    found = rewrite_sentence(pair.block, pair.sentence_text, rewrites, candidates, place, counts)
    tried: Counter[str] = Counter()
    for each, count in zip(rewrites, counts.rewrites, strict=True):
        numbers = {"taken": count.taken, "overlapping": count.overlapping, "invalid": count.invalid}
        assert {name: expected.counts[each.name][name] for name in numbers} == numbers
        tried.update(numbers)
        if count.taken and found is not None:
            tried.update(action.split()[0] for action in each.actions)
    tried.update([assert_equal(expected, found)])
    return tried


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
OUTCOMES = ("taken", "overlapping", "invalid", "changed", "unchanged", "dropped")
