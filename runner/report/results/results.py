"""The folder `results` of a run to typed values: what was scored, under which conditions, by what.

Written by the runner and by nothing else; the first, and the last four, where there is something in them:

`items.parquet`       condition, model, seed (int32; −1 and model `unigram` for the baseline), suite, paradigm,
                      phenomenon, field, item (int32), good, bad, score_good, score_bad (null: not applicable),
                      tokens_good, tokens_bad, unk_good, unk_bad, identical
`perplexity.parquet`  condition, model, seed, text, nll (sum, nats), tokens, frequencies (the nll by these alone)
`conditions.json`     a list of `Condition`
`run.json`            a `RunCard`
`curves.csv`          values at checkpoints, in long form: corpus, arch, seed, benchmark, metric, value, checkpoint
`ratings.parquet`     condition, model, seed, suite, item, sentence, rating, score, score_unigram (null: none)
`syntaxgym.parquet`   condition, model, seed, suite, phenomenon, paradigm, prediction (a formula), item, holds
`tokens.parquet`      condition, model, seed, suite, paradigm, item, side, place, token, logprob: of a few pairs
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.manifest.model import BASELINE
from runner.readers import parse_json
from runner.report.results.items import TEXTS, Paradigm, items_of, without_items
from runner.report.results.long_form import Row, read_long_form
from runner.report.results.predictions import Predicted, predicted_of
from runner.report.results.rated import Rated, rated_of
from runner.report.results.tokens import Tokens, tokens_of
from runner.score.statistics.inference import pearson
from runner.score.statistics.measures import Ties

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")


class Part(BaseModel):
    """Common rules: nothing changes after reading; keys that a later version adds are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Filter(Part):
    """A filter of a condition: `key` is the hash of its canonical form, `targets` are `suite/paradigm`."""

    name: str
    key: str
    text: str
    about: str | None = None
    source: str | None = None
    notes: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()  # word lists that replace its own, with the sha256 of their files


class ExampleWord(Part):
    """A word of an example sentence; `node` is the name it was bound to, if any."""

    form: str
    space_after: bool = True
    node: str | None = None


class Example(Part):
    """A sentence that a filter removed."""

    sent_id: str | None = None
    source: str
    number: int
    filter: str
    words: tuple[ExampleWord, ...]


Kind: TypeAlias = Literal[
    "full",
    "remove",
    "keep",
    "remove-random",
    "mask",
    "drop",
    "mask-random",
    "drop-random",
    "substitute",
    "order",
    "balance",
    "inject",
    "given",  # in a table of results, which does not say how it was made
]


class Stage(Part):
    """A stage of an ordered training corpus, and how many training tokens stand before it."""

    name: str
    tokens: int


class Condition(Part):
    """A training corpus: what was removed from the base corpus and what is left, in sentences and words.

    `what` says in a line what the condition is; where it is empty, `kind` says it. In `edited_sentences` of what is
    left words were masked or dropped, `edited_words` in `edited_units`: words, subtrees or spans. `asked_tokens` were
    to be injected, and `injected_tokens` were, whole sentences or documents, in the stead of `replaced_tokens`;
    a filter that chose the text matches `injected_targets` of its sentences. `targets` are `suite/paradigm`, beside
    those of its filters.
    """

    name: str
    kind: Kind
    what: str = ""
    filters: tuple[Filter, ...] = ()
    control_of: str | None = None
    sentences: int | None  # None: not known
    words: int | None
    tokens: int | None = None
    base_sentences: int | None = None  # of the corpus that sentences were removed from
    base_words: int | None = None
    removed_sentences: int = 0
    removed_words: int = 0
    edited_sentences: int = 0
    edited_units: int = 0
    edited_words: int = 0
    alpha: float | None = None  # the share of words that their tags stand for
    fraction: float | None = None  # of the tokens, that was to be injected
    random_text: bool = False  # injected from the generator of the others, about nothing in particular
    asked_tokens: float | None = None
    injected_tokens: int | None = None
    injected_units: int | None = None
    injected_sentences: int | None = None
    injected_targets: int | None = None
    replaced_tokens: int | None = None
    replaced_sentences: int | None = None
    unknown_rate: float | None = None
    matched: dict[str, int] = {}
    overlap: dict[str, int] = {}
    targets: tuple[str, ...] = ()
    coverage: dict[str, tuple[int, int]] = {}  # of a targeted paradigm: items that its filters match, all with a tree
    stages: tuple[Stage, ...] = ()
    examples: tuple[Example, ...] = ()


class Failure(Part):
    """A cell that has no scores, and why."""

    condition: str
    model: str
    seed: int
    error: str


class ManifestText(Part):
    """The manifest as it was run."""

    text: str = ""
    sha256: str = ""


class Options(Part):
    """How the report counts: ties (None: as a suite's convention has it), confidence, examples a filter."""

    ties: Ties | None = None
    confidence: float = 0.95
    examples: int = 12


