"""The Pydantic model of a manifest: every key with its type, default and limits."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from runner.manifest.condition import Condition
from runner.manifest.corrupt import Corrupt
from runner.manifest.language_model import UNIGRAM, Model
from runner.model.training import Training
from runner.toml_tables import Name, Range, Seed, TomlTable

__all__ = ["UNIGRAM", "Manifest", "Scoring"]  # reports import the name of the baseline from here


class Experiment(TomlTable):
    """`[experiment]`: its name, and the seeds that every model is trained with on every condition."""

    name: Name
    description: str = ""
    seeds: tuple[Seed, ...] = Field(min_length=1, strict=False)

    @field_validator("seeds")
    @classmethod
    def _check_seeds(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if repeated := [seed for seed, count in Counter(seeds).items() if count > 1]:
            raise ValueError(f"seeds must be distinct, and {repeated[0]} is repeated")
        return seeds


class Sample(TomlTable):
    """`sample = {…}`: the embedded English sample instead of files; `path = "sample"` names its minimal pairs."""

    sentences: Annotated[int, Range(100, 10_000_000, "its lexicon is small")] = 20_000
    pairs: Annotated[int, Range(1, 100_000, "its lexicon is small")] = 200
    seed: Seed = 1


class Corpus(TomlTable):
    """`[corpus]`: the CoNLL-U files of each text, as paths, globs or folders."""

    train: tuple[str, ...] = Field((), strict=False)
    valid: tuple[str, ...] = Field((), strict=False)
    test: tuple[str, ...] = Field((), strict=False)
    sample: Sample | None = None

    @model_validator(mode="after")
    def _check_origin(self) -> Corpus:
        texts = [name for name in ("train", "valid", "test") if getattr(self, name)]
        if self.sample is not None and texts:
            raise ValueError(f"sample and {texts[0]} exclude each other; the sample has its own train, valid and test")
        if self.sample is None and not (self.train and self.valid):
            raise ValueError("train and valid are required, unless sample is set")
        return self


_COUNT = Range(1, 10**12, 'no corpus is larger; "smallest" is the size of the smallest condition')


def _check_count_type(count: object) -> object:
    """Report a wrong `count` once, rather than once for each of its types."""
    if isinstance(count, bool) or not (isinstance(count, int) or count == "smallest"):
        raise ValueError('it should be a whole number without quotation marks, or "smallest"')
    return count


class Size(TomlTable):
    """`[size]`: the common size of all conditions. Sampling is by hash priority, so conditions share sentences.

    With `redraw = "seed"`, the sample, random controls and injections are drawn anew for each seed of the experiment.
    """

    by: Literal["lines", "tokens"] = "lines"
    count: Annotated[int | Literal["smallest"], _COUNT, BeforeValidator(_check_count_type)] = "smallest"
    seed: Seed = 0
    redraw: Literal["none", "seed"] = "none"


class Tokenizer(TomlTable):
    """`[tokenizer]`: the tokenizer of all conditions, trained on the base corpus or loaded from a folder.

    `size` counts words or subwords without special tokens.
    """

    kind: Literal["word", "bpe", "saved"] = "word"
    size: Annotated[int, Range(1, 10_000_000, "every model has a row of weights for each")] = 50_000
    lowercase: bool = False
    split: Literal["regex", "ptb", "none"] = "regex"
    path: str | None = None

    @model_validator(mode="after")
    def _check_unused(self) -> Tokenizer:
        if (self.kind == "saved") != (self.path is not None):
            raise ValueError('path and kind = "saved" require each other')
        for name in ("size", "lowercase"):
            if self.kind == "saved" and name in self.model_fields_set:
                raise ValueError(f'{name} has no effect with kind = "saved"')
        if self.kind != "word" and "split" in self.model_fields_set:
            raise ValueError(f'split has no effect with kind = "{self.kind}"')
        if self.kind == "bpe" and self.size < 256:
            raise ValueError("size must be at least 256, the number of bytes")
        return self


class Scoring(TomlTable):
    """`scoring = {…}` of an evaluation: fields that override those of its convention."""

    probability: Literal["causal", "pll", "pll_l2r"] | None = None
    normalise: Literal["sum", "mean", "slor", "normlp", "penlp", "nce"] | None = None
    part: Literal["full", "one_prefix", "two_prefix"] | None = None
    tokenise: Literal["regex", "ptb", "none"] | None = None
    leading_space: Literal["yes", "no"] | None = None
    context: Literal["bos", "eos", "none", "as_trained"] | None = None
    first_token: Literal["scored", "skipped"] | None = None
    eos: Literal["scored", "skipped"] | None = None
    ties: Literal["half", "strict", "argmax"] | None = None
    dtype: Literal["float32", "bfloat16"] | None = None

    @property
    def overrides(self) -> dict[str, str]:
        """The fields that were set."""
        return self.model_dump(exclude_none=True)


UNKNOWN_WORDS_REMEDY = (
    '`kind = "bpe"` or a larger `size` in [tokenizer] avoids them, and `known-words = true` in [[evaluate]] counts '
    "only pairs without them"
)


class Evaluate(TomlTable):
    """`[[evaluate]]`: a suite at `path`, or the minimal pairs of the embedded sample.

    A suite is minimal pairs (BLiMP folder, .jsonl, .csv, AANN), WinoBias, SyntaxGym (.json or a folder), or sentences
    with ratings (.csv, or CoNLL-U with a comment `rating`). With `corrupt`, the path is a CoNLL-U file, and the pairs
    are its sentences and their corrupted versions. `parses` are CoNLL-U files with the sentences of minimal pairs: the
    report then gives the share of each paradigm's pairs that a filter matches. With `kind = "preference"`, the path is
    a .csv with a pair of alternants per row (columns `first` and `second`), and `covariates` are columns of numbers.
    With `known_words`, only minimal pairs without unknown words count.
    """

    name: Name
    path: str
    kind: Literal["preference"] | None = None
    covariates: tuple[str, ...] = Field((), strict=False)
    parses: tuple[str, ...] = Field((), strict=False)
    limit: Annotated[int, Range(1, 10**9, "no suite has more")] | None = None
    paradigms: tuple[str, ...] = Field((), strict=False)
    known_words: bool = False
    convention: str = "default"
    scoring: Scoring = Scoring()
    corrupt: Corrupt | None = None

    @model_validator(mode="after")
    def _check_unused(self) -> Evaluate:
        if self.covariates and self.kind is None:
            raise ValueError('covariates requires kind = "preference"')
        for name in ("corrupt", "parses", "paradigms", "known_words"):
            if self.kind is not None and name in self.model_fields_set:
                raise ValueError(f'{name.replace("_", "-")} and kind = "{self.kind}" exclude each other')
        for name in ("limit", "paradigms"):
            if self.corrupt is not None and name in self.model_fields_set:
                raise ValueError(f"{name} has no effect with corrupt; pairs in corrupt sets the number per operation")
        return self


CONFIDENCE = Range(0.5, 0.9999, "a few seeds say nothing about rarer events", least_open=True)


class Report(TomlTable):
    """`[report]`: how ties count, the confidence level of intervals, the number of examples, the margin of equivalence.

    An accuracy counts as held if the interval of its change lies within ±`equivalence` points.
    """

    ties: Literal["half", "strict", "argmax"] | None = None
    confidence: Annotated[float, CONFIDENCE] = 0.95
    examples: Annotated[int, Range(0, 1000, "one page has all of them")] = 12
    equivalence: Annotated[float, Range(0, 100, "accuracies are in points", least_open=True, most_open=True)] = 5.0


class Manifest(TomlTable):
    """An experiment. `lists` maps word lists of the filters to files whose words replace theirs."""

    experiment: Experiment
    corpus: Corpus
    size: Size = Size()
    lists: dict[str, str] = Field(default_factory=dict)
    condition: tuple[Condition, ...] = Field((), strict=False)
    tokenizer: Tokenizer = Tokenizer()
    model: tuple[Model, ...] = Field(min_length=1, strict=False)
    training: Training = Training()
    evaluate: tuple[Evaluate, ...] = Field((), strict=False)
    report: Report = Report()

    @model_validator(mode="after")
    def _check_tokenizer(self) -> Manifest:
        if self.tokenizer.kind != "saved" and any(model.origin and not model.is_branch for model in self.model):
            raise ValueError('a model with from requires its own tokenizer: kind = "saved"')
        return self
