"""One experiment as a typed value: every field of a manifest, with what it means and what it may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from runner.manifest.condition import Condition
from runner.manifest.corrupt import Corrupt
from runner.manifest.part import Name, Part

BASELINE = "unigram"  # what word frequencies are called among the models of a report
Share = Annotated[float, Field(ge=0, lt=1)]


class Experiment(Part):
    """`[experiment]`: what it is called and which seeds every cell is trained with."""

    name: Name
    description: str = ""
    seeds: tuple[Annotated[int, Field(ge=0, lt=2**31)], ...] = Field(min_length=1, strict=False)

    @model_validator(mode="after")
    def _distinct(self) -> Experiment:
        if len(set(self.seeds)) != len(self.seeds):
            raise ValueError("seeds must differ from one another")
        return self


class Sample(Part):
    """`sample = {…}`: the embedded English sample instead of files; it brings its own pairs, at `sample`."""

    sentences: int = Field(20_000, ge=100)
    pairs: int = Field(200, ge=1)
    seed: int = Field(1, ge=0)


class Corpus(Part):
    """`[corpus]`: where sentences come from. Sources are CoNLL-U files (globs and folders allowed)."""

    train: tuple[str, ...] = Field((), strict=False)
    valid: tuple[str, ...] = Field((), strict=False)
    test: tuple[str, ...] = Field((), strict=False)
    sample: Sample | None = None

    @model_validator(mode="after")
    def _one_origin(self) -> Corpus:
        given = [name for name in ("train", "valid", "test") if getattr(self, name)]
        if self.sample is not None and given:
            raise ValueError(f"sample stands alone; it brings its own train, valid and test, not {given[0]}")
        if self.sample is None and not (self.train and self.valid):
            raise ValueError("train and valid are required, unless sample is given")
        return self


class Size(Part):
    """`[size]`: the common size of every condition, by hash priority, so that conditions share sentences."""

    by: Literal["lines", "tokens"] = "lines"
    count: int | Literal["smallest"] = "smallest"
    seed: int = Field(0, ge=0)

    @model_validator(mode="after")
    def _positive(self) -> Size:
        if isinstance(self.count, int) and self.count < 1:
            raise ValueError('count must be at least 1, or "smallest"')
        return self


class Tokenizer(Part):
    """`[tokenizer]`: shared by all conditions; words or pieces of words of the base corpus, or one that was saved.

    `size` counts words or pieces, specials aside.
    """

    kind: Literal["word", "bpe", "saved"] = "word"
    size: int = Field(50_000, ge=1)
    lowercase: bool = False
    split: Literal["regex", "ptb", "none"] = "regex"
    path: str | None = None

    @model_validator(mode="after")
    def _settings_have_a_use(self) -> Tokenizer:
        if (self.kind == "saved") != (self.path is not None):
            raise ValueError('path names the folder of a tokenizer with kind = "saved", and of no other')
        for name in ("size", "lowercase"):
            if self.kind == "saved" and name in self.model_fields_set:
                raise ValueError(f"{name} is that of the saved tokenizer")
        if self.kind != "word" and "split" in self.model_fields_set:
            raise ValueError(f'split is of words, and kind is "{self.kind}"')
        if self.kind == "bpe" and self.size < 256:
            raise ValueError("size must be at least 256, which every byte-level vocabulary has")
        return self


class Training(Part):
    """`[training]`, or `training = {…}` of one model: how long and how. Unset fields come from the preset."""

    rows: Literal["sentence", "document", "packed"] | None = None
    epochs: float | None = Field(None, gt=0, strict=False)
    tokens: int | None = Field(None, ge=1)
    batch: int | None = Field(None, ge=1)
    block: int | None = Field(None, ge=2)
    learning_rate: float | None = Field(None, gt=0)
    schedule: Literal["constant", "linear", "cosine"] | None = None
    warmup: float | None = Field(None, ge=0, strict=False)
    weight_decay: float | None = Field(None, ge=0, strict=False)
    clip: float | None = Field(None, ge=0, strict=False)
    precision: Literal["float32", "bfloat16"] | None = None
    validations: int | None = Field(None, ge=1)
    betas: tuple[Share, Share] | None = Field(None, strict=False)
    epsilon: float | None = Field(None, gt=0)
    final_fraction: float | None = Field(None, ge=0, le=1, strict=False)
    accumulate: int | None = Field(None, ge=1)
    keep: Literal["best", "last"] | None = None
    patience: int | None = Field(None, ge=0)
    checkpoints: tuple[Annotated[int, Field(ge=1)], ...] | None = Field(None, strict=False)
    checkpoints_from: int | None = Field(None, ge=1)
    checkpoints_factor: float | None = Field(None, gt=1, strict=False)
    device: Literal["cpu", "cuda"] | None = None
    processes: int | None = Field(None, ge=1)
    mask_rate: float | None = Field(None, gt=0, lt=1)

    @model_validator(mode="after")
    def _one_length(self) -> Training:
        if self.epochs is not None and self.tokens is not None:
            raise ValueError("epochs and tokens exclude each other")
        return self

    @model_validator(mode="after")
    def _checkpoints_rise(self) -> Training:
        if self.checkpoints is not None and list(self.checkpoints) != sorted(set(self.checkpoints)):
            raise ValueError("checkpoints must rise")
        return self


class Model(Part):
    """`[[model]]`: a preset under a name, with its own training settings where they differ.

    `from` is the folder of a saved model that is trained further, in the way of the preset.
    """

    preset: str
    origin: str | None = Field(None, alias="from")
    name: Name | None = None
    training: Training = Training()

    @model_validator(mode="after")
    def _no_baseline(self) -> Model:
        if self.name == BASELINE:
            raise ValueError(f'"{BASELINE}" is the baseline, which is always there; choose another name')
        return self

    @property
    def label(self) -> str:
        """The name used in the matrix: `name`, or the preset's."""
        return self.name or self.preset


