"""The recipes of CONTRIBUTING.md, followed literally: what they name is written into a copy of the code, and works."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from runner.model.saved import save_model
from tests.support.models import LSTM, saved
from tests.support.results import Fabricated

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
RULE = '''"""A filter with a short name.

## What
A name of one letter.

## Why
It says nothing.

## Example
```fict
filter f { match { N:NOUN } }
```

## Use instead
```fict
filter nouns { match { N:NOUN } }
```
"""

from fictdsl.lint.rule_context import Findings, LintContext, Rule
from fictdsl.syntax import nodes

RULE = Rule("FICT598", "filter `{name}` has a short name", "It says nothing.")


@RULE.over(LintContext.queries)
def check(context: LintContext, query: nodes.Query) -> Findings:
    """Look at the name of a filter."""
    if len(query.name.text) == 1:
        yield context.report(RULE, query.name.span, name=query.name.text)
'''
FORMAT = '    "number": ("how many sentences match", lambda request: click.echo(len(request.sids()))),\n'
INTERVENTION = '''"""`reverse = true`: with the words of each sentence in reverse order."""

from runner.conditions.intervention import Key
from runner.conditions.intervention import WordEdit


class Reverse(WordEdit[bool]):
    """Reverse the words of each sentence."""

    key = "reverse"
    usage = "reverse = true"
    doc = "with the words of each sentence in reverse order"
    value = Key(bool, False)

    def content(self, context):
        return {"reverse": True}

    def describe(self, context):
        return "words in reverse order"

    def edits(self, context, store, base, folder):
        from runner.corpus.sentence_arrays import read_lines
        from runner.conditions.edits import Edit

        for sid, line in enumerate(read_lines(store)):
            words = line.split()
            yield Edit(sid, " ".join(reversed(words)), 1, len(words), 0)


INTERVENTION = Reverse()
'''
MANIFEST = """
[experiment]
name = "reversed"
seeds = [1]
[corpus]
sample = { sentences = 120, pairs = 2 }
[[condition]]
name = "backwards"
reverse = true
[tokenizer]
size = 200
[[model]]
preset = "lstm-128"
training = { tokens = 64, batch = 2, block = 16 }
[[evaluate]]
name = "pairs"
path = "sample"
paradigms = ["determiner_noun_agreement_1"]
"""
PRESET = """
[presets.dummy]
model = { architecture = "lstm", layers = 1, hidden = 24 }
training = { epochs = 1.0 }
"""
FIGURE = '''"""The number of targeted cells."""

from collections.abc import Iterator

from runner.report.statistics import Analysis
from runner.report.section import Figure
from runner.report.markup import drawing, svg_text

SECTION = "targeted"


def figures(analysis: Analysis) -> Iterator[Figure]:
    """Yield one figure."""
    yield Figure("dummy", "How many cells", drawing([svg_text(f"{len(analysis.targeted_contrasts)} cells", 0, 12)], 90, 20, "n"))
'''
INTERVAL = """
CERTAIN = Method("certain", "certain interval", "Nobody 1900", "It always holds the change.")


def certain(sides: Sides) -> Difference | None:
    return replace(inference.welch(list(sides.a.values()), list(sides.b.values())), low=-1.0, high=1.0)


