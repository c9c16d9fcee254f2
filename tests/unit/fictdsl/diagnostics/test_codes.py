"""The catalogue is closed and orderly."""

from __future__ import annotations

import re
from string import Formatter

import pytest

import fictdsl.lint.rules  # noqa: F401 - adds the codes of lint rules to the catalogue
from fictdsl.diagnostics.codes import CATALOGUE, FAMILIES, Code, diagnostic
from fictdsl.installation import install_hint, shipped
from tests.support.diagnostic_calls import Calls

FILES = sorted(shipped("messages").iterdir())
ALL = list(CATALOGUE.values())
IDS = [entry.code for entry in ALL]


@pytest.mark.parametrize("entry", ALL, ids=IDS)
def test_each_code_is_well_formed(entry: Code) -> None:
    assert re.fullmatch(r"FICT[1-8]\d\d", entry.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name)
    assert entry.explanation.strip()
    list(Formatter().parse(entry.message))


def test_each_file_has_the_codes_of_its_family_in_order() -> None:
    """Also those whose heading or message is written in another way, which would belong to the page before."""
    assert [file.name for file in FILES] == [f"FICT{digit}.md" for digit in FAMILIES if digit != "5"]
    for file in FILES:
        headings = re.findall(r"(?m)^# (\S+?):? ", file.read_text("utf-8"))
        written = [heading for heading in headings if heading.startswith("FICT")]
        assert written == [code for code in CATALOGUE if code.startswith(file.stem)]
        assert file.read_text("utf-8").startswith(FAMILIES[file.stem[-1]])


def test_messages_tell_how_to_install_an_extra_in_the_same_words() -> None:
    text = "".join(" ".join(file.read_text("utf-8").split()) for file in FILES)
    extras = re.findall(r"install fictc with the extra `(\w+)`", text)
    assert len(extras) == 3
    assert all(install_hint(extra) in text for extra in extras)


@pytest.mark.parametrize("entry", ALL, ids=IDS)
def test_nobody_is_addressed(entry: Code) -> None:
    assert not re.search(r"\b(you|your|please)\b", entry.message + entry.explanation, re.I)


@pytest.mark.parametrize("entry", ALL, ids=IDS)
def test_a_message_is_one_phrase(entry: Code) -> None:
    """It stands after a colon and before a hint, so it begins small and has no full stop."""
    assert not entry.message.endswith((".", "!", " ")) and "\n" not in entry.message
    first = entry.message.split()[0]
    assert not first[0].isupper() or first == "DEPS"


def test_codes_and_names_are_unique_and_all_in_the_catalogue() -> None:
    assert len({entry.code for entry in ALL}) == len(ALL)
    assert len({entry.name for entry in ALL}) == len(ALL)


def test_a_code_is_taken_once() -> None:
    with pytest.raises(KeyError, match="FICT102"):
        CATALOGUE.add([Code("FICT102", "another", "is another", "Another.")])
    CATALOGUE.add([CATALOGUE["FICT102"]])


def test_an_unknown_code_or_parameter_is_a_bug() -> None:
    with pytest.raises(KeyError):
        diagnostic("FICT999")
    with pytest.raises(KeyError, match="FICT102"):
        diagnostic("FICT102")
    with pytest.raises(KeyError, match="FICT102"):
        diagnostic("FICT102", found="2", other="x")
    assert diagnostic("FICT102", found="{2}").message.endswith("not version {2}")


# The codes of these calls come from tables, all of whose entries other tests reach.
FROM_TABLES = {"fictdsl/syntax/explanations.py", "runner/settings.py", "runner/corpus/store_files.py"}


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