class Scoring(Part):
    """`scoring` of an evaluation: fields of its convention that differ from the preset."""

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
    def given(self) -> dict[str, str]:
        """What was set."""
        return self.model_dump(exclude_none=True)


class Evaluate(Part):
    """`[[evaluate]]`: a suite, which is what the files at `path` hold, or the pairs of the `sample`.

    Minimal pairs (BLiMP folder, .jsonl, .csv), WinoBias, SyntaxGym (.json or a folder), or sentences with ratings
    (.csv, or CoNLL-U with a comment `rating`). With `corrupt`, the path is a CoNLL-U file, and the pairs are its
    sentences and their corruptions. `parses` are trees of the sentences of minimal pairs (CoNLL-U): the report then
    says which share of a paradigm's pairs a filter would have found.
    """

    name: Name
    path: str
    parses: tuple[str, ...] = Field((), strict=False)
    limit: int | None = Field(None, ge=1)
    paradigms: tuple[str, ...] = Field((), strict=False)
    convention: str = "default"
    scoring: Scoring = Scoring()
    corrupt: Corrupt | None = None

    @model_validator(mode="after")
    def _settings_have_a_use(self) -> Evaluate:
        for name in ("limit", "paradigms"):
            if self.corrupt is not None and name in self.model_fields_set:
                raise ValueError(f"{name} does nothing beside corrupt, whose pairs says how many of each operation")
        return self


class Report(Part):
    """`[report]`: how accuracies are counted and how sure an interval is."""

    ties: Literal["half", "strict", "argmax"] | None = None
    confidence: float = Field(0.95, gt=0.5, lt=1)
    examples: int = Field(12, ge=0)


class Manifest(Part):
    """A whole experiment. `lists` maps names of word lists to the files whose words replace theirs in all filters."""

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
    def _own_tokenizers(self) -> Manifest:
        if self.tokenizer.kind != "saved" and any(model.origin for model in self.model):
            raise ValueError('a model that is trained further needs its own tokenizer: kind = "saved"')
        return self