"""
PAIRS = '''"""Pairs with a bar between their sentences."""

from collections.abc import Iterator
from pathlib import Path

from runner.score.suite_files import Pair, suite_text

NAME = ".bars"


def claims(path: Path) -> bool:
    """Return whether this is such a file."""
    return path.suffix == ".bars"


def pairs(path: Path) -> Iterator[Pair]:
    """Yield a pair per line."""
    for number, line in enumerate(suite_text(path).splitlines()):
        good, bad = line.split("|")
        yield Pair(path.stem, "", "", number, good, bad)
'''
KIND = '''"""Sentences of which the first should have the highest score."""

from pathlib import Path

from runner.score.ratings import Rated, Sentences, SentencesKind
from runner.score.suite_files import suite_text
from runner.score.suite_kind import Answer, Usage


class Choice(Sentences):
    """Sentences, the right one first."""


class ChoiceKind(SentencesKind):
    """A choice of sentences."""

    name = title = "choice"
    usage = Usage("choice", "a .choice file", "For a choice, right is whether the first sentence has the highest score.")
    suite, file, results = Choice, "choice.csv", "choice.parquet"

    def claims(self, path: Path) -> bool:
        return path.suffix == ".choice"

    def open(self, path, name=None, **options):
        return Choice(name or path.stem, [Rated(line) for line in suite_text(path).splitlines()])

    def answer(self, table, convention):
        scores = table["score"].to_pylist()
        record = {"choice": "first", "right": float(scores[0] == max(scores)), "logprob": scores[0], "of": len(scores)}
        return Answer("choices", [record], shares=("right",))
'''
COLUMN = '        Column("dependents", "int32", required=True),\n'
VERSIONS = ("VERSION = 4", "VERSION = 5")
COMPUTED = '''
    @property
    def dependents(self) -> Ints:
        """The number of dependents of each word."""
        first = np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)
        return np.bincount((first + self.heads - 1)[self.heads > 0], minlength=len(self.heads))
'''
ATTRIBUTE = (
    '    "dependents": AttributeEntry(Kind.NUMBER, "number of dependents", "dependents", required=True, least=0),\n'
)
REFERENCE = (
    '    "dependents": lambda sentence, word: sum(other.head == _required(word).id for other in sentence.words),\n'
)
VOWELS = """    "form.vowels": AttributeEntry(
        Kind.NUMBER, "number of vowels", "form_vowels", required=True, unit="vowel", least=0,
        sql="LENGTH({0}) - LENGTH(TRANSLATE({0}, 'aeiou', ''))",
    ),
"""
VOWELS_REFERENCE = '    "form.vowels": lambda _, word: sum(char in "aeiou" for char in _required(word).form),\n'
SENTENCE_COLUMN = '        Column("last_head", "int32"),\n'
SENTENCE_VALUES = """            np.maximum.reduceat(structure.heads, np.cumsum(structure.lengths) - structure.lengths),
"""
SENTENCE_ATTRIBUTE = '    "last_head": AttributeEntry(Kind.NUMBER, "last head", "last_head", required=True, least=0),\n'
SENTENCE_REFERENCE = '    "last_head": lambda sentence, _: max(word.head for word in sentence.words),\n'
DIALECT = '    Dialect("sqlite", "NO_SUCH_FUNCTION", materialized=True),\n'
ROWS = [(0, 1, "NOUN", "nsubj", 2), (0, 2, "VERB", "root", 0), (1, 1, "DET", "det", 2), (1, 2, "NOUN", "root", 0)]
TREES = "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the code, and a filter and a store beside it."""
    for name in ("fictc", "fictdsl", "runner", "grammar", "messages", "filters"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "f.fict").write_text('fict 1\n\nfilter f {\n  about "Nouns."\n\n  match { N:NOUN }\n}\n')
    (tmp_path / "trees.conllu").write_text(TREES)
    return tmp_path


def fictc(checkout: Path, *words: str) -> str:
    """What a command of the copy prints."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "XDG_CACHE_HOME": str(checkout / "cache")}
    command = [sys.executable, "-m", "runner.cli", *words]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def recipe(name: str) -> str:
    """The first file of a row of the table in CONTRIBUTING.md, with a dummy's name."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {re.escape(name)} \| [^`]*`([^`]+)`", text, re.MULTILINE)
    assert row is not None, name
    return row[1]


def insert(file: Path, after: str, text: str) -> None:
    """Insert a text after another one in a file."""
    assert file.read_text().count(after) == 1
    file.write_text(file.read_text().replace(after, after + text))