class RunCard(BaseModel):
    """Everything that a reader needs to trust or repeat a run; keys not named here are shown as they stand."""

    model_config = ConfigDict(frozen=True, extra="allow")

    name: str
    description: str = ""
    seeds: tuple[int, ...] = ()
    manifest: ManifestText = ManifestText()
    report: Options = Options()
    convention: dict[str, Any] = {}  # by suite; in it as `masked` that of masked models, where there are both kinds
    suites: dict[str, str] = {}  # their kinds; runs before there were several have none
    tokenizer: dict[str, Any] = {}
    models: tuple[dict[str, Any], ...] = ()
    training: dict[str, Any] = {}
    versions: dict[str, Any] = {}
    hardware: dict[str, Any] = {}
    times: dict[str, Any] = {}
    failed: tuple[Failure, ...] = ()

    def ties(self, suite: str) -> Ties:
        """How two equal scores of a suite count: as the report asks, or as the convention it was scored by has it."""
        found: Ties = self.report.ties or self.convention.get(suite, {}).get("ties", "half")
        return found

    @property
    def masked(self) -> frozenset[str]:
        """The models that fill masks, as far as is known: their perplexities are of another kind than the others'."""
        return frozenset(str(model["name"]) for model in self.models if model.get("masked") and "name" in model)


@dataclass(frozen=True, slots=True)
class TextPerplexity:
    """One text under one cell: exp(loss), the mean of −ln p over `tokens` predicted tokens.

    `frequencies` is that mean where p are the words' frequencies in the training text; None where nobody says so.
    """

    condition: str
    model: str
    seed: int
    text: str
    loss: float
    tokens: int | None = None
    frequencies: float | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """The accuracy of one cell on a paradigm, 0–1, of which the pairs are not at hand."""

    suite: str
    paradigm: str
    condition: str
    model: str
    seed: int
    value: float


@dataclass(frozen=True, slots=True)
class Point:
    """A value of one cell after `at` training tokens (or steps).

    `metric` is `accuracy` or `delta` of a benchmark `suite/paradigm`, `ppl` or `loss` of a text.
    """

    condition: str
    model: str
    seed: int
    at: int
    benchmark: str
    metric: str
    value: float


@dataclass(frozen=True, slots=True)
class Results:
    """All of a run's results, checked to fit together."""

    paradigms: tuple[Paradigm, ...]
    perplexity: tuple[TextPerplexity, ...]
    conditions: tuple[Condition, ...]
    run: RunCard
    given: tuple[Given, ...] = ()
    points: tuple[Point, ...] = ()  # of trainings, between their beginnings and their ends
    deltas: tuple[Given, ...] = ()  # means of PΔ, of which the pairs are not at hand
    ratings: tuple[Given, ...] = ()  # Pearson's r of scores with ratings, by suite; no paradigm
    rated: tuple[Rated, ...] = ()  # the sentences and scores of these, where they are at hand
    predicted: tuple[Predicted, ...] = ()  # what stands behind `given` accuracies of SyntaxGym
    tokens: tuple[Tokens, ...] = ()  # of some corrupted pairs
    remarks: tuple[str, ...] = ()  # about what was read, to be told with the results

    @property
    def suites(self) -> tuple[str, ...]:
        """Names of the suites, in order of appearance."""
        return tuple(dict.fromkeys(paradigm.suite for paradigm in self.paradigms))

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models that have scores, as the run card orders them, the baseline left out."""
        seen = {cell.model for paradigm in self.paradigms for cell in paradigm.cells}
        seen |= {row.model for row in self.perplexity} | {point.model for point in self.points}
        seen |= {one.model for one in self.ratings}
        named = [str(model.get("name", "")) for model in self.run.models]
        known = [name for name in dict.fromkeys(named) if name in seen]
        return (*known, *sorted(seen - set(known) - {BASELINE}))

    def condition(self, name: str) -> Condition:
        """The condition called `name`."""
        return next(condition for condition in self.conditions if condition.name == name)


def read_results(folder: Path) -> Results:
    """Read `folder` (…/results); InputError FICT890–FICT892 where it is missing, broken or inconsistent."""
    if not folder.is_dir():
        raise InputError(diagnostic("FICT890", path=str(folder), what="folder of results"))
    conditions = _read_json(folder / "conditions.json", tuple[Condition, ...])
    run = _read_json(folder / "run.json", RunCard)
    items = folder / "items.parquet"
    asked = "pairs" in run.suites.values() if run.suites else bool(run.convention)  # else a run writes no items
    paradigms = items_of(read_table(items, dictionaries=TEXTS), str(items)) if asked or items.exists() else ()
    points = folder / "curves.csv"
    ratings, gym = folder / "ratings.parquet", folder / "syntaxgym.parquet"
    single = folder / "tokens.parquet"
    perplexity, infinite = _perplexities(folder / "perplexity.parquet")
    rated = rated_of(read_table(ratings), ratings) if ratings.exists() else ()
    predicted = predicted_of(read_table(gym), gym) if gym.exists() else ()
    results = with_tables(
        Results(
            (),
            perplexity,
            conditions,
            run,
            points=points_of(read_long_form(points, empty=True).rows) if points.exists() else (),
            tokens=tokens_of(read_table(single), single) if single.exists() else (),
            remarks=tuple(infinite),
        ),
        paradigms,
        rated,
        predicted,
    )
    _check(results)
    return results


def with_tables(
    results: Results, paradigms: tuple[Paradigm, ...], rated: tuple[Rated, ...], predicted: tuple[Predicted, ...]
) -> Results:
    """Results with what was scored: pairs, rated sentences, and predictions, whose accuracies are given as such."""
    return replace(
        results,
        paradigms=paradigms
        + tuple(without_items(one.suite, one.name, one.phenomenon, "", one.holds) for one in predicted),
        given=tuple(
            Given(one.suite, one.name, cell.condition, cell.model, cell.seed, sum(holds) / len(holds))
            for one in predicted
            for cell, holds in one.holds.items()
        ),
        ratings=tuple(
            Given(one.suite, "", cell.condition, cell.model, cell.seed, r)
            for one in rated
            for cell, scores in zip(one.cells, one.scores, strict=True)
            if (r := pearson(scores, one.ratings)) is not None
        ),
        rated=rated,
        predicted=predicted,
    )


def points_of(rows: Sequence[Row]) -> tuple[Point, ...]:
    """The rows of a table that were measured at a checkpoint."""
    return tuple(
        Point(row.corpus, row.arch, row.seed, row.checkpoint, row.benchmark, row.metric, row.value)
        for row in rows
        if row.seed is not None and row.checkpoint is not None
    )


def read_table(path: Path, dictionaries: Sequence[str] = ()) -> pa.Table:
    """A Parquet file, its page checksums verified; columns in `dictionaries` stay encoded, which saves memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError(diagnostic("FICT890", path=str(path), what="file of results"))
    try:
        return pq.read_table(path, page_checksum_verification=True, read_dictionary=list(dictionaries))
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise InputError(diagnostic("FICT891", path=str(path), reason=reason)) from error


