"""The kind of suite of SyntaxGym: the surprisal of each region, and how often each prediction holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.readers import parse_json, read_text
from runner.score.convention import Convention
from runner.score.formulas import Formula, Region, parse_formula
from runner.score.measures import mean
from runner.score.pair_matrices import Paradigm, Score, without_items
from runner.score.score_table import Total, table_of
from runner.score.sentence_scores import Prepared, Tokens, encode
from runner.score.suite_files import check_no_paradigms, suite_files, suite_text
from runner.score.suite_kind import LABELS, Answer, Matrix, OpenOptions, PrepareOptions, Scores, SuiteKind, Usage
from runner.score.word_surprisals import join_regions, span_surprisals
from runner.workspace import write_text

if TYPE_CHECKING:
    import pyarrow as pa


PREDICTIONS = "predictions"  # key of SyntaxGym's JSON and of the table's metadata


@dataclass(frozen=True, slots=True)
class Sentence:
    suite: str
    item: int
    condition: str
    region_numbers: tuple[int, ...]
    contents: tuple[str, ...]

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.contents))


@dataclass(frozen=True)
class SyntaxGym:
    name: str
    sentences: list[Sentence]
    predictions: Mapping[str, tuple[Formula, ...]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a prediction holds for an item, or None if a surprisal is missing; `name` may have its number."""

    suite: str
    name: str
    prediction: str
    item: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The share of applicable items for which a prediction holds: those with all surprisals that it uses."""

    suite: str
    prediction: str
    accuracy: float | None
    items: int
    applicable: int


def load_syntaxgym(
    path: Path, name: str | None = None, *, limit: int | None = None, is_complete: bool = True
) -> SyntaxGym:
    """Read one suite or a folder; unless `is_complete`, items may lack regions. Raises InputError (FICT811)."""
    files = suite_files(path, (".json",))
    sentences: list[Sentence] = []
    predictions: dict[str, tuple[Formula, ...]] = {}
    files_by_title: dict[str, Path] = {}
    for file in files:
        try:
            content = parse_json(suite_text(file))
            title = str(content.get("meta", {}).get("name") or file.stem)
            all_sentences = _sentences(title, content["items"])
            formulas = tuple(_formula(str(prediction["formula"])) for prediction in content[PREDICTIONS])
            if not formulas:
                raise ValueError("it contains no prediction")
            if is_complete:
                _check_regions(formulas, all_sentences)
            sentences += all_sentences if limit is None else _sentences(title, content["items"][:limit])
            if (other := files_by_title.setdefault(title, file)) is not file:
                raise ValueError(f"its suite and that of {other.name} are both named {title}; names must be unique")
        except KeyError as error:
            raise InputError.of("FICT811", path=file, reason=f"{error} is missing") from error
        except ValueError as error:
            raise InputError.of("FICT811", path=file, reason=str(error)) from error
        except (TypeError, AttributeError) as error:
            reason = "it does not have the structure of a SyntaxGym suite"
            raise InputError.of("FICT811", path=file, reason=reason) from error
        predictions[title] = formulas
    return SyntaxGym(name or path.stem, sentences, predictions)


def _sentences(suite: str, items: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    sentences = [sentence for item in items for sentence in _item_sentences(suite, item)]
    if not any(sentence.region_numbers for sentence in sentences):
        raise ValueError("it contains no sentence")
    names = [f"item {int(item['item_number'])}" for item in items]
    conditions = [f"the condition `{sentence.condition}` of item {sentence.item}" for sentence in sentences]
    regions = zip(conditions, (sentence.region_numbers for sentence in sentences), strict=True)
    names += [*conditions, *(f"region {number} of {name}" for name, numbers in regions for number in numbers)]
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{name} occurs twice")
        seen.add(name)
    return sentences


def _parse_number(value: Any) -> int:
    if isinstance(value, float) and not value.is_integer():
        raise ValueError(f"the number {value} is not an integer")
    number = int(value)
    if not 0 <= number < 2**31:
        raise ValueError(f"the number {number} is not between 0 and 2,147,483,647")
    return number


def _item_sentences(suite: str, item: Mapping[str, Any]) -> Iterator[Sentence]:
    for condition in item["conditions"]:
        regions = condition["regions"]
        numbers = tuple(_parse_number(region["region_number"]) for region in regions)
        contents = tuple(map(_content, regions))
        yield Sentence(suite, _parse_number(item["item_number"]), str(condition["condition_name"]), numbers, contents)


def _content(region: Mapping[str, Any]) -> str:
    content = region["content"]
    if not isinstance(content, str):
        raise ValueError(f"the content of region {region['region_number']} is not a string")
    return content.strip()


def _formula(text: str) -> Formula:
    try:
        formula = parse_formula(text)
    except ValueError as error:
        raise ValueError(f"{error}, in {text}") from error
    if not isinstance(formula.evaluate(dict.fromkeys(formula.regions, 0.0)), bool):
        raise ValueError(f"{text} compares nothing, so it is no prediction")
    return formula


def _check_regions(formulas: Sequence[Formula], sentences: Sequence[Sentence]) -> None:
    known = {(number, sentence.condition) for sentence in sentences for number in (*sentence.region_numbers, None)}
    for formula in formulas:
        for number, condition in formula.regions:
            if (number, condition) not in known:
                region = "*" if number is None else number
                raise ValueError(f"no item has region {region} of the condition `{condition}`, in {formula.text}")


_REGION_TYPES = {
    "suite": "string", "item": "int32", "condition": "string", "region": "int32", "content": "string",
    "surprisal": "float64", "tokens": "int32", "unk": "int32",
}  # fmt: skip


def judgements(table: pa.Table) -> Iterator[Judgement]:
    surprisals: dict[str, dict[int, dict[Region, float | None]]] = {}
    for row in table.select(["suite", "item", "condition", "region", "surprisal"]).to_pylist():
        item_surprisals = surprisals.setdefault(row["suite"], {}).setdefault(row["item"], {})
        item_surprisals[row["region"], row["condition"]] = row["surprisal"]
        total, surprisal = item_surprisals.get((None, row["condition"]), 0.0), row["surprisal"]
        item_surprisals[None, row["condition"]] = None if total is None or surprisal is None else total + surprisal
    for suite, formulas in parse_json(table.schema.metadata[PREDICTIONS.encode()]).items():
        for prediction_number, formula in enumerate(map(parse_formula, formulas), 1):
            name = f"{suite}.{prediction_number}" if len(formulas) > 1 else suite
            for item_number, item_surprisals in surprisals.get(suite, {}).items():
                is_applicable = set(formula.regions) <= set(item_surprisals)
                value = formula.evaluate(item_surprisals) if is_applicable else None
                yield Judgement(suite, name, formula.text, item_number, None if value is None else bool(value))


def outcomes(table: pa.Table) -> list[Outcome]:
    by_prediction: dict[str, list[Judgement]] = {}
    for judgement in judgements(table):
        by_prediction.setdefault(judgement.name, []).append(judgement)
    rows = []
    for group in by_prediction.values():
        known = [judgement.holds for judgement in group if judgement.holds is not None]
        accuracy = sum(known) / len(known) if known else None
        rows.append(Outcome(group[0].suite, group[0].prediction, accuracy, len(group), len(known)))
    return rows


@dataclass(frozen=True, slots=True)
class Prediction(Matrix):
    """The prediction `name`. `holds` lists, by cell, whether it holds for each item with known surprisals."""

    untested = "Predictions of SyntaxGym"
    suite: str
    name: str
    phenomenon: str
    formula: str
    items: set[int] = field(default_factory=set)
    holds: dict[Score, list[bool]] = field(default_factory=dict)

    @property
    def scored(self) -> Sequence[Score]:
        return tuple(self.holds)

    def paradigm(self) -> Paradigm:
        return without_items(self.suite, self.name, self.phenomenon, "", self.holds)

    def accuracies(self) -> Mapping[Score, float]:
        return {cell: sum(holds) / len(holds) for cell, holds in self.holds.items()}

    def item_counts(self) -> Mapping[tuple[str, str], tuple[int, int]]:
        applicable: dict[tuple[str, str], int] = {}
        for cell, holds in self.holds.items():
            key = cell.condition, cell.model
            applicable[key] = min(applicable.get(key, len(holds)), len(holds))
        return {key: (len(self.items), count) for key, count in applicable.items()}


_MEMBER = re.compile(r'^\s*"predictions"\s*:', re.MULTILINE)


_PREDICTION_TYPES = {
    "phenomenon": "string", "paradigm": "string", "prediction": "string", "item": "int32", "holds": "bool",
}  # fmt: skip


class SyntaxGymKind(SuiteKind[SyntaxGym]):
    name, title = "syntaxgym", "a suite of SyntaxGym"
    usage = Usage(
        "SyntaxGym",
        "a suite in .json, or a folder of them",
        "For SyntaxGym, accuracy is the share of items for which a prediction holds.",
    )
    suite, matrix = SyntaxGym, Prediction
    file, results, metadata = "syntaxgym", "syntaxgym.parquet", (PREDICTIONS,)
    columns = tuple(_PREDICTION_TYPES)

    def claims(self, path: Path) -> bool:
        if path.suffix.lower() != ".json":
            return False
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError):
            return False  # left to the reader of pairs
        try:
            content = parse_json(text)
        except ValueError:
            return _MEMBER.search(text) is not None  # otherwise JSON lines, left to the reader of pairs
        return isinstance(content, dict) and PREDICTIONS in content

    def open(self, path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> SyntaxGym:
        suite = load_syntaxgym(path, name, limit=options.get("limit"))
        check_no_paradigms(path, options.get("paradigms", ()))
        return suite

    def sentences(self, suite: SyntaxGym) -> Iterator[str]:
        yield from (sentence.text for sentence in suite.sentences)

    def prepare(
        self, saved: SavedModel, suite: SyntaxGym, convention: Convention, **options: Unpack[PrepareOptions]
    ) -> Prepared:
        """Encode suites. The table has a row per region with its surprisal in bits, if its sentence is not left out."""
        texts = [sentence.text for sentence in suite.sentences]
        encoded = encode(saved, texts, convention, skip_long=options.get("skip_long", False))
        joined_regions = [join_regions(sentence.contents, saved.tokenizer, convention) for sentence in suite.sentences]

        def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
            inputs, spans = [text for text, _ in joined_regions], [text_spans for _, text_spans in joined_regions]
            surprisals_by_sentence = span_surprisals(saved.tokenizer, inputs, spans, encoded, tokens)
            rows = [
                (item.suite, item.item, item.condition, number, content, region.bits, region.tokens, region.unknown)
                for item, surprisals in zip(suite.sentences, surprisals_by_sentence, strict=True)
                for number, content, region in zip(item.region_numbers, item.contents, surprisals, strict=True)
            ]
            formulas_by_suite = {
                name: [formula.text for formula in formulas] for name, formulas in suite.predictions.items()
            }
            return table_of(rows, _REGION_TYPES).replace_schema_metadata({PREDICTIONS: json.dumps(formulas_by_suite)})

        names = ("suite", "item", "condition")
        keys = {name: [getattr(sentence, name) for sentence in suite.sentences] for name in names}
        return Prepared.of(saved, convention, texts, encoded, tabulate, keys)

    def write(self, suite: SyntaxGym, folder: Path) -> None:
        for index, (name, formulas) in enumerate(suite.predictions.items()):
            items: dict[int, list[dict[str, Any]]] = {}
            for sentence in suite.sentences:
                if sentence.suite == name:
                    regions = zip(sentence.region_numbers, sentence.contents, strict=True)
                    records = [{"region_number": number, "content": content} for number, content in regions]
                    condition = {"condition_name": sentence.condition, "regions": records}
                    items.setdefault(sentence.item, []).append(condition)
            content = {
                "meta": {"name": name},
                "predictions": [{"type": "formula", "formula": formula.text} for formula in formulas],
                "items": [{"item_number": number, "conditions": conditions} for number, conditions in items.items()],
            }
            text = json.dumps(content, ensure_ascii=False, indent=1)
            write_text(folder / self.file / f"{index:04}.json", text + "\n")

    def read(self, path: Path) -> SyntaxGym:
        return load_syntaxgym(path, is_complete=False)  # it may have the first items of a suite only

    def holds(self, table: pa.Table) -> bool:
        return "region" in table.column_names

    def answer(self, table: pa.Table, convention: Convention) -> Answer:  # noqa: ARG002
        records = [asdict(row) for row in outcomes(table)]
        mean_accuracy = mean(row["accuracy"] for row in records)
        total = {"suite": "mean of predictions", "prediction": "", "accuracy": mean_accuracy}
        total |= {name: sum(row[name] for row in records) for name in ("items", "applicable")}
        return Answer("predictions", records, total, {"mean": {"accuracy": mean_accuracy}}, shares=("accuracy",))

    def summaries(self, table: pa.Table) -> Iterator[dict[str, Any]]:
        by_name: dict[str, list[bool]] = {}
        for judgement in judgements(table):
            if judgement.holds is not None:
                by_name.setdefault(judgement.name, []).append(judgement.holds)
        for name, holds in by_name.items():
            yield {"paradigm": name, "pairs": len(holds), "right": sum(holds), "ties": 0, "delta": None}

    def rows(self, table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG002
        rows = [(entry.suite, entry.name, entry.prediction, entry.item, entry.holds) for entry in judgements(table)]
        return table_of(rows, _PREDICTION_TYPES)

    def matrices(self, folder: Path | None, scored: Sequence[Scores] = ()) -> tuple[Prediction, ...]:
        predictions: dict[tuple[str, str], Prediction] = {}
        for row in self.table(folder, scored).select([*LABELS, *self.columns]).to_pylist():
            key = row["suite"], row["paradigm"]
            prediction = predictions.setdefault(key, Prediction(*key, row["phenomenon"], row["prediction"]))
            prediction.items.add(row["item"])
            if row["holds"] is not None:
                prediction.holds.setdefault(Score(row["condition"], row["model"], row["seed"]), []).append(row["holds"])
        return tuple(predictions.values())