def test_a_lint_rule_is_one_file(checkout: Path) -> None:
    path = recipe("lint rule").replace("<name>", "short_name")
    (checkout / path).write_text(RULE)
    assert "warning[FICT598]: filter `f` has a short name" in fictc(checkout, "lint", "f.fict")
    assert "A name of one letter." in fictc(checkout, "rule", "short-name")


def test_an_output_format_of_match_is_an_entry_of_one_file(checkout: Path) -> None:
    formats = "FORMATS: dict[str, tuple[str, Callable[[MatchRequest], None]]] = {\n"
    insert(checkout / recipe("output format of `fictc match`"), formats, FORMAT)
    fictc(checkout, "import", "trees.conllu", "-o", "store")
    assert fictc(checkout, "match", "f.fict", "-c", "store", "--format", "number") == "1\n"


def add_the_intervention(checkout: Path) -> None:
    """Write the file that the recipe names, and its key among the keys."""
    (checkout / recipe("intervention").replace("<name>", "reverse")).write_text(INTERVENTION)
    insert(checkout / "runner/conditions/__init__.py", '    "substitute",\n', '    "reverse",\n')


def test_an_intervention_is_one_file_and_a_word(checkout: Path) -> None:
    add_the_intervention(checkout)
    (checkout / "m.toml").write_text(MANIFEST)
    plan = fictc(checkout, "plan", "m.toml", "--steps")
    assert "words in reverse order" in plan and "editing the corpus of backwards" in plan
    assert "edited: 120" in fictc(checkout, "show", "m.toml", "--condition", "backwards", "--cache", "made")
    texts = [path.read_text().splitlines() for path in checkout.glob("made/corpus/*/text.txt")]
    texts.sort(key=lambda lines: lines[0].endswith("."))
    assert [line.split() for line in texts[0]] == [line.split()[::-1] for line in texts[1]]


def test_a_new_intervention_trains(checkout: Path) -> None:
    add_the_intervention(checkout)
    (checkout / "m.toml").write_text(MANIFEST)
    assert "report: " in fictc(checkout, "run", "m.toml", "--output", "run")
    assert "words in reverse order" in (checkout / "run/report.html").read_text()


def add_column(checkout: Path) -> None:
    """Follow the recipe of a store column."""
    schema = checkout / recipe("store column")
    insert(schema, '    "tokens": (\n        _SID,\n        _ID,\n', COLUMN)
    assert VERSIONS[0] in schema.read_text()
    schema.write_text(schema.read_text().replace(*VERSIONS))
    insert(checkout / "runner/corpus/conllu_validation.py", "    edges: EnhancedEdges\n", COMPUTED)


def test_a_store_column_is_two_files_and_stores_are_imported_again(checkout: Path) -> None:
    fictc(checkout, "import", "trees.conllu", "-o", "store")
    add_column(checkout)
    assert "FICT741" in fictc(checkout, "count", "f.fict", "-c", "store")
    fictc(checkout, "import", "trees.conllu", "-o", "store", "--force")
    assert re.search("^f +1 +1 +100.00%", fictc(checkout, "count", "f.fict", "-c", "store"), re.MULTILINE)
    script = (
        "import duckdb; print(duckdb.sql('SELECT dependents FROM \"store/tokens/*.parquet\" ORDER BY id').fetchall())"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True, check=True)
    assert done.stdout == "[(0,), (1,)]\n"


