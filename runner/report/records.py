"""The records of a run that its results hold as JSON: conditions, placebos and the run card. Runs write them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict

from runner.conditions import KEYS
from runner.score.measures import Ties

CELLS = "cells.json"  # the cells of a run, in its folder
PLACEBOS = "placebos.json"
LARGE_SHARE = 0.5  # of the base corpus; above it, draws of different seeds share most sentences
# "given": the intervention is unknown, as in a table of results
KINDS = ("full", *KEYS, "given")
# the description of a condition that removes every match, and does nothing else
_WITHOUT_FILTERS = re.compile(r"without [^\s,;()]+((,| and|, and) [^\s,;()]+)*")


class ResultModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Filter(ResultModel):
    """A filter of a condition. `key` is the hash of its canonical form; `targets` are `suite/paradigm`."""

    name: str
    key: str
    text: str
    about: str | None = None
    source: str | None = None
    notes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()  # overridden word lists, with the SHA-256 of their files


class ExampleWord(ResultModel):
    form: str
    space_after: bool = True
    node: str | None = None  # the name to which it is bound


class Example(ResultModel):
    sent_id: str | None = None
    source: str
    number: int
    words: tuple[ExampleWord, ...]
    filter: str


def _check_kind(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"it should be one of {', '.join(KINDS)}")
    return kind


Kind: TypeAlias = Annotated[str, AfterValidator(_check_kind)]


class RewriteCount(ResultModel):
    name: str
    sentences: int  # with an applied match
    taken: int  # applied matches
    overlapping: int  # share words with an applied match
    invalid: int  # have an action that cannot be carried out
    unknown_lemmas: int = 0  # forms that were not inflected, because their lemmas are unknown


class RewrittenSentence(ResultModel):
    source: str
    number: int
    sent_id: str | None = None
    before: str
    after: str | None


class Stage(ResultModel):
    name: str
    tokens: int  # before the stage


class Redrawn(ResultModel):
    seed: int
    sentences: int
    words: int
    removed_sentences: int
    removed_words: int
    tokens: int


Interval: TypeAlias = tuple[float | None, float, float]  # an estimate, None if it is unknown, and its interval


class Audit(ResultModel):
    """What people's judgements of drawn sentences show of a filter, with 95 % intervals. `key` is that of the filter.

    `judged` of the drawn `sentences` are judged. Instances are sentences with the construction: `per_million` of them
    remain per million words of what the filter does not match, and `remaining` is their share of all.
    """

    filter: str
    key: str
    corpus: str
    sentences: int
    judged: int
    judges: int = 1
    kappa: float | None = None
    precision: Interval
    recall: Interval
    per_million: Interval
    remaining: Interval


class Exposure(ResultModel):
    """How often the words of a condition's target pairs occur in a training corpus, its own or a control's.

    `words` are the different words that the full corpus has. `vanished` are absent, and `halved` have less than half of
    their frequency. `examples` have the counts in the full corpus and here.
    """

    corpus: str
    words: int
    vanished: int
    halved: int
    pairs: int
    pairs_with_vanished: int
    examples: tuple[tuple[str, int, int], ...] = ()


class Condition(ResultModel):
    """A condition and its training corpus: the interventions, and the numbers of sentences, words and tokens.

    `what` describes the condition in one line; if it is empty, `kind` does. `edited_sentences`, `edited_units` (words,
    subtrees or spans) and `edited_words` are numbers of remaining sentences, units and words that were edited.
    `asked_tokens` were requested for injection; `injected_tokens` were injected, in whole sentences or documents, and
    replaced `replaced_tokens`. `targets` are `suite/paradigm`, in addition to those of the filters.
    """

    name: str
    kind: Kind
    what: str = ""
    filters: tuple[Filter, ...] = ()
    coverage: dict[str, tuple[int, int]] = {}  # by targeted paradigm: matched items, items with a tree
    control_of: str | None = None
    base_sentences: int | None = None  # of the corpus from which sentences were removed
    base_words: int | None = None
    sentences: int | None  # None if unknown
    words: int | None
    removed_sentences: int = 0
    removed_words: int = 0
    edited_sentences: int = 0
    edited_units: int = 0
    edited_words: int = 0
    asked_tokens: float | None = None
    injected_tokens: int | None = None
    injected_units: int | None = None
    injected_sentences: int | None = None
    injected_targets: int | None = None  # injected sentences that match a filter that selected the text
    replaced_tokens: int | None = None
    replaced_sentences: int | None = None
    tokens: int | None = None
    unknown_rate: float | None = None  # share of tokens outside the vocabulary
    audits: tuple[Audit, ...] = ()
    matched: dict[str, int] = {}  # number of matching sentences, by filter
    overlap: dict[str, int] = {}  # number of sentences that are also in the corpus, by suite
    by: str | None = None  # the quantity in which a random removal equals the other condition
    alpha: float | None = None  # share of words replaced by tags
    control: str | None = None  # the control that this condition names; others may name it too
    targets: tuple[str, ...] = ()
    fraction: float | None = None  # share of tokens requested for injection
    random_text: bool = False  # whether random text without a target is injected, from the same generator
    stages: tuple[Stage, ...] = ()
    redrawn: tuple[Redrawn, ...] = ()  # by seed, if `[size] redraw` is "seed"; other fields are those of the first seed
    examples: tuple[Example, ...] = ()
    rewrites: tuple[RewriteCount, ...] = ()
    rewritten: tuple[RewrittenSentence, ...] = ()  # examples
    exposure: tuple[Exposure, ...] = ()

    @property
    def removes_all_matches(self) -> bool:
        """Whether the intervention is only to remove all sentences that the filters match, as `what` describes it."""
        return self.kind == "remove" and (not self.what or _WITHOUT_FILTERS.fullmatch(self.what) is not None)

    def mean_tokens(self, seeds: Iterable[int] | None = None) -> float | None:
        by_seed = {entry.seed: entry.tokens for entry in self.redrawn}
        sizes = [by_seed.get(seed, self.tokens) for seed in (by_seed if seeds is None else seeds)]
        known = [size for size in sizes if size is not None]
        return math.fsum(known) / len(known) if known else self.tokens

    def mean_words(self) -> float | None:
        sizes = [entry.words for entry in self.redrawn]
        return math.fsum(sizes) / len(sizes) if sizes else self.words


def most_left(condition: Condition) -> int | None:
    """Return the most instances per million words that an audit leaves in a corpus without all matches, or None.

    Of several audited filters, it is that of the filter that may leave the most.
    """
    bounds = [audit.per_million[-1] for audit in condition.audits] if condition.removes_all_matches else []
    return math.ceil(max(bounds)) if bounds else None


def least_precision(condition: Condition) -> float | None:
    return min((value for audit in condition.audits if (value := audit.precision[0]) is not None), default=None)


class DrawScores(ResultModel):
    """The accuracies of a model by `suite/paradigm` (0–1, None if no pair is applicable), and its losses by text."""

    accuracies: dict[str, float | None]
    losses: dict[str, float]


class Draw(ResultModel):
    draw: int
    seed: int  # of the training of its models
    sentences: int
    words: int
    removed_sentences: int
    removed_words: int
    models: dict[str, DrawScores]


class Placebo(ResultModel):
    """A random removal that is drawn many times, as a control of `control_of`. Models are trained on each draw."""

    name: str
    control_of: str
    what: str = ""
    draws: tuple[Draw, ...]


class Failure(ResultModel):
    condition: str
    model: str
    seed: int
    error: str


class ManifestText(ResultModel):
    name: str = ""
    text: str = ""
    sha256: str = ""


class Options(ResultModel):
    ties: Ties | None = None  # None: as in the suite's convention
    confidence: float = 0.95
    examples: int = 12  # per filter
    equivalence: float = 5.0  # margin in percentage points within which an accuracy counts as held


class TrainedCell(ResultModel):
    """A cell with results. The values after `key` are unknown for results of other origin, or of an older cache."""

    condition: str = ""
    model: str = ""
    seed: int = 0
    name: str
    key: str | None
    parameters: int = 0
    steps: int | None = None
    tokens: int | None = None
    training_seconds: float | None = None
    scoring_seconds: float | None = None
    device: str = ""
    fictc: str = ""
    cpu: str = ""


class RunCard(ResultModel):
    """The metadata that is needed to check or repeat a run. `cells` are the finished ones of the `planned` cells."""

    name: str
    description: str = ""
    seeds: tuple[int, ...] = ()
    manifest: ManifestText = ManifestText()
    report: Options = Options()
    convention: dict[str, Any] = {}  # by suite; with both kinds of models, `masked` has that of masked models
    suites: dict[str, str] = {}  # kind by suite
    suite_hashes: dict[str, str] = {}
    command: str = ""
    tokenizer: dict[str, Any] = {}
    models: tuple[dict[str, Any], ...] = ()
    training: dict[str, Any] = {}
    sources: dict[str, tuple[tuple[str, str], ...]] = {}  # label and SHA-256 of each file, by text
    size: dict[str, Any] = {}
    lists: dict[str, Any] = {}
    versions: dict[str, Any] = {}
    hardware: dict[str, Any] = {}
    fictc: tuple[str, ...] = ()
    compute: dict[str, dict[str, Any]] = {}  # by model
    times: dict[str, Any] = {}
    planned: int = 0
    cells: tuple[TrainedCell, ...] = ()
    warnings: tuple[str, ...] = ()  # from planning and preparation, shown at the top
    failed: tuple[Failure, ...] = ()

    def ties(self, suite: str) -> Ties:
        """Return how ties of a suite count: by the option of the report or, by default, the suite's convention."""
        ties: Ties = self.report.ties or self.convention.get(suite, {}).get("ties", "half")
        return ties

    @property
    def masked(self) -> frozenset[str]:
        """The names of the known masked models. Their perplexities are not comparable with those of causal models."""
        return frozenset(str(model["name"]) for model in self.models if model.get("masked") and "name" in model)
