"""`fictc corrupt` as its user sees it: pairs to judge, and what the judges left."""

from click.testing import CliRunner

from runner.cli import fictc
from runner.corpus.import_conllu import import_files
from runner.errors import InputError
from runner.sample.corpus import generate


def test_pairs_are_made_judged_and_kept(tmp_path):
    generate(tmp_path / "sample", sentences=100, pairs=1, seed=3)
    import_files([tmp_path / "sample" / "train.conllu"], tmp_path / "store")
    pairs, kept = tmp_path / "pairs.csv", tmp_path / "kept.csv"
    (tmp_path / "words.txt").write_text("of\n", encoding="utf-8")
    options = ["-o", str(pairs), "-n", "5", "--words", str(tmp_path / "words.txt")]
    made = CliRunner().invoke(fictc, ["corrupt", str(tmp_path / "store"), *options])
    assert made.exit_code == 0 and "15 pairs" in made.output
    lines = pairs.read_text(encoding="utf-8").splitlines()
    assert all(" of " in line for line in lines if line.startswith("insert-word"))
    pairs.write_text("\n".join([lines[0], *(line[:-1] + "0,0" for line in lines[1:])]) + "\n", encoding="utf-8")
    left = CliRunner().invoke(fictc, ["corrupt", "--reviewed", str(pairs), "-o", str(kept)])
    assert left.exit_code == 0 and "15 of 15 pairs" in left.output
    assert kept.read_bytes() == pairs.read_bytes()


def test_words_in_another_encoding_are_refused(tmp_path):
    generate(tmp_path / "sample", sentences=20, pairs=1, seed=3)
    import_files([tmp_path / "sample" / "train.conllu"], tmp_path / "store")
    (tmp_path / "words.txt").write_bytes("caf\u00e9\n".encode("latin-1"))
    options = ["-o", str(tmp_path / "pairs.csv"), "--words", str(tmp_path / "words.txt")]
    done = CliRunner().invoke(fictc, ["corrupt", str(tmp_path / "store"), *options])
    assert isinstance(done.exception, InputError) and done.exception.diagnostics[0].code == "FICT701"


def test_columns_that_people_added_stay(tmp_path):
    judged, kept = tmp_path / "judged.csv", tmp_path / "kept.csv"
    lines = ["good,bad,judgement_1,judgement_2,why", "A b.,B a.,0,0,odd", "A c.,C a.,0,1,fine"]
    judged.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    left = CliRunner().invoke(fictc, ["corrupt", "--reviewed", str(judged), "-o", str(kept)])
    assert left.exit_code == 0 and "1 of 2 pairs" in left.output
    assert kept.read_text(encoding="utf-8").splitlines() == lines[:2]


def test_fewer_pairs_than_asked_for_are_told(tmp_path):
    generate(tmp_path / "sample", sentences=20, pairs=1, seed=3)
    import_files([tmp_path / "sample" / "train.conllu"], tmp_path / "store")
    (tmp_path / "words.txt").write_text("", encoding="utf-8")

    def notes(*options):
        done = CliRunner().invoke(fictc, ["corrupt", str(tmp_path / "store"), "-o", str(tmp_path / "p.csv"), *options])
        assert done.exit_code == 0
        return [line for line in done.output.splitlines() if line.startswith("note: ")]

    assert notes("-n", "5") == []
    nothing = notes("-n", "5", "--words", str(tmp_path / "words.txt"))
    assert nothing == ["note: insert-word applies to 0 sentences, not the 5 requested"]
    assert [line.split()[1] for line in notes("-n", "1000")] == ["delete-root", "swap-neighbours", "insert-word"]


def test_one_of_a_store_and_judged_pairs_is_needed(tmp_path):
    done = CliRunner().invoke(fictc, ["corrupt", "-o", str(tmp_path / "pairs.csv")])
    assert done.exit_code == 2 and "expected either STORE or --reviewed" in done.output
    options = ["--reviewed", str(tmp_path / "judged.csv"), "-n", "10", "-o", str(tmp_path / "pairs.csv")]
    done = CliRunner().invoke(fictc, ["corrupt", *options])
    assert done.exit_code == 2 and "-n requires STORE" in done.output