def test_a_token_attribute_is_two_files_beyond_its_column(checkout: Path) -> None:
    add_column(checkout)
    insert(checkout / recipe("token attribute"), "WORD: dict[str, AttributeEntry] = {\n", ATTRIBUTE)
    insert(checkout / "fictdsl/reference/sentences.py", "_NUMBERS: dict[str, Number] = {\n", REFERENCE)
    clauses = "A[dependents = 1, has dependents]  B  A.dependents > B.dependents"
    (checkout / "g.fict").write_text(
        f'fict 1\n\nfilter g {{\n  about "Few dependents."\n\n  match {{ {clauses} }}\n}}\n'
    )
    (checkout / "examples").mkdir()
    (checkout / "examples" / "g.conllu").write_text(f"# expect = match\n# bind = A:2 B:1\n{TREES}")
    assert "by the reference and the SQL: none failed" in fictc(checkout, "test", "g.fict")
    assert "number of dependents of A is 1" in fictc(checkout, "explain", "g.fict")
    assert "FICT409" in fictc(checkout, "compile", "g.fict", "--columns", "conllu")


def test_a_number_of_a_token_attribute_is_two_files(checkout: Path) -> None:
    insert(checkout / recipe("token attribute"), "WORD: dict[str, AttributeEntry] = {\n", VOWELS)
    insert(checkout / "fictdsl/reference/sentences.py", "_NUMBERS: dict[str, Number] = {\n", VOWELS_REFERENCE)
    clauses = (
        "N:NOUN[form.vowels >= 1, form.vowels < 2, has form.vowels]  V[form.vowels != 0]  N.form.vowels = V.form.vowels"
    )
    text = f'fict 1\n\nfilter g {{\n  about "One vowel."\n\n  match {{ {clauses} }}\n}}\n'
    (checkout / "g.fict").write_text(text)
    (checkout / "examples").mkdir()
    (checkout / "examples" / "g.conllu").write_text(f"# expect = match\n# bind = N:1 V:2\n{TREES}")
    assert "by the reference and the SQL: none failed" in fictc(checkout, "test", "g.fict")
    assert "the form of N has at least 1 vowel" in fictc(checkout, "explain", "g.fict")
    fictc(checkout, "lint", "--fix", "g.fict")
    assert "N:NOUN[form.vowels >= 1, form.vowels < 2]" in (checkout / "g.fict").read_text()
    assert "LENGTH(TRANSLATE(" in fictc(checkout, "compile", "g.fict", "--columns", "conllu", "--dialect", "spark")
    fictc(checkout, "import", "trees.conllu", "-o", "store")
    counts = fictc(checkout, "show", "g.fict", "-c", "store", "--by", "form.vowels(N)")
    assert re.search("^1 +1 +", counts, re.MULTILINE)


def test_an_attribute_of_sentences_is_one_file_beyond_its_column(checkout: Path) -> None:
    schema, tables = checkout / recipe("token attribute"), checkout / "runner/corpus/conllu_tables.py"
    insert(schema, '        Column("length", "int32"),\n', SENTENCE_COLUMN)
    insert(schema, "SENTENCE: dict[str, AttributeEntry] = {\n", SENTENCE_ATTRIBUTE)
    insert(tables, "            structure.lengths,\n", SENTENCE_VALUES)
    insert(checkout / "fictdsl/reference/sentences.py", "_NUMBERS: dict[str, Number] = {\n", SENTENCE_REFERENCE)
    text = 'fict 1\n\nfilter g {\n  about "Some edge."\n\n  match { sentence[last_head >= 1] }\n}\n'
    (checkout / "g.fict").write_text(text)
    (checkout / "examples").mkdir()
    (checkout / "examples" / "g.conllu").write_text(f"# expect = match\n{TREES}")
    assert "by the reference and the SQL: none failed" in fictc(checkout, "test", "g.fict")
    assert fictc(checkout, "lint", "g.fict").startswith("1 file")
    assert "sentence.last_head" in fictc(checkout, "compile", "g.fict", "--columns", "conllu")
    fictc(checkout, "import", "trees.conllu", "-o", "store")
    assert re.search("^2 +1 +", fictc(checkout, "show", "g.fict", "-c", "store", "--by", "last_head"), re.MULTILINE)


