"""`scripts/house.py` counts what its docstring says."""

from __future__ import annotations

import ast
import importlib.util
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_spec = importlib.util.spec_from_file_location("house", ROOT / "scripts" / "house.py")
house = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(house)

FILES = {
    "runner/__init__.py": '"""A docstring."""\n',
    "runner/cli/__init__.py": '"""A docstring."""\nfrom runner.cli.run import run\n',
    "runner/cli/run.py": "def run():\n    from runner.cli.run_parts import part\n    return part\n",
    "runner/cli/run_parts.py": "def part():\n    return 1\n",
    "runner/score/score.py": '"""It names SyntaxGym here only."""\n' + "x = 1\n" * 40,
    "runner/score/gym.py": "import runner.score.score\n\ndef syntaxgym():\n    return 1\n",
    "runner/score/kinds.py": "from runner.score import score\nKINDS = {'syntaxgym': score}\n",
}


@pytest.fixture
def trees(tmp_path: Path) -> dict[Path, ast.Module]:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return house.parsed(tmp_path, ("runner",))


def names(paths, root: Path) -> list[str]:
    return sorted(house.short_name(path, root) for path in paths)


def test_modules_are_counted_by_what_they_hold(trees: dict[Path, ast.Module], tmp_path: Path) -> None:
    assert names(house.empty_faces(trees), tmp_path) == ["runner/__init__.py"]
    assert names(house.short(trees), tmp_path) == [
        "runner/cli/run.py",
        "runner/cli/run_parts.py",
        "runner/score/gym.py",
        "runner/score/kinds.py",
    ]
    assert house.largest(trees, tmp_path, 1) == [("runner/score/score.py", 41)]
    assert names(house.naming(trees, house.SUITES["SyntaxGym"]), tmp_path) == [
        "runner/score/gym.py",
        "runner/score/kinds.py",
    ]


def test_a_single_importer_is_one_of_the_same_folder(trees: dict[Path, ast.Module], tmp_path: Path) -> None:
    found = names(house.single_importers(trees, tmp_path), tmp_path)
    assert found == ["runner/cli/run.py", "runner/cli/run_parts.py"]  # score.py has two importers


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("class ConditionText:\n    name: str", True),
        ("class Draw:\n    draw: int\n    redraw: int", True),
        ("class Drawn:\n    draw: int", False),
        ("class Found:\n    sids: Indices\n    removed: Indices", True),
        ("class Words:\n    starts: Indices", False),
        ("class Parts:\n    filters: FiltersByKey", True),
        ("class Score:\n    condition: str", False),
    ],
)
def test_types_of_a_condition(text: str, counts: bool) -> None:
    [node] = ast.parse(text).body
    assert house.is_condition(node) is counts


def test_assertions_are_statements_and_expected_errors() -> None:
    text = """
        def test():
            assert 1
            with pytest.raises(ValueError, match="x"):
                f()
            with warns():
                assert 2
            pytest.skip()
        """
    assert house.assertions(ast.parse(textwrap.dedent(text))) == 3


def test_the_table_keeps_its_first_values() -> None:
    page = "# Page\n\n| measure | first | now | goal |\n|---|--:|--:|--:|\n| lines | 9 | 0 | 1,000 |\n"
    expected = "# Page\n\n| measure | first |   now |  goal |\n| ------- | ----: | ----: | ----: |\n| lines   |     9 | 1,234 | 1,000 |\n"
    assert house.with_numbers(page, {"lines": 1234}) == expected
    assert house.with_numbers(expected, {"lines": 1234}) == expected


def test_every_row_of_the_page_is_measured() -> None:
    page = house.PAGE.read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("|")][2:]
    named = {f"modules that name {kind}" for kind in house.SUITES}
    traced = {f"modules entered by `fictc {command}`" for command in house.COMMANDS}
    assert named | traced <= set(rows)
    assert house.with_numbers(page, dict.fromkeys(rows, 1)).count("|   1 |") == len(rows)


@pytest.mark.long
def test_a_command_enters_the_modules_whose_functions_run(tmp_path: Path) -> None:
    found = house.traced(["rule", "FICT203"], tmp_path, "rule")
    assert "fictc/__main__.py" in found and found == sorted(set(found))
    assert len(found) < len(house.parsed(ROOT, house.PACKAGES)) / 4
