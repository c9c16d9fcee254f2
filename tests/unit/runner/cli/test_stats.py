"""`fictc stats` as its user runs it."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from runner.cli import fictc
from runner.errors import InputError
from tests.support import corpora
from tests.unit.runner.corpus.test_statistics import TEXT


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpora.store(tmp_path_factory.mktemp("stats"), TEXT).path


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(fictc, ["stats", *map(str, arguments)])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_frequency_in_three_formats(store: Path) -> None:
    table = run("frequency", store, "--by", "genre", "--layer", "upos")
    assert table.exit_code == 0
    assert table.stderr == "note: 1 sentence has no genre: omitted\n"
    assert "NOUN" in table.stdout and "50.00%" in table.stdout
    rows = list(csv.DictReader(io.StringIO(run("frequency", store, "--layer", "upos", "--format", "csv").stdout)))
    assert {row["value"]: int(row["words"]) for row in rows}["NOUN"] == 3
    found = json.loads(run("frequency", store, "--by", "genre", "--format", "json").stdout)
    assert found["words"] == {"blog": 2, "news": 4}
    assert {row["layer"] for row in found["rows"]} == {"upos", "xpos", "deprel", "Number"}


def test_divergence_says_its_base(store: Path, tmp_path: Path) -> None:
    nats = run("divergence", store, "--by", "genre", "--layer", "Number").stdout
    bits = run("divergence", store, "--by", "genre", "--layer", "Number", "--base", "2").stdout
    assert "in nats" in nats and "0.3466" in nats
    assert "in bits" in bits and "0.5000" in bits
    found = json.loads(run("divergence", store, "--by", "genre", "--format", "json").stdout)
    assert found["parts"] == [
        {"name": "blog", "sentences": 1, "words": 2},
        {"name": "news", "sentences": 2, "words": 4},
    ]
    assert found["layers"][0]["mean_bits"] == pytest.approx(found["layers"][0]["mean_nats"] / 0.693147, rel=1e-5)
    page = tmp_path / "genres.html"
    assert run("divergence", store, "--by", "genre", "-o", page).stdout == f"{page}\n"
    assert "Jensen-Shannon" in page.read_text(encoding="utf-8")
    run("divergence", store, "--by", "genre", "-o", tmp_path / "genres.svg")
    assert (tmp_path / "genres.svg").read_text(encoding="utf-8").startswith('<?xml version="1.0"')
    with pytest.raises(InputError, match="FICT796"):
        run("divergence", store, "--by", "source")
    for options, found in (
        (("-o", tmp_path / "genres.json"), "--output writes a .html or .svg file, not genres.json."),
        (("-o", page, "--format", "json"), "--output and --format exclude each other"),
    ):
        assert found in run("divergence", store, "--by", "genre", *options).stderr
    assert not (tmp_path / "genres.json").exists()


def test_marked_association_and_overlap(store: Path, tmp_path: Path) -> None:
    assert "unseen" in run("marked", store, "--by", "genre", "--min", 2).stdout
    found = json.loads(
        run("association", store, "--by", "genre", "--value", "news", "--min", 1, "--format", "json").stdout
    )
    row = next(row for row in found["rows"] if (row["layer"], row["value"]) == ("Number", "Plur"))
    assert (row["here"], row["elsewhere"]) == (2, 0)
    top = run("association", store, "--by", "genre", "--value", "news", "--min", 1, "--top", 1, "--format", "json")
    assert len(json.loads(top.stdout)["rows"]) < 3 < len(found["rows"])
    suite = tmp_path / "suite.csv"
    suite.write_text("good,bad\nDogs bark.,Dogs barks.\n", encoding="utf-8")
    overlap = json.loads(run("overlap", store, suite, "--words", 2, "--format", "json").stdout)
    assert overlap["listed"]["all"]["exactly"] == ["Dogs bark."]
    assert "all: Dogs bark." in run("overlap", store, suite).stdout


def test_one_part_alone_is_compared_with_nothing(store: Path) -> None:
    for asked in (["marked"], ["association", "--value", "corpus.conllu"]):
        with pytest.raises(InputError, match="FICT796") as error:
            run(asked[0], store, "--by", "source", *asked[1:])
        assert "`source` divides the corpus into 1 part; a comparison needs at least 2 parts" in str(error.value)


def test_overlap_takes_what_score_takes_without_what_models_need(store: Path, tmp_path: Path) -> None:
    region = {"region_number": 1, "content": "cats"}
    gym = {
        "meta": {"name": "x"},
        "predictions": [{"type": "formula", "formula": "(1;%a%) < (1;%a%)"}],
        "items": [{"item_number": 1, "conditions": [{"condition_name": "a", "regions": [region]}]}],
    }
    suites = {"rated.csv": "sentence,rating\ncats,1\n", "plain.txt": "cats\n", "gym.json": json.dumps(gym)}
    suites["alternants.csv"] = "first,second\ncats,no words\n"
    script = "import sys\nfrom runner.cli import fictc\nfictc(sys.argv[1:], standalone_mode=False)\n"
    script += "assert 'torch' not in sys.modules"
    for name, text in suites.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = json.loads(run("overlap", store, tmp_path / name, "--format", "json").stdout)
        assert found["listed"]["all"]["exactly"] == ["cats"]
    subprocess.run([sys.executable, "-c", script, "stats", "overlap", store, tmp_path / "gym.json"], check=True)


def test_cooccurrence_of_two_filters(store: Path, tmp_path: Path) -> None:
    (tmp_path / "two.fict").write_text(
        "fict 1\n\nfilter nouns {\n  match { N:NOUN }\n}\n\nfilter plurals {\n  match { N[Number = Plur] }\n}\n",
        encoding="utf-8",
    )
    found = json.loads(run("cooccurrence", tmp_path / "two.fict", "--corpus", store, "--format", "json").stdout)
    (row,) = found["rows"]
    assert [row[key] for key in ("both", "only_a", "only_b", "neither")] == [2, 1, 0, 1]
    assert row["expected"] == pytest.approx(3 * 2 / 4)
    assert run("cooccurrence", f"{tmp_path / 'two.fict'}::nouns", "--corpus", store).exit_code == 2


def test_a_separator_needs_a_key_and_a_character(store: Path) -> None:
    assert "--until requires --by" in run("frequency", store, "--until", "-").stderr
    assert "--until expects a SEPARATOR" in run("frequency", store, "--by", "sent_id", "--until", "").stderr


def test_forms_and_lemmas_are_counted_as_written_unless_lower_is_given(tmp_path: Path) -> None:
    blocks = [
        f"# speaker = {speaker}\n1\t{form}\t{form}\tX\t_\t_\t0\troot\t_\t_\n\n"
        for speaker, form in (("A", "Essen"), ("B", "essen"))
    ]
    (tmp_path / "a.conllu").write_text("".join(blocks))
    command = ("divergence", tmp_path / "a.conllu", "--by", "speaker", "--layer")
    for layer in ("form", "lemma"):
        assert "0.69" in run(*command, layer).output
        assert "0.69" not in run(*command, layer, "--lower").output