def _read_json(path: Path, kind: type[T]) -> T:
    if not path.is_file():
        raise InputError(diagnostic("FICT890", path=str(path), what="file of results"))
    try:
        return TypeAdapter(kind).validate_python(parse_json(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the top level"
        reason = f"at {place}: {first['msg'].lower()}"
    except (ValueError, OSError) as error:
        reason = f"it is no JSON in UTF-8 ({error})"
    raise InputError(diagnostic("FICT891", path=str(path), reason=reason))


def _perplexities(path: Path) -> tuple[tuple[TextPerplexity, ...], list[str]]:
    """The texts under each cell, and remarks on those that are left out because a loss is not finite."""
    columns = ["condition", "model", "seed", "text", "nll", "tokens"]
    table = read_table(path)
    missing = [name for name in columns if name not in table.column_names]
    if missing:
        raise InputError(diagnostic("FICT891", path=str(path), reason=f"no column `{missing[0]}`"))
    rows = table.to_pylist()
    infinite: dict[str, list[str]] = {}
    found: list[TextPerplexity] = []
    for row in rows:
        condition, model, seed, text, nll, tokens = (row[name] for name in columns)
        if tokens is None or tokens < 1 or nll is None:
            reason = f"{text} has no tokens or no loss under {condition}/{model}/{seed}"
            raise InputError(diagnostic("FICT891", path=str(path), reason=reason))
        if math.isfinite(nll):
            alone = row.get("frequencies")
            mean = None if alone is None else alone / tokens
            found.append(TextPerplexity(condition, model, seed, text, nll / tokens, tokens, mean))
        else:
            infinite.setdefault(text, []).append(f"{condition}/{model}/{seed}")
    return tuple(found), [
        f"The loss of {text} is not finite under {', '.join(cells)}, and is left out."
        for text, cells in infinite.items()
    ]


def _check(results: Results) -> None:
    names = [condition.name for condition in results.conditions]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(diagnostic("FICT892", reason=f"condition {twice} is described twice"))
    if sum(condition.kind == "full" for condition in results.conditions) > 1:
        raise InputError(diagnostic("FICT892", reason="two conditions are of kind full"))
    for condition in results.conditions:
        if condition.control_of is not None and condition.control_of not in names:
            reason = f"{condition.name} is a control of {condition.control_of}, which is not described"
            raise InputError(diagnostic("FICT892", reason=reason))
    used = {cell.condition for p in results.paradigms for cell in p.cells if cell.model != BASELINE}
    used |= {row.condition for row in results.perplexity}
    used |= {cell.condition for rated in results.rated for cell in rated.cells}
    unknown = sorted(used - set(names))
    if unknown:
        raise InputError(diagnostic("FICT892", reason=f"scores of condition {unknown[0]}, which is not described"))
