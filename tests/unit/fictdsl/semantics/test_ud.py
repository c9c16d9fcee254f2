"""The vocabulary is that of Universal Dependencies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fictdsl.semantics import ud


def test_there_are_as_many_as_universal_dependencies_has() -> None:
    assert len(ud.UPOS) == len(set(ud.UPOS)) == 17
    assert len(ud.RELATIONS) == len(set(ud.RELATIONS)) == 37


def test_subtypes_are_of_relations_and_listed_once() -> None:
    both = ud.ENGLISH_SUBTYPES + ud.OTHER_SUBTYPES
    assert len(both) == len(set(both))
    assert all(re.fullmatch(r"[a-z]+:[a-z]+", label) and label.partition(":")[0] in ud.RELATIONS for label in both)


def test_features_and_values_are_spelt_as_in_conllu() -> None:
    for feature, values in ud.FEATURES.items():
        assert re.fullmatch(r"[A-Z][A-Za-z]+", feature)
        assert len(values) == len(set(values))
        assert all(re.fullmatch(r"[A-Z0-9][A-Za-z0-9]*", value) for value in values)


def test_labels_of_the_enhanced_graph_may_end_in_anything() -> None:
    assert ud.is_relation("nmod:in_front_of", enhanced=True)
    assert not ud.is_relation("nmod:in_front_of")
    assert ud.is_relation("ref", enhanced=True) and not ud.is_relation("ref")


@pytest.mark.shared
@pytest.mark.parametrize("folder", ["ud-ewt", "ud-childes"])
def test_everything_in_the_gold_treebanks_is_known(data: Path, folder: str) -> None:
    unknown: set[str] = set()
    for path in sorted((data / folder).glob("*.conllu")):
        for line in path.read_text("utf-8").splitlines():
            columns = line.split("\t")
            if len(columns) != 10 or not columns[0].isdigit():
                continue
            unknown |= {columns[3]} - set(ud.UPOS) - {"_"}
            unknown |= {columns[7]} if not ud.is_relation(columns[7]) and columns[7] != "_" else set()
            for entry in columns[5].split("|") if columns[5] != "_" else ():
                feature, _, values = entry.partition("=")
                known = ud.FEATURES.get(feature.partition("[")[0], ())
                unknown |= {f"{feature}={value}" for value in values.split(",") if value not in known}
            for edge in columns[8].split("|") if columns[8] != "_" else ():
                label = edge.partition(":")[2]
                unknown |= set() if ud.is_relation(label, enhanced=True) else {f"enhanced {label}"}
    assert unknown == set()
