"""The page on experiments names every key of a manifest and every file of a run, and none that there is not."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticUndefined

from runner.conditions.registry import INTERVENTIONS
from runner.execute import collect
from runner.manifest.model import Manifest
from runner.report.records import PLACEBOS
from runner.score.any_suite import KINDS
from runner.score.preferences import COVARIATES_FILE
from runner.toml_tables import Range
from runner.train.spec import CHECKPOINTS

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the rows of a section's table."""
    section = PAGE.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def parts(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in typing.get_args(annotation):
        yield from parts(inner)


def schema(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, bool]]:
    """Every key of every table, as `condition.order.rest`, and whether it is required."""
    for name, field in model.model_fields.items():
        key = f"{path}{field.alias or name}"
        inner = next(parts(field.annotation), None)
        if path or inner is None:  # a table of the first level that has no keys of its own: the user names them
            yield key, field.default is PydanticUndefined and field.default_factory is None
        if inner is not None and key != "model.training":  # the keys of `[training]`, as the page says
            yield from schema(inner, f"{key}.")


def documented() -> dict[str, bool]:
    """The same by the page."""
    found: dict[str, bool] = {}
    table = ""
    for where, keys, *_ in rows("Every key"):
        table = where.strip("`[]") or table
        if "`" not in keys:
            found[table] = False
        for bold, key in re.findall(r"(\*\*)?`([a-z-]+)`", keys.removesuffix("as in `order`")):
            assert f"{table}.{key}" not in found
            found[f"{table}.{key}"] = bool(bold)
    return found


def test_every_key_is_on_the_page_and_no_other() -> None:
    expected, found = dict(schema(Manifest)), documented()
    assert len(expected) > 90
    assert sorted(expected.keys() - found.keys()) == [], "keys that the page does not name"
    assert sorted(found.keys() - expected.keys()) == [], "keys of the page that do not exist"
    assert expected == found, "what is required is bold"


def numbers(annotation: object, metadata: Sequence[object], key: str) -> Iterator[tuple[str, str, str]]:
    """Every number of a value, as (key, range, reason); a table's keys are those of its fields."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for name, field in annotation.model_fields.items():
            yield from numbers(field.annotation, field.metadata, f"{key}.{field.alias or name}".lstrip("."))
    elif annotation in (int, float) or annotation is JsonValue:
        owners = [getattr(getattr(item, "func", None), "__self__", item) for item in metadata]
        bounds = next((owner for owner in owners if isinstance(owner, Range)), None)
        assert bounds is not None, f"{key} is a number without a range"
        yield key, str(bounds), bounds.reason
    elif typing.get_origin(annotation) is typing.Annotated:
        yield from numbers(annotation.__origin__, annotation.__metadata__, key)  # type: ignore[attr-defined]
    elif typing.get_origin(annotation) is not typing.Literal:
        for part in typing.get_args(annotation):
            yield from numbers(part, metadata, key)


def test_every_number_has_a_range_and_the_page_states_it() -> None:
    ranges: dict[tuple[str, str], set[str]] = {}
    for key, bounds, reason in numbers(Manifest, (), ""):
        ranges.setdefault((bounds, reason), set()).add(key.replace("model.training.", "training."))
    assert len(ranges) > 30
    expected = [[", ".join(f"`{key}`" for key in sorted(keys)), *row] for row, keys in ranges.items()]
    assert rows("Ranges of numbers") == sorted(expected)


def test_the_page_lists_the_interventions_in_the_order_of_application() -> None:
    expected = [[f"`{item.usage}`", item.doc] for item in INTERVENTIONS]
    assert rows("Conditions")[: len(expected)] == expected


def test_the_values_that_a_key_may_have_are_on_the_page() -> None:
    """Of the tables below the first level; those of the others stand where a key is explained."""
    assert all(f'"{value}"' in PAGE or f"`{value}`" in PAGE for value in literals(Manifest))


def literals(model: type[BaseModel]) -> set[str]:
    def inside(annotation: object) -> Iterator[str]:
        if typing.get_origin(annotation) is typing.Literal:
            yield from (value for value in typing.get_args(annotation) if isinstance(value, str))
        for inner in typing.get_args(annotation):
            yield from inside(inner)

    own = {value for field in model.model_fields.values() for value in inside(field.annotation)}
    return own.union(*(literals(part) for field in model.model_fields.values() for part in parts(field.annotation)))


def patterns() -> list[str]:
    """The files of the page, as patterns of paths below the folder of a run."""
    names = [name for files, *_ in rows("Files of a run") for name in re.findall(r"`([^`]+)`", files)]
    stands_for = [("jobs/CELL", "jobs/*+*+*"), ("CELL", "*/*/*"), ("NAME", "*"), ("SUITE", "*")]
    for word, pattern in stands_for:
        names = [name.replace(word, pattern) for name in names]
    return names


def not_on_the_page(files: set[str]) -> list[str]:
    return sorted(file for file in files if not any(fnmatchcase(file, pattern) for pattern in patterns()))


def not_in_any_run(files: set[str]) -> list[str]:
    """Patterns of the page that no file of a run has, nor any that other settings would add to it."""
    others = {f"corpora/x/{name}" for name in (*collect.CORPUS_FILES, *collect.RESULTS)}
    others |= {
        f"cells/x/y/1/{CHECKPOINTS}/1000/model.safetensors",
        "results/tokens.parquet",
    }
    others |= {f"results/{PLACEBOS}", f"results/{COVARIATES_FILE}"} | {f"results/{kind.results}" for kind in KINDS}
    return [pattern for pattern in patterns() if not any(fnmatchcase(file, pattern) for file in files | others)]


@pytest.mark.parametrize("file", ["corpora/full/extra.npy", "notes.txt", "cells/full/lstm/1/state.pt", "results/x.csv"])
def test_a_file_that_is_not_on_the_page_is_noticed(file: str) -> None:
    assert not_on_the_page({file, "corpora/full/text.txt"}) == [file]
