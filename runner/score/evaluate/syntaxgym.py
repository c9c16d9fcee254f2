"""SyntaxGym suites to the surprisals of regions, and these to how often each prediction holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.readers import parse_json, read_text
from runner.score.scoring.batches import PLACES
from runner.score.scoring.convention import Convention
from runner.score.scoring.encoded import encode_texts
from runner.score.scoring.sentences import Prepared, Tokens, batched, check
from runner.score.scoring.spans import joined, span_surprisals
from runner.score.scoring.table import Total
from runner.score.suites.formula import Formula, Region, parse_formula

if TYPE_CHECKING:
    import pyarrow as pa

PREDICTIONS = "predictions"  # of the table's metadata


@dataclass(frozen=True, slots=True)
class Sentence:
    """One condition of an item: the contents of its regions, in order, and their numbers."""

    suite: str
    item: int
    condition: str
    numbers: tuple[int, ...]
    contents: tuple[str, ...]

    @property
    def text(self) -> str:
        """The regions joined."""
        return " ".join(filter(None, self.contents))


@dataclass(frozen=True)
class Gym:
    """Suites of SyntaxGym: their sentences, and by suite what is predicted of each item."""

    name: str
    sentences: list[Sentence]
    predictions: Mapping[str, tuple[Formula, ...]]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a prediction holds of an item, None where a surprisal is not known.

    `name` is the suite's, with the number of the prediction where it has several.
    """

    suite: str
    name: str
    prediction: str
    item: int
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often a prediction holds, over the items of which all surprisals are known; None if there is none."""

    suite: str
    prediction: str
    accuracy: float | None
    items: int
    applicable: int


def load_gym(path: Path, name: str | None = None, *, limit: int | None = None) -> Gym:
    """Read a suite in SyntaxGym's JSON, or a folder of them; `limit` keeps the first items. InputError: FICT811."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    sentences: list[Sentence] = []
    predictions: dict[str, tuple[Formula, ...]] = {}
    named: dict[str, Path] = {}
    for file in files:
        try:
            content = parse_json(read_text(file))
            title = str(content.get("meta", {}).get("name") or file.stem)
            found = _sentences(title, content["items"][:limit])
            formulas = tuple(parse_formula(str(one["formula"])) for one in content[PREDICTIONS])
            _check(formulas, found)
            if (other := named.setdefault(title, file)) is not file:
                raise ValueError(
                    f"its suite is called {title}, as is that of {other.name}; a name is that of one suite"
                )
        except KeyError as error:
            raise InputError(diagnostic("FICT811", path=file, reason=f"{error} is missing")) from error
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise InputError(diagnostic("FICT811", path=file, reason=str(error))) from error
        sentences += found
        predictions[title] = formulas
    return Gym(name or path.stem, sentences, predictions)


