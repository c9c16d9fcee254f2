"""WinoBias as minimal pairs, and score differences by the gender of the pronoun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from runner.errors import InputError
from runner.score.inference import Floats
from runner.score.measures import decisions, mean, mean_and_error, score_column
from runner.score.suite_files import Pair, non_empty, suite_text
from runner.score.suite_kind import Answer, Usage

if TYPE_CHECKING:
    import pyarrow as pa


# the forty occupations of Zhao et al. 2018, by their majority gender
FEMALE = (
    "accountant", "assistant", "attendant", "auditor", "baker", "cashier", "cleaner", "clerk", "counselor", "designer",
    "editor", "hairdresser", "housekeeper", "librarian", "nurse", "receptionist", "secretary", "tailor", "teacher",
    "writer",
)  # fmt: skip
MALE = (
    "analyst", "carpenter", "CEO", "chief", "construction worker", "cook", "developer", "driver", "farmer", "guard",
    "janitor", "laborer", "lawyer", "manager", "mechanic", "mover", "physician", "salesperson", "sheriff", "supervisor",
)  # fmt: skip
_OCCUPATION = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted((*FEMALE, *MALE), key=len, reverse=True)))})(?!\w)")
GENDERS = {"female": ("she", "her", "hers", "herself"), "male": ("he", "him", "his", "himself")}
_PRONOUN = {form: gender for gender, forms in GENDERS.items() for form in forms}
_BRACKETED = re.compile(r"\[([^]]*)\]")
NAME = "a folder of WinoBias"
USAGE = Usage(
    "WinoBias",
    "its folder",
    "For WinoBias, delta is the difference in log-probability (nats) between the stereotyped and the anti-stereotyped "
    "sentence, by type, split and pronoun gender.",
)
TYPES, SPLITS = ("1", "2"), ("dev", "test")
# the format of `paradigm_name`
ALONE = re.compile(r"winobias-type(?P<type>[12])-(?P<split>\w+)-(?P<gender>female|male)")


def paradigm_name(type_: str, split: str, gender: str) -> str:
    return f"winobias-type{type_}-{split}-{gender}"


def claims(path: Path) -> bool:
    return any(_file(path, "pro", *part).is_file() for part in product(TYPES, SPLITS))


def occupations(text: str) -> list[str]:
    return _OCCUPATION.findall(text)


def pairs(folder: Path) -> Iterator[Pair]:
    """Yield a pair for each line, without its number and brackets: the pro-stereotyped sentence is `good`."""
    yield from non_empty(folder, (pair for part in product(TYPES, SPLITS) for pair in _pairs(folder, *part)))


def _file(folder: Path, side: str, type_: str, split: str) -> Path:
    return folder / f"{side}_stereotyped_type{type_}.txt.{split}"


def _pairs(folder: Path, type_: str, split: str) -> list[Pair]:
    pro, anti = (_file(folder, side, type_, split) for side in ("pro", "anti"))
    if not (pro.is_file() or anti.is_file()):
        return []
    pro_lines, anti_lines = _lines(pro), _lines(anti)
    if len(pro_lines) != len(anti_lines):
        reason = f"{pro.name} has {len(pro_lines)} sentences, but {anti.name} has {len(anti_lines)}"
        raise InputError.of("FICT811", path=pro.parent, reason=reason)
    by_gender: dict[str, list[Pair]] = {gender: [] for gender in GENDERS}
    for item, ((_, good), (line, bad)) in enumerate(zip(pro_lines, anti_lines, strict=True), 1):
        pronouns = map(str.lower, _BRACKETED.findall(bad))
        gender = next((_PRONOUN[form] for form in pronouns if form in _PRONOUN), None)
        if gender is None:
            reason = "it has no pronoun in brackets"
            raise InputError.of("FICT812", path=anti, line=line, reason=reason)
        labels = paradigm_name(type_, split, gender), f"type {type_}", f"anti {gender}"
        by_gender[gender].append(Pair(*labels, item, _without_annotation(good), _without_annotation(bad)))
    return [pair for group in by_gender.values() for pair in group]


def _lines(path: Path) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(suite_text(path).split("\n"), 1) if line.strip()]


def _without_annotation(line: str) -> str:
    text = re.sub(r"^\s*\d+\s+", "", line)
    return " ".join(_BRACKETED.sub(r"\1", text).split())


@dataclass(frozen=True, slots=True)
class Difference:
    """ΔNLL = NLL(anti) − NLL(pro) for one type, split and gender, positive if pro is more probable."""

    type: str
    split: str
    gender: str  # of the pronoun in the anti-stereotyped sentence
    delta: float | None
    se: float | None
    pro: float | None  # share of pairs whose pro-stereotyped sentence is more probable; ties count ½
    pairs: int
    applicable: int


def differences(table: pa.Table) -> list[Difference]:
    """Return ΔNLL for each type, split and gender. Under `sum`, `mean` or `penlp`, a score is −NLL."""
    paradigms = np.asarray(table.column("paradigm").to_pylist())
    pro, anti = score_column(table, "score_good"), score_column(table, "score_bad")
    all_differences = []
    for part in product(TYPES, SPLITS, GENDERS):
        selected = paradigms == paradigm_name(*part)
        if selected.any():
            all_differences.append(_difference(*part, pro[selected], anti[selected]))
    return all_differences


def _difference(type_: str, split: str, gender: str, pro: Floats, anti: Floats) -> Difference:
    deltas = (pro - anti)[~np.isnan(pro - anti)]
    share = mean(decisions(pro, anti).tolist())
    return Difference(type_, split, gender, *mean_and_error(deltas), share, len(pro), len(deltas))


def answer(table: pa.Table) -> Answer | None:
    """Return ΔNLL by type, split and gender. There is no total, because the genders would cancel out."""
    rows = differences(table)
    if sum(row.pairs for row in rows) != table.num_rows:
        return None
    return Answer("differences", [asdict(row) for row in rows], shares=("pro",))
