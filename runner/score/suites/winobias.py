"""WinoBias as minimal pairs by the gender of the pronoun, and score differences that are never pooled over it."""

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
_GENDERS = {"female": ("she", "her", "hers", "herself"), "male": ("he", "him", "his", "himself")}
_PRONOUN = {form: gender for gender, forms in _GENDERS.items() for form in forms}
_MARKED = re.compile(r"\[([^]]*)\]")
TYPES, SPLITS = ("1", "2"), ("dev", "test")
PARADIGM = re.compile(
    r"winobias-type(?P<type>[12])-(?P<split>\w+)-(?P<gender>female|male)"
)  # the format of `paradigm_name`


@dataclass(frozen=True, slots=True)
class Difference:
    """ΔNLL = NLL(anti) − NLL(pro) for one type, split and gender. Positive if the stereotype is more probable.

    `delta` and its standard error `se` over pairs are in the unit of the convention, or None if no pair is applicable.
    """

    type: str
    split: str
    gender: str  # of the pronoun in the anti-stereotyped sentence
    pairs: int
    applicable: int
    delta: float | None
    se: float | None
    pro: float | None  # share of pairs whose pro-stereotyped sentence is more probable; ties count ½


def paradigm_name(kind: str, split: str, gender: str) -> str:
    """Return the paradigm of pairs by type, split and the pronoun's gender in the anti-stereotyped sentence."""
    return f"winobias-type{kind}-{split}-{gender}"


def is_gender_split(paradigm: str) -> bool:
    """Return whether a paradigm holds WinoBias pairs of one gender, which must not be averaged with the other's."""
    return PARADIGM.fullmatch(paradigm) is not None


def is_winobias(path: Path) -> bool:
    """Return whether a folder holds the released files of WinoBias."""
    return any(_file(path, "pro", kind, split).is_file() for kind in TYPES for split in SPLITS)


def occupations(text: str) -> list[str]:
    """Return the occupations that a WinoBias sentence mentions, in order, as written."""
    return _OCCUPATION.findall(text)


def winobias_pairs(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the fields of a `Pair` for each line: the pro-stereotyped sentence is `good`, the anti-stereotyped `bad`.

    Line numbers and brackets are removed. The item is the line number in both files. Raises InputError (FICT811, 812).
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
        reason = f"{pro.name} has {len(first)} sentences, but {anti.name} has {len(second)}"
        raise InputError(diagnostic("FICT811", path=pro.parent, reason=reason))
    by_gender: dict[str, list[dict[str, Any]]] = {gender: [] for gender in _GENDERS}
    for number, (good, bad) in enumerate(zip(first, second, strict=True), 1):
        gender = _gender(bad)
        if gender is None:
            reason = "it has no pronoun in brackets"
            raise InputError(diagnostic("FICT812", path=anti, line=number, reason=reason))
        pair = {"paradigm": paradigm_name(kind, split, gender), "phenomenon": f"type {kind}", "field": f"anti {gender}"}
        by_gender[gender].append(pair | {"item": number, "good": _plain(good), "bad": _plain(bad)})
    return [pair for pairs in by_gender.values() for pair in pairs]


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in read_text(path).split("\n") if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=path, reason=str(error))) from error


def _gender(line: str) -> str | None:
    return next((_PRONOUN[form] for form in map(str.lower, _MARKED.findall(line)) if form in _PRONOUN), None)


def _plain(line: str) -> str:
    """Return a line without its number and brackets. A doubled article, as in `the [the chief]`, is kept."""
    text = re.sub(r"^\s*\d+\s+", "", line)
    return " ".join(_MARKED.sub(r"\1", text).split())


def differences(table: pa.Table) -> list[Difference]:
    """Return one row for each type, split and gender in a table of `score_pairs`.

    Under `sum`, `mean` or `penlp`, a score is −NLL in its unit, so ΔNLL = score(pro) − score(anti).
    """
    names = np.asarray(table.column("paradigm").to_pylist())
    pro, anti = score_column(table, "score_good"), score_column(table, "score_bad")
    rows = []
    for kind in TYPES:
        for split in SPLITS:
            for gender in _GENDERS:
                selected = names == paradigm_name(kind, split, gender)
                if selected.any():
                    rows.append(_difference(kind, split, gender, pro[selected], anti[selected]))
    return rows


def _difference(kind: str, split: str, gender: str, pro: Floats, anti: Floats) -> Difference:
    deltas = (pro - anti)[~np.isnan(pro - anti)]
    n = len(deltas)
    se = float(deltas.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    preferred = mean(decisions(pro, anti).tolist())
    return Difference(kind, split, gender, len(pro), n, float(deltas.mean()) if n else None, se, preferred)
