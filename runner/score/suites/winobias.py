"""WinoBias' files to minimal pairs by the pronoun's gender, and their scores to differences that are never pooled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import read_text
from runner.score.statistics.inference import Floats
from runner.score.statistics.measures import decisions, mean, score_column

if TYPE_CHECKING:
    import pyarrow as pa

# the forty occupations of Zhao et al. 2018, by the gender of most people in them
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
_GENDERS = {"female": ("she", "her", "hers", "herself"), "male": ("he", "him", "his", "himself")}
_PRONOUN = {form: gender for gender, forms in _GENDERS.items() for form in forms}
_MARKED = re.compile(r"\[([^]]*)\]")
TYPES, SPLITS = ("1", "2"), ("dev", "test")
PARADIGM = re.compile(r"winobias-type(?P<type>[12])-(?P<split>\w+)-(?P<gender>female|male)")  # as `name_of` writes it


@dataclass(frozen=True, slots=True)
class Difference:
    """ΔNLL = NLL(anti) − NLL(pro) of one kind of pairs: positive where the stereotype is the more probable.

    `delta` and `se` (of its mean over pairs) are in the unit of the convention; None where no pair is applicable.
    """

    type: str
    split: str
    gender: str  # of the pronoun in the anti-stereotyped sentence
    pairs: int
    applicable: int
    delta: float | None
    se: float | None
    pro: float | None  # share of pairs whose pro-stereotyped sentence is the more probable, ties a half


def name_of(kind: str, split: str, gender: str) -> str:
    """The paradigm of pairs of one type, split and gender of the pronoun in the anti-stereotyped sentence."""
    return f"winobias-type{kind}-{split}-{gender}"


def opposed(paradigm: str) -> bool:
    """Whether a paradigm is WinoBias' pairs of one gender: a mean with those of the other would say nothing."""
    return PARADIGM.fullmatch(paradigm) is not None


def is_winobias(path: Path) -> bool:
    """Whether a folder holds WinoBias as it is released."""
    return any(_file(path, "pro", kind, split).is_file() for kind in TYPES for split in SPLITS)


def occupations(text: str) -> list[str]:
    """The occupations that a sentence of WinoBias mentions, in order, as they are written there."""
    return _OCCUPATION.findall(text)


def winobias_pairs(folder: Path) -> Iterator[dict[str, Any]]:
    """Fields of a `Pair` for each line: the pro-stereotyped sentence as `good`, its anti-stereotyped twin as `bad`.

    Numbers and brackets are taken away. The item is the line's number in both files. InputError: FICT811, 812.
    """
    for kind in TYPES:
        for split in SPLITS:
            pro, anti = (_file(folder, side, kind, split) for side in ("pro", "anti"))
            if pro.is_file() or anti.is_file():
                yield from _pairs(pro, anti, kind, split)


def _file(folder: Path, side: str, kind: str, split: str) -> Path:
    return folder / f"{side}_stereotyped_type{kind}.txt.{split}"


def _pairs(pro: Path, anti: Path, kind: str, split: str) -> list[dict[str, Any]]:
    first, second = _lines(pro), _lines(anti)
    if len(first) != len(second):
        reason = f"{pro.name} has {len(first)} sentences, and {anti.name} {len(second)}"
        raise InputError(diagnostic("FICT811", path=pro.parent, reason=reason))
    found: dict[str, list[dict[str, Any]]] = {gender: [] for gender in _GENDERS}
    for number, (good, bad) in enumerate(zip(first, second, strict=True), 1):
        gender = _gender(bad)
        if gender is None:
            reason = "it marks no pronoun in brackets"
            raise InputError(diagnostic("FICT812", path=anti, line=number, reason=reason))
        pair = {"paradigm": name_of(kind, split, gender), "phenomenon": f"type {kind}", "field": f"anti {gender}"}
        found[gender].append(pair | {"item": number, "good": _plain(good), "bad": _plain(bad)})
    return [pair for pairs in found.values() for pair in pairs]


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in read_text(path).split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=str(error))) from error


def _gender(line: str) -> str | None:
    return next((_PRONOUN[form] for form in map(str.lower, _MARKED.findall(line)) if form in _PRONOUN), None)


def _plain(line: str) -> str:
    """A line without its number and brackets; `the [the chief]` has one article too many there, and keeps it."""
    text = re.sub(r"^\s*\d+\s+", "", line)
    return " ".join(_MARKED.sub(r"\1", text).split())


def differences(table: pa.Table) -> list[Difference]:
    """The table of `score_pairs` to one row for each type, split and gender.

    Under `sum`, `mean` or `penlp`, a score is −NLL in its unit, so that ΔNLL = score(pro) − score(anti).
    """
    names = np.asarray(table.column("paradigm").to_pylist())
    pro, anti = score_column(table, "score_good"), score_column(table, "score_bad")
    found = []
    for kind in TYPES:
        for split in SPLITS:
            for gender in _GENDERS:
                at = names == name_of(kind, split, gender)
                if at.any():
                    found.append(_difference(kind, split, gender, pro[at], anti[at]))
    return found


def _difference(kind: str, split: str, gender: str, pro: Floats, anti: Floats) -> Difference:
    deltas = (pro - anti)[~np.isnan(pro - anti)]
    n = len(deltas)
    se = float(deltas.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    preferred = mean(decisions(pro, anti).tolist())
    return Difference(kind, split, gender, len(pro), n, float(deltas.mean()) if n else None, se, preferred)
