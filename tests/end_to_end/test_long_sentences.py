"""Sentences of 400 to 10,000 words through every command that reads a corpus, as flat, deep and random trees."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from fictdsl.compiler import compile_text
from fictdsl.reference.sentences import Sentence, Word
from runner.cli import fictc
from tests.support import corpora
from tests.support.engines import reference_matches

SUBJECTS = 'filter subject {\n  about "A subject."\n  match { V -[nsubj]-> S }\n  remove sentence\n}\n'
BEFORE = (
    'filter before {\n  about "A subject before its head."\n  match { V -[nsubj]-> S  S << V }\n  remove sentence\n}\n'
)
ROOT = 'filter root {\n  about "The root."\n  match { V:VERB }\n  remove sentence\n}\n'
FILTERS = f"fict 1\n\n{SUBJECTS}\n{BEFORE}\n{ROOT}"


def heads(shape: str, size: int) -> list[int]:
    """The head of each word of a tree with one root."""
    dice = random.Random(size)
    match shape:
        case "flat":
            return [0] + [1] * (size - 1)
        case "chain":
            return list(range(size))
        case _:
            order = dice.sample(range(1, size + 1), size)
            found = [0] * size
            for at, word in enumerate(order[1:], 1):
                found[word - 1] = order[dice.randrange(at)]
            return found


def sentence(shape: str, size: int) -> Sentence:
    """A sentence in which every fiftieth word is a subject."""
    words = [
        Word(
            number,
            f"w{number}",
            f"w{number % 90}",
            "VERB" if head == 0 else "NOUN",
            head=head,
            deprel=_relation(number, head),
        )
        for number, head in enumerate(heads(shape, size), 1)
    ]
    return Sentence(tuple(words), {"sent_id": (f"{shape}-{size}",)}, text=" ".join(word.form for word in words))


def _relation(number: int, head: int) -> str:
    return "root" if not head else "nsubj" if number % 50 == 0 else "dep"


@dataclass
class Bench:
    """A treebank, its store, filters, and how many matches each filter has."""

    folder: Path
    bank: Sequence[Sentence]
    treebank: Path
    store: Path
    filters: Path
    matches: dict[str, int]

    def call(self, *arguments: object) -> str:
        """Run a command; its output."""
        ended = CliRunner().invoke(fictc, [str(argument) for argument in arguments])
        assert ended.exit_code == 0, (arguments, ended.output[-2000:], ended.exception)
        return ended.stdout


def bench(folder: Path, sizes: Sequence[int]) -> Bench:
    """A store of a sentence of each shape and size."""
    bank = [sentence(shape, size) for size in sizes for shape in ("flat", "chain", "random")]
    treebank, filters, store = folder / "long.conllu", folder / "long.fict", folder / "store"
    treebank.write_text(corpora.conllu(bank), encoding="utf-8")
    filters.write_text(FILTERS, encoding="utf-8")
    made = Bench(folder, bank, treebank, store, filters, expected(bank))
    made.call("import", treebank, "-o", store)
    return made


def expected(bank: Sequence[Sentence]) -> dict[str, int]:
    """The matches of each filter."""
    subjects = [word for each in bank for word in each.words if word.deprel == "nsubj"]
    return {"subject": len(subjects), "before": sum(word.id < word.head for word in subjects), "root": len(bank)}


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(tmp_path_factory.mktemp("long"), [400, 1_000, 4_000])


def test_what_is_expected_is_what_the_reference_finds() -> None:
    bank = [sentence(shape, 400) for shape in ("flat", "chain", "random")]
    found = {each.name: reference_matches(each, bank) for each in compile_text(FILTERS).filters}
    assert {name: sum(map(len, each.values())) for name, each in found.items()} == expected(bank)


def test_every_command(long: Bench) -> None:
    check_commands(long)


def test_what_is_shown(long: Bench) -> None:
    check_show(long)


@pytest.mark.slow
def test_ten_thousand_words(tmp_path: Path) -> None:
    made = bench(tmp_path, [10_000])
    check_commands(made)
    check_show(made)


def check_commands(long: Bench) -> None:
    """Each command ends, and gives what the treebank holds and the reference finds."""
    corpus = ("--corpus", long.store)
    sentences, words = len(long.bank), sum(len(each.words) for each in long.bank)
    counts = json.loads(long.call("count", long.filters, *corpus, "--format", "json"))
    assert {each["name"]: each["matches"] for each in counts["filters"]} == long.matches
    found = long.call("match", f"{long.filters}::subject", *corpus, "--format", "tsv").splitlines()
    assert sum(int(line.split("\t")[-1]) for line in found[1:]) == long.matches["subject"]
    for kind in ("text", "conllu"):
        assert long.call("apply", f"{long.filters}::subject", *corpus, "--format", kind).strip() == ""
    left = long.call("apply", f"{long.filters}::subject", *corpus, "--format", "jsonl").splitlines()
    assert [json.loads(line)["text"] for line in left] == [None] * sentences
    assert long.call("export", long.store, "--format", "conllu") == long.treebank.read_text("utf-8")
    assert f"{words:,}" in long.call("stats", "frequency", long.store)
    long.call("diff", f"{long.filters}::subject", f"{long.filters}::before", *corpus)
    long.call("explain", f"{long.filters}::subject", "--plan", *corpus)
    long.call("lint", "--isolated", "--corpus", long.store, long.filters)
    parts, merged = long.folder / "parts", long.folder / "merged"
    long.call("store", "split", long.store, "--sentences", 1, "-o", parts)
    assert len(list(parts.iterdir())) == sentences
    long.call("store", "merge", *sorted(parts.iterdir()), "-o", merged)
    long.call("index", merged)
    again = json.loads(long.call("count", long.filters, "--corpus", merged, "--format", "json"))
    assert again["filters"] == counts["filters"]


def check_show(long: Bench) -> None:
    """Text is cut to the words around a match. A drawing has every word, and the output counts what it leaves out."""
    asked = ("show", f"{long.filters}::subject", "--corpus", long.store)
    lines = long.call(*asked).splitlines()
    assert len(lines) == long.matches["subject"]
    assert all("…" in line and "/S" in line and "/V" in line and len(line) <= 520 for line in lines)
    page = long.call(*asked, "--format", "html")
    drawn = sum(
        min(sum(word.deprel == "nsubj" for word in each.words), max(1, 2_000 // len(each.words))) for each in long.bank
    )
    assert page.count("<svg") == drawn
    assert "more matches" in page
    tree = long.call(*asked, "--format", "tree", "-n", 1)
    assert "… " in tree
    drawing = long.folder / "one.svg"
    corpora.store(long.folder / "one", corpora.conllu(long.bank[-1:]))
    long.call(
        "show", f"{long.filters}::root", "--corpus", long.folder / "one" / "store", "--format", "svg", "-o", drawing
    )
    texts = ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}text")
    assert sum(text.get("class", "").startswith("form") for text in texts) == len(long.bank[-1].words)
