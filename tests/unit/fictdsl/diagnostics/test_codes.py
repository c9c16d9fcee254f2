"""The catalogue is closed and orderly."""

from __future__ import annotations

import importlib
import pkgutil
import re
from string import Formatter

import pytest

import runner.diagnostics
from fictdsl.diagnostics import codes
from fictdsl.diagnostics.codes import CATALOGUE, diagnostic, register
from fictdsl.diagnostics.codes.code import Code
from fictdsl.lint.discover import RULES
from tests.support.diagnostic_calls import Calls

RANGES = {
    "syntax": "1",
    "names": "2",
    "types": "3",
    "unsupported": "4",
    "lint": "5",
    "manifest": "6",
    "corpus": "[78]",
    "run": "8",
}
FAMILIES = [
    (module.name, importlib.import_module(f"{package.__name__}.{module.name}"))
    for package in (codes, runner.diagnostics)
    for module in pkgutil.iter_modules(package.__path__)
    if module.name != "code"
]
ALL: list[tuple[str, Code]] = [
    *((name, entry) for name, family in FAMILIES for entry in family.CODES),
    *(("lint", CATALOGUE[rule.code]) for rule in RULES),
]


@pytest.mark.parametrize(("family", "entry"), ALL, ids=[entry.code for _, entry in ALL])
def test_each_code_is_well_formed(family: str, entry: Code) -> None:
    assert re.fullmatch(rf"FICT{RANGES.get(family, '[1-8]')}\d\d", entry.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name)
    assert entry.explanation.strip()
    list(Formatter().parse(entry.message))


@pytest.mark.parametrize(("family", "entry"), ALL, ids=[entry.code for _, entry in ALL])
def test_nobody_is_addressed(family: str, entry: Code) -> None:
    assert not re.search(r"\b(you|your|please)\b", entry.message + entry.explanation, re.I)


@pytest.mark.parametrize(("family", "entry"), ALL, ids=[entry.code for _, entry in ALL])
def test_a_message_is_one_phrase(family: str, entry: Code) -> None:
    """It stands after a colon and before a hint, so it begins small and has no full stop."""
    assert not entry.message.endswith((".", "!", " ")) and "\n" not in entry.message
    first = entry.message.split()[0]
    assert not first[0].isupper() or first == "DEPS"


def test_codes_and_names_are_unique_and_all_in_the_catalogue() -> None:
    assert len({entry.code for _, entry in ALL}) == len(ALL) == len(CATALOGUE)
    assert len({entry.name for _, entry in ALL}) == len(ALL)


def test_a_code_is_taken_once() -> None:
    with pytest.raises(KeyError, match="FICT102"):
        register([Code("FICT102", "another", "is another", "Another.")])
    register([CATALOGUE["FICT102"]])


def test_an_unknown_code_or_parameter_is_a_bug() -> None:
    with pytest.raises(KeyError):
        diagnostic("FICT999")
    with pytest.raises(KeyError, match="FICT102"):
        diagnostic("FICT102")
    with pytest.raises(KeyError, match="FICT102"):
        diagnostic("FICT102", found="2", other="x")
    assert diagnostic("FICT102", found="{2}").message.endswith("not version {2}")


# The codes of these calls come from tables, all of whose entries other tests reach.
FROM_TABLES = {"fictdsl/syntax/mistakes/by_example.py", "runner/settings.py", "runner/corpus/store/verify.py"}


def parameters_of(code: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(CATALOGUE[code].message) if name}


def test_every_call_has_the_parameters_of_its_code() -> None:
    """Also the calls that no test reaches: a wrong one would be a traceback in place of a message."""
    found = Calls().found
    assert len(found) > 500
    assert {place.file for place, options in found.items() if not options} == FROM_TABLES
    wrong = [
        f"{place} takes {[sorted(parameters_of(code)) for codes, _ in options[:1] for code in sorted(codes)]}"
        for place, options in found.items()
        if options and not any(all(parameters_of(code) == keys for code in codes) for codes, keys in options)
    ]
    assert wrong == []
