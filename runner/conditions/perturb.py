"""`perturb = {…}`: every sentence permuted, or with markers that hop away from the verb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from pydantic import Field, model_validator

from runner.conditions.condition import Condition
from runner.conditions.intervention import Key, SentenceEdit
from runner.conditions.perturbation import (
    HOP_DISTANCE,
    PLURAL,
    REVERSALS,
    REVERSED,
    SINGULAR,
    UNSEEDED,
    IncompletePolicy,
    PermutationKind,
    PerturbationKind,
    RowChange,
    RowSeed,
    Unit,
    Word,
    hop,
    hop_tokens,
    reordered,
    reversed_row,
)
from runner.toml_tables import Range, Seed, TomlTable

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Edit, Trees
    from runner.corpus.rewrite import Rewritten
    from runner.corpus.store import Store


_UNITS = Range(0, 10**8, "no sentence has more units")


class Perturbation(TomlTable):
    """`perturb = {…}`: a perturbation of every sentence, in words before encoding or in tokens after it.

    Sentences whose number of units is not within `lengths` are omitted. `control` names a condition with which this
    one is compared; several conditions may have the same.
    """

    kind: PerturbationKind
    unit: Literal["word", "token"] = "word"
    seed: Seed = 0
    window: Annotated[int, replace(_UNITS, least=2)] | None = None
    distance: Annotated[int, _UNITS] | None = None
    incomplete: IncompletePolicy | None = None
    lengths: tuple[Annotated[int, _UNITS], Annotated[int, _UNITS]] | None = Field(None, strict=False)
    also: tuple[Literal["valid", "test"], ...] = Field((), strict=False)
    control: str | None = None

    @model_validator(mode="after")
    def _check_combinations(self) -> Perturbation:
        if (self.kind == "shuffle-local") != (self.window is not None):
            raise ValueError('kind = "shuffle-local" and window require each other')
        for name in ("distance", "incomplete"):
            if self.kind != "hop" and getattr(self, name) is not None:
                raise ValueError(f'{name} requires kind = "hop"')
        if self.kind in UNSEEDED and "seed" in self.model_fields_set:
            raise ValueError(f'seed has no effect with kind = "{self.kind}", which is not random')
        if self.lengths is not None and self.lengths[0] > self.lengths[1]:
            raise ValueError("lengths are the smallest and the largest number of units")
        return self

    @property
    def hop_distance(self) -> int:
        return HOP_DISTANCE if self.distance is None else self.distance

    @property
    def edits_text(self) -> bool:
        return self.unit == "word" or self.kind == "hop"

    @property
    def markers(self) -> tuple[str, ...]:
        return (SINGULAR, PLURAL) if self.kind == "hop" else (REVERSED,) if self.kind in REVERSALS else ()

    @property
    def content(self) -> dict[str, Any]:
        content = self.model_dump(mode="json", exclude={"also", "control"}, exclude_none=True)
        is_hop = self.kind == "hop"
        return content | ({"distance": self.hop_distance, "incomplete": self.incomplete or "drop"} if is_hop else {})

    def text(self, words: Sequence[Word], row_seed: RowSeed) -> str | None:
        if self.unit == "word" and not self._has_length(len(words)):
            return None
        if self.kind != "hop":
            return " ".join(self._permuted([word.text for word in words], row_seed, REVERSED))
        hopped = hop(words, self.hop_distance, self.incomplete or "drop")
        return hopped if self.unit == "word" or hopped is None else hop(words, 0, "end")

    def _permuted(self, row: Sequence[Unit], row_seed: RowSeed, marker: Unit) -> list[Unit]:
        if self.kind in REVERSALS:
            return reversed_row(row, self.kind, row_seed, marker)
        return reordered(row, cast("PermutationKind", self.kind), row_seed, self.window)

    def _has_length(self, unit_count: int) -> bool:
        return self.lengths is None or self.lengths[0] <= unit_count <= self.lengths[1]

    def row_change(self, tokenizer: PreTrainedTokenizerBase) -> RowChange:
        ids = [int(number) for number in cast("list[int]", tokenizer.convert_tokens_to_ids(list(self.markers)))]

        @lru_cache(65_536)
        def has_letter_or_digit(token: int) -> bool:
            return any(map(str.isalnum, str(tokenizer.decode([token]))))

        def change(source: str, number: int, row: Sequence[int]) -> list[int] | None:
            row_seed = RowSeed(self.seed, source, number)
            if self.kind != "hop":
                return self._permuted(row, row_seed, ids[0] if ids else -1) if self._has_length(len(row)) else None
            if not self._has_length(len(row) - sum(token in ids for token in row)):
                return None
            return hop_tokens(row, frozenset(ids), self.hop_distance, [has_letter_or_digit(token) for token in row])

        return change


class Perturb(SentenceEdit[Perturbation]):
    key = "perturb"
    usage = 'perturb = { kind = "shuffle" }'
    doc = "with every sentence shuffled, reversed or marked with hopping number markers: an impossible language"
    value = Key(Perturbation | None)
    controls = ("perturb",)

    def control(self, value: Perturbation) -> tuple[str, ...] | None:
        return None if value.control is None else (self.key, "control", value.control)

    def facts(self, condition: Condition) -> dict[str, Any]:
        control = self.of(condition).control
        return {} if control is None else {"control": control}

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        raw = condition.values[self.key]
        if (
            "inject" in condition.values
            and isinstance(raw, dict)
            and (raw.get("unit") != "token" or raw.get("kind") == "hop")
        ):
            reason = 'injected text has no trees; perturb it with unit = "token" and a kind other than "hop"'
            yield condition.problem("FICT604", self.key, key=f"condition.{self.key}", reason=reason)

    def content(self, condition: Condition) -> dict[str, Any]:
        settings = self.of(condition)
        if not settings.edits_text:
            return {}
        content = settings.content
        if settings.unit == "token":  # the distance applies after encoding
            content = {name: content[name] for name in ("kind", "unit", "incomplete")}
        return {"perturb": content}

    def row_change_content(self, condition: Condition) -> dict[str, Any]:
        settings = self.of(condition)
        return {"perturb": settings.content} if settings.unit == "token" else {}

    def row_change(self, condition: Condition, tokenizer: PreTrainedTokenizerBase) -> RowChange | None:
        settings = self.of(condition)
        return settings.row_change(tokenizer) if settings.unit == "token" else None

    def edited_texts(self, condition: Condition) -> tuple[str, ...]:
        return self.of(condition).also

    def describe(self, condition: Condition) -> str:
        settings = self.of(condition)
        window = f", window {settings.window}" if settings.window else ""
        distance = f", distance {settings.hop_distance}" if settings.kind == "hop" else ""
        return f"every sentence perturbed ({settings.kind}, unit {settings.unit}{window}{distance})"

    def added_tokens(self, condition: Condition) -> Mapping[str, Set[str]]:
        return {"masks": set(self.of(condition).markers)}

    def edits_of_trees(self, condition: Condition, store: Store, trees: Trees, with_originals: bool) -> Iterator[Edit]:
        return perturbed_texts(store, self.of(condition), trees, with_originals)


def perturbed_texts(
    store: Store, perturbation: Perturbation, trees: Trees = (), with_originals: bool = False
) -> Iterator[Edit]:
    """Yield every sentence of a store with its perturbed text, or None if it is omitted.

    `trees` are those of sentences that were rewritten before. If `with_originals`, the edit of such a sentence also
    has the perturbed original. If one of the two is omitted, the edit has only the other.
    """
    from runner.corpus.sentence_arrays import read_sentences
    from runner.corpus.sentence_texts import conllu_blocks

    sentences = read_sentences(store)
    for sid, (block, rewritten) in enumerate(_with_trees(conllu_blocks(store), trees)):
        row_seed = RowSeed(perturbation.seed, sentences.sources[sid], sentences.numbers[sid])
        original = _edit(sid, block, perturbation, row_seed)
        edit = original if rewritten is None else _edit(sid, rewritten.conllu, perturbation, row_seed)
        if rewritten is None or (with_originals and edit.text is None):
            yield original
        else:
            kept = original.text if with_originals else None
            yield replace(edit, removed=original.words - edit.words, original=kept)


def _with_trees(blocks: Iterable[str], trees: Trees) -> Iterator[tuple[str, Rewritten | None]]:
    remaining = iter(trees)
    next_tree = next(remaining, None)
    for sid, block in enumerate(blocks):
        if next_tree is None or next_tree[0] != sid:
            yield block, None
        else:
            yield block, next_tree[1]
            next_tree = next(remaining, None)


def _edit(sid: int, block: str | None, perturbation: Perturbation, row_seed: RowSeed) -> Edit:
    """If a rewrite has dropped the sentence, `block` and the text are None."""
    from runner.conditions.edits import Edit

    if block is None:
        return Edit(sid, None, 1, 0, 0)
    words = _words(block, perturbation.kind == "hop")
    return Edit(sid, perturbation.text(words, row_seed), 1, len(words), 0)


def _words(block: str, with_markers: bool) -> list[Word]:
    lines = (line.removesuffix("\r").split("\t") for line in block.split("\n"))
    rows = [row for row in lines if row[0].isdecimal()]
    return [Word.of(row[1], row[2], row[5]) if with_markers else Word(row[1]) for row in rows]


INTERVENTION = Perturb()