def test_a_dialect_of_sql_is_an_entry_of_one_file(checkout: Path) -> None:
    insert(checkout / recipe("SQL dialect"), "_DIALECTS = (\n", DIALECT)
    clauses = "A[deprel == nsubj or deprel == root]  A:NOUN  without { A -> B:DET }"
    (checkout / "g.fict").write_text(f"fict 1\n\nfilter g {{ match {{ {clauses} }} }}\n")
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE tokens (sid, id, upos, deprel, head)")
        database.executemany("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", ROWS)
        assert database.execute(fictc(checkout, "compile", "g.fict", "--dialect", "sqlite")).fetchall() == [(0, 1)]


def test_a_model_preset_is_an_entry_of_one_file(checkout: Path) -> None:
    with (checkout / recipe("model preset")).open("a") as file:
        file.write(PRESET)
    script = "from runner.model.training import PRESETS; print(PRESETS['dummy'].model.hidden)"
    done = subprocess.run([sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True, check=True)
    assert done.stdout == "24\n"


@pytest.fixture
def run(checkout: Path) -> Path:
    """The results of a run beside the copy of the code."""
    Fabricated(items=8).write(checkout / "run" / "results")
    return checkout / "run"


def test_a_figure_is_one_file(checkout: Path, run: Path) -> None:
    (checkout / recipe("figure").replace("<name>", "dummy")).write_text(FIGURE)
    fictc(checkout, "report", "run")
    assert "8 cells" in (run / "report" / "dummy.svg").read_text(encoding="utf-8")
    assert "<figcaption>How many cells</figcaption>" in (run / "report.html").read_text(encoding="utf-8")


def test_an_interval_is_in_one_file(checkout: Path, run: Path) -> None:
    file = checkout / recipe("interval of a change")
    file.write_text(file.read_text().replace("Interval: TypeAlias", f"{INTERVAL}Interval: TypeAlias"))
    insert(file, "    (WELCH, welch),\n", "    (CERTAIN, certain),\n")
    document = json.loads(fictc(checkout, "report", "run", "--format", "json"))
    assert {(row["certain_low"], row["certain_high"]) for row in document["tables"]["targeted"]} == {(-1.0, 1.0)}
    assert document["methods"]["certain interval"] == "It always holds the change. (Nobody 1900)"
    fictc(checkout, "report", "run")
    assert "certain interval [−100.0, +100.0]" in (run / "report.html").read_text(encoding="utf-8")


def test_a_format_of_minimal_pairs_is_one_file(checkout: Path) -> None:
    (checkout / recipe("format of minimal pairs").replace("<name>", "bars")).write_text(PAIRS)
    (checkout / "suite.bars").write_text("dogs bark|dogs barks\n")
    script = "from runner.score.any_suite import open_suite; from pathlib import Path; "
    script += "print(open_suite(Path('suite.bars')).items[0].bad)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=checkout, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(checkout)},
    )  # fmt: skip
    assert done.stdout == "dogs barks\n"


def test_a_kind_of_suite_is_one_file_and_its_entry(checkout: Path) -> None:
    (checkout / recipe("kind of suite").replace("<name>", "choice")).write_text(KIND)
    kinds = checkout / "runner/score/any_suite.py"
    insert(kinds, "from typing import TYPE_CHECKING, Any, Unpack\n", "from runner.score.choice import ChoiceKind\n")
    insert(kinds, "KINDS: tuple[SuiteKind[Any], ...] = (", "ChoiceKind(), ")
    model = saved(LSTM)
    save_model(replace(model, folder=checkout / "model", about={"context": 1}))
    (checkout / "x.choice").write_text("the cat sees the dogs .\nthe dogs .\nthe cat see the dogs .\n")
    assert re.search(r"first +0\.0 % +-[\d.]{5,6} +3\n", fictc(checkout, "score", "model", "x.choice"))
    page = fictc(checkout, "score", "--help")
    assert "or choice." in page and "    choice          a .choice file\n" in page
    assert "For a choice, right is whether" in page
