"""The gallery of rewriting, `rewriting/<page>.md`: rewrites, trees, and what goes out, worked out by hand.

A page begins with a block ```trees, as in `test_language.py`; every sentence has a comment `text`. A case begins at a
`##` heading and holds

- a block ```fict: a rewrite, or a family, of which the first member is meant;
- a block ```after with a line `name: text` for every sentence that changes, `name: –` for one that is dropped;
- for some, a block ```tree NAME: the new rows `id form upos head deprel [column=value …]`; columns that a row does not
  give are not compared;
- for some, a block ```counts with a line `name: 1 taken, 0 overlapping, 0 invalid` for every sentence with a match.

The engine, on a store, and the interpreter of the tests must both give exactly these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from fictdsl.compiler import CompiledRewrite, compile_text
from runner.corpus.rewrite import Rewriting, Rewritten
from tests.support import corpora
from tests.support.reading import COLUMNS
from tests.support.rewriting.compare import assert_equal, items_of
from tests.support.rewriting.reference import Outcome, rewrite
from tests.support.tree_pages import TreeCase, tree_cases

GALLERY = Path(__file__).parent / "rewriting"


@dataclass(frozen=True)
class Case(TreeCase):
    """A case of this gallery."""

    @cached_property
    def compiled(self) -> CompiledRewrite:
        compilation = compile_text(f"fict 1\n{self.blocks['fict']}", "case.fict")
        assert not compilation.errors, compilation.errors
        return compilation.rewrites[0]

    @property
    def after(self) -> dict[str, str]:
        return dict(line.split(": ", 1) for line in self.blocks["after"].splitlines())

    def by_interpreter(self) -> dict[str, Outcome]:
        items = items_of((self.compiled,))
        texts = enumerate(self.texts.items(), 1)
        return {name: rewrite(items, text.strip(), "corpus.conllu", number, 0) for number, (name, text) in texts}

    def by_engine(self, folder: Path) -> dict[str, Rewritten]:
        store = corpora.store(folder, "".join(self.texts.values()))
        (batch,) = Rewriting(store, [self.compiled], 0).batches()
        names = list(self.texts)
        return {names[row]: rewritten for row, rewritten in batch.changed.items()}


CASES = tree_cases(GALLERY, Case)
IDS = [f"{case.path.stem}: {case.title}" for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_what_goes_out_is_as_expected(case: Case, tmp_path: Path) -> None:
    expected, found = case.by_interpreter(), case.by_engine(tmp_path)
    for name, outcome in expected.items():
        assert_equal(outcome, found.get(name))
    assert {name: "–" if each.text is None else each.text for name, each in found.items()} == case.after
    for kind, rows in case.blocks.items():
        if kind.startswith("tree "):
            _compare_rows(rows.splitlines(), str(found[kind.removeprefix("tree ")].conllu))


def _compare_rows(rows: list[str], block: str) -> None:
    lines = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
    assert len(rows) == len(lines)
    for row, line in zip(rows, lines, strict=True):
        number, form, upos, head, deprel, extra = [*row.split(" ", 5), ""][:6]
        expected = {"form": form, "upos": upos, "head": head, "deprel": deprel}
        expected |= dict(part.split("=", 1) for part in re.split(r" (?=\w+=)", extra) if part)
        columns = dict(zip(("id", *COLUMNS), line, strict=True))
        assert {"id": number, **expected} == {name: columns[name] for name in ("id", *expected)}


@pytest.mark.parametrize("case", [case for case in CASES if "counts" in case.blocks], ids=lambda case: case.title)
def test_matches_are_counted(case: Case) -> None:
    lines = []
    for name, outcome in case.by_interpreter().items():
        (counts,) = outcome.counts.values()
        if counts.total():
            lines.append(
                f"{name}: " + ", ".join(f"{counts[each]} {each}" for each in ("taken", "overlapping", "invalid"))
            )
    assert lines == case.blocks["counts"].splitlines()


def test_titles_are_unique() -> None:
    assert len({(case.path, case.title) for case in CASES}) == len(CASES)
