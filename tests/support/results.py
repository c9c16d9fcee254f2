"""Made-up results of a run for tests of the report; no model is trained."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

PARADIGMS = (
    # suite, paradigm, phenomenon, field, accuracy under full
    ("blimp", "distractor_agreement_relational_noun", "subject_verb_agreement", "morphology", 0.86),
    ("blimp", "regular_plural_subject_verb_agreement_1", "subject_verb_agreement", "morphology", 0.93),
    ("blimp", "determiner_noun_agreement_1", "determiner_noun_agreement", "morphology", 0.97),
    ("blimp", "anaphor_number_agreement", "anaphor_agreement", "morphology", 0.74),
    ("blimp", "existential_there_quantifiers_1", "quantifiers", "semantics", 0.9),
    ("blimp", "only_npi_scope", "npi_licensing", "syntax_semantics", 0.42),
)
TARGETS = {
    "agr-pp-mod": ("blimp/distractor_agreement_relational_noun",),
    "det-noun": ("blimp/determiner_noun_agreement_1",),
}
EFFECTS = {  # effect of filtering: (condition, paradigm) → points of accuracy
    ("agr-pp-mod", "distractor_agreement_relational_noun"): -0.3,
    ("det-noun", "determiner_noun_agreement_1"): -0.01,
}
CONDITIONS = ("full", "agr-pp-mod", "agr-pp-mod.random", "det-noun", "det-noun.random")
HOSTILE = '<script>alert("corpus")</script> & "quotes"'


@dataclass
class Fabricated:
    """The contents of made-up results; `write` writes them to a folder as a run does."""

    seeds: Sequence[int] = (1, 2, 3)
    models: Sequence[str] = ("lstm-128", "transformer-128")
    conditions: Sequence[str] = CONDITIONS
    paradigms: Sequence[tuple[str, str, str, str, float]] = PARADIGMS
    effects: Mapping[tuple[str, str], float] = field(default_factory=lambda: dict(EFFECTS))
    items: int = 60
    failed: Sequence[Mapping[str, Any]] = ()
    card: Mapping[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the four files of results into `folder` and return it."""
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(self.item_table(), folder / "items.parquet", write_page_checksum=True)
        pq.write_table(self.perplexity_table(), folder / "perplexity.parquet", write_page_checksum=True)
        conditions = [self.condition(name) for name in self.conditions]
        (folder / "conditions.json").write_text(json.dumps(conditions, ensure_ascii=False), encoding="utf-8")
        (folder / "run.json").write_text(json.dumps(self.run_card(), ensure_ascii=False), encoding="utf-8")
        return folder

    def cells(self) -> list[tuple[str, str, int]]:
        """Return every cell that has scores, the baseline last."""
        lost = {(f["condition"], f["model"], f["seed"]) for f in self.failed}
        cells = [(c, m, s) for c in self.conditions for m in self.models for s in self.seeds]
        return [cell for cell in cells if cell not in lost] + [("full", "unigram", -1)]

    def item_table(self) -> pa.Table:
        """Return pairs with fixed difficulties, so that models agree about them; the last pair is identical."""
        rows: list[dict[str, Any]] = []
        for number, (suite, paradigm, phenomenon, area, full) in enumerate(self.paradigms):
            rng = np.random.default_rng([number])
            ease = rng.normal(0, 1.5, self.items)
            for condition, model, seed in self.cells():
                noise = np.random.default_rng([number, abs(hash_of(condition, model)), seed + 1])
                accuracy = full + self.effects.get((condition, paradigm), 0.0) + noise.normal(0, 0.012)
                accuracy = 0.5 if model == "unigram" else min(max(accuracy, 0.02), 0.99)
                delta = ease + noise.normal(0, 0.6, self.items)
                delta = delta - np.quantile(delta, 1 - accuracy)
                for item in range(self.items):
                    identical = item == self.items - 1
                    tie = item == self.items - 2
                    good = round(-30 - float(rng.random()) + (0.0 if tie else float(delta[item])), 5)
                    rows.append(
                        {
                            "condition": condition,
                            "model": model,
                            "seed": seed,
                            "suite": suite,
                            "paradigm": paradigm,
                            "phenomenon": phenomenon,
                            "field": area,
                            "item": item,
                            "good": f"A made-up good sentence {item} of {paradigm} {HOSTILE if item == 0 else ''}.",
                            "bad": f"A made-up bad sentences {item} of {paradigm}.",
                            "score_good": None if identical else good,
                            "score_bad": None if identical else (good if tie else good - float(delta[item])),
                            "tokens_good": 8,
                            "tokens_bad": 8,
                            "unk_good": int(item % 10 == 0),
                            "unk_bad": int(identical),
                            "identical": identical,
                            "logprob_good": None if identical else good,
                            "logprob_bad": None if identical else (good if tie else good - float(delta[item])),
                            "scored_good": None if identical else 8,
                            "scored_bad": None if identical else 8,
                        }
                    )
        schema = pa.schema(
            [(n, pa.string()) for n in ("condition", "model")]
            + [("seed", pa.int32())]
            + [(n, pa.string()) for n in ("suite", "paradigm", "phenomenon", "field")]
            + [("item", pa.int32()), ("good", pa.string()), ("bad", pa.string())]
            + [("score_good", pa.float64()), ("score_bad", pa.float64())]
            + [(n, pa.int32()) for n in ("tokens_good", "tokens_bad", "unk_good", "unk_bad")]
            + [("identical", pa.bool_())]
            + [("logprob_good", pa.float64()), ("logprob_bad", pa.float64())]
            + [("scored_good", pa.int32()), ("scored_bad", pa.int32())]
        )
        return pa.Table.from_pylist(rows, schema)

    def perplexity_table(self) -> pa.Table:
        """Return perplexities of two texts; filtered corpora are slightly worse."""
        rows = []
        for condition, model, seed in self.cells():
            if model == "unigram":
                continue
            for text, base, tokens in (("valid", 4.5, 20_000), ("test", 4.6, 25_000)):
                loss = base + 0.01 * self.conditions.index(condition) + 0.003 * seed + 0.1 * model.startswith("t")
                row = {"condition": condition, "model": model, "seed": seed, "text": text}
                rows.append(row | {"nll": loss * tokens, "tokens": tokens})
        kinds = {"seed": pa.int32(), "nll": pa.float64(), "tokens": pa.int64()}
        names = ("condition", "model", "seed", "text", "nll", "tokens")
        schema = pa.schema([(column, kinds.get(column, pa.string())) for column in names])
        return pa.Table.from_pylist(rows, schema)

    def condition(self, name: str) -> dict[str, Any]:
        """Return a condition: `X` removes the matches of filter X, `X.random` is its control, `full` is everything."""
        base = name.removesuffix(".random")
        is_control = name.endswith(".random")
        removed = 0 if name == "full" else 954
        entry: dict[str, Any] = {
            "name": name,
            "kind": "full" if name == "full" else "remove-random" if is_control else "remove",
            "filters": [],
            "control_of": base if is_control else None,
            "sentences": 16_000,
            "words": 200_000 - 12 * removed,
            "tokens": 216_000 - 12 * removed,
            "removed_sentences": removed,
            "removed_words": 12 * removed,
            "unknown_rate": 0.031,
            "matched": {},
            "overlap": {"blimp": 2},
            "examples": [],
        }
        if entry["kind"] == "remove":
            entry["matched"] = {name: removed}
            entry["filters"] = [
                {
                    "name": name,
                    "key": f"{hash_of(name, 'key'):064x}",
                    "text": f"fict 1\n\nfilter {name} {{\n  match {{ V -[nsubj]-> S -[=nmod]-> M }}\n}}\n",
                    "about": f"What {name} is about, in a sentence.",
                    "source": "Patil et al. 2024",
                    "notes": ["A difference from the paper."],
                    "targets": list(TARGETS.get(name, ())),
                }
            ]
            entry["examples"] = [example(name, number) for number in range(5)]
        return entry

    def run_card(self) -> dict[str, Any]:
        """Return a run card with invented versions and times."""
        return {
            "name": "made-up",
            "description": "A fixture: no model was trained.",
            "seeds": list(self.seeds),
            "manifest": {"text": '[experiment]\nname = "made-up"\n', "sha256": "ab" * 32},
            "report": {"ties": "half", "confidence": 0.95, "examples": 12},
            "suites": {"blimp": "pairs"},
            "convention": {"probability": "causal", "normalise": "sum", "ties": "half", "dtype": "float32"},
            "tokenizer": {"kind": "word", "size": 8000},
            "models": [{"name": m, "preset": m, "parameters": 1_300_000} for m in self.models],
            "training": {"epochs": 2, "batch": 8},
            "versions": {"fictc": "0.0-fixture", "python": "3.x"},
            "hardware": {"cpu": "none", "threads": 1},
            "times": {"train": {"seconds": 12.5}},
            "failed": [dict(f) for f in self.failed],
        } | dict(self.card)


def example(name: str, number: int) -> dict[str, Any]:
    """Return a sentence with three bound words and one that must be escaped in markup."""
    words = ["The", "keys", "to", "the", "cabinet", HOSTILE if number == 0 else "rusty", "are", "here", "."]
    nodes = {1: "S", 4: "M", 6: "V"}
    return {
        "sent_id": f"made-up-{number}",
        "source": "fixture.conllu",
        "number": number + 1,
        "filter": name,
        "words": [
            {"form": form, "space_after": i < len(words) - 2, "node": nodes.get(i)} for i, form in enumerate(words)
        ],
    }


def hash_of(*parts: str) -> int:
    """Return a number from texts that is stable across processes."""
    import hashlib

    return int(hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:12], 16)