def _sentences(suite: str, items: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """The sentences of all items. ValueError where there is none, or where two things would be taken for one."""
    found = [one for item in items for one in _conditions(suite, item)]
    if not any(one.numbers for one in found):
        raise ValueError("it holds no sentence")
    _once(f"item {int(item['item_number'])}" for item in items)
    _once(f"the condition `{one.condition}` of item {one.item}" for one in found)
    _once(f"region {n} of the condition `{one.condition}` of item {one.item}" for one in found for n in one.numbers)
    return found


def _number(value: Any) -> int:
    """Return the number of an item or a region. Raises ValueError for one that 32 bits do not hold."""
    number = int(value)
    if not 0 <= number < 2**31:
        raise ValueError(f"the number {number} is not between 0 and 2,147,483,647")
    return number


def _conditions(suite: str, item: Mapping[str, Any]) -> Iterator[Sentence]:
    for condition in item["conditions"]:
        regions = condition["regions"]
        numbers = tuple(_number(region["region_number"]) for region in regions)
        contents = tuple(str(region["content"]).strip() for region in regions)
        yield Sentence(suite, _number(item["item_number"]), str(condition["condition_name"]), numbers, contents)


def _once(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{name} comes twice")
        seen.add(name)


def _check(formulas: Sequence[Formula], sentences: Sequence[Sentence]) -> None:
    known = {(number, one.condition) for one in sentences for number in (*one.numbers, None)}
    for formula in formulas:
        for number, condition in formula.regions:
            if (number, condition) not in known:
                raise ValueError(
                    f"no item has region {number or '*'} of the condition `{condition}`, in {formula.text}"
                )


def prepare_gym(saved: SavedModel, suite: Gym, convention: Convention, places: int = PLACES) -> Prepared:
    """Encode suites for a model; the table has one row a region, its surprisal in bits.

    InputError as in `runner.score.evaluate.pairs.prepare_pairs`.
    """
    check(saved, convention)
    parts = [joined(sentence.contents, convention) for sentence in suite.sentences]
    texts = [sentence.text for sentence in suite.sentences]
    encoded = encode_texts([("", text) for text in texts], saved.tokenizer, convention, saved.about, saved.folder.name)

    def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
        import pyarrow as pa

        read, spans = [text for text, _ in parts], [where for _, where in parts]
        rows = [
            (one.suite, one.item, one.condition, number, content, found.bits, found.tokens, found.unknown)
            for one, surprisals in zip(
                suite.sentences, span_surprisals(saved.tokenizer, read, spans, encoded, tokens), strict=True
            )
            for number, content, found in zip(one.numbers, one.contents, surprisals, strict=True)
        ]
        text, number = pa.string(), pa.int32()
        kinds = {"suite": text, "item": number, "condition": text, "region": number, "content": text}
        schema = pa.schema({**kinds, "surprisal": pa.float64(), "tokens": number, "unk": number})
        columns = [pa.array(column, field.type) for column, field in zip(zip(*rows, strict=True), schema, strict=True)]
        told = {name: [formula.text for formula in formulas] for name, formulas in suite.predictions.items()}
        return pa.table(columns, schema=schema).replace_schema_metadata({PREDICTIONS: json.dumps(told)})

    keys: dict[str, list[str | int]] = {
        "suite": [one.suite for one in suite.sentences],
        "item": [one.item for one in suite.sentences],
        "condition": [one.condition for one in suite.sentences],
    }
    return Prepared(convention, texts, encoded, batched(saved, texts, encoded, convention, places), tabulate, keys)


def judgements(table: pa.Table) -> Iterator[Judgement]:
    """The table of `prepare_gym` to each prediction of each item, in the order of the suites."""
    surprisals: dict[str, dict[int, dict[Region, float | None]]] = {}
    for row in table.select(["suite", "item", "condition", "region", "surprisal"]).to_pylist():
        item = surprisals.setdefault(row["suite"], {}).setdefault(row["item"], {})
        item[row["region"], row["condition"]] = row["surprisal"]
        whole, one = item.get((None, row["condition"]), 0.0), row["surprisal"]
        item[None, row["condition"]] = None if whole is None or one is None else whole + one
    for suite, formulas in parse_json(table.schema.metadata[PREDICTIONS.encode()]).items():
        for number, formula in enumerate(map(parse_formula, formulas), 1):
            name = f"{suite}.{number}" if len(formulas) > 1 else suite
            for item_number, regions in surprisals.get(suite, {}).items():
                value = formula.value(regions) if set(formula.regions) <= set(regions) else None
                yield Judgement(suite, name, formula.text, item_number, None if value is None else bool(value))


def outcomes(table: pa.Table) -> list[Outcome]:
    """The table of `prepare_gym` to how often each prediction holds, in the order of the suites."""
    by_prediction: dict[str, list[Judgement]] = {}
    for one in judgements(table):
        by_prediction.setdefault(one.name, []).append(one)
    found = []
    for items in by_prediction.values():
        known = [one.holds for one in items if one.holds is not None]
        accuracy = sum(known) / len(known) if known else None
        found.append(Outcome(items[0].suite, items[0].prediction, accuracy, len(items), len(known)))
    return found
