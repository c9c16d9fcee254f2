"""`fictc apply`: the corpus that is left, what each action took, and where it goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import corpora
from tests.support.terminal import printed
from tests.unit.runner.cli.conftest import Fictc

CONLLU = """# sent_id = s1
# text = The dog in the park can't bark.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tdog\tdog\tNOUN\tNN\t_\t8\tnsubj\t_\t_
3\tin\tin\tADP\tIN\t_\t5\tcase\t_\t_
4\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_
5\tpark\tpark\tNOUN\tNN\t_\t2\tnmod\t_\t_
6-7\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
6\tca\tcan\tAUX\tMD\t_\t8\taux\t_\t_
7\tn't\tnot\tPART\tRB\t_\t8\tadvmod\t_\t_
8\tbark\tbark\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
9\t.\t.\tPUNCT\t.\t_\t8\tpunct\t_\t_

# text = Dogs
1\tDogs\tdog\tNOUN\tNNS\t_\t0\troot\t_\t_

# sent_id = s3
# text = It  rains.
1\tIt\tit\tPRON\tPRP\t_\t2\texpl\t_\t_
2\trains\train\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
FILTERS = """fict 1
filter modifier { about "A modifier." match { N -[nmod]-> M } remove subtree(M) count node(N) }
filter negation { about "A negation." match { X[lemma = not] } mask node(X) }
filter noun { about "A noun." match { N:NOUN } remove node(N) }
filter verbal { about "A verb." match { V:VERB } keep sentence }
filter expletive { about "An expletive." match { X[deprel = expl] } }
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return corpora.store(tmp_path, CONLLU, "three.conllu").path


@pytest.fixture
def filters(tmp_path: Path) -> Path:
    path = tmp_path / "filters.fict"
    path.write_text(FILTERS)
    return path


@pytest.mark.parametrize(
    ("names", "left"),
    [
        (["modifier"], ["The dog can't bark.", "Dogs", "It  rains."]),
        (["negation"], ["The dog in the park <mask> bark.", "Dogs", "It  rains."]),
        (["modifier", "negation"], ["The dog <mask> bark.", "Dogs", "It  rains."]),
        (["noun"], ["The in the can't bark.", "It  rains."]),  # one is left without a word
        (["verbal"], ["The dog in the park can't bark.", "It  rains."]),
        (["verbal", "expletive", "negation"], ["The dog in the park <mask> bark."]),
        (["modifier", "negation", "noun", "expletive"], ["The <mask> bark."]),
    ],
)
def test_what_is_left(call: Fictc, filters: Path, store: Path, names: list[str], left: list[str]) -> None:
    ended = call("apply", *(f"{filters}::{name}" for name in names), "--corpus", store)
    assert ended.out.split("\n") == [*left, ""]


def test_every_sentence_says_what_was_taken(call: Fictc, filters: Path, store: Path) -> None:
    chosen = [f"{filters}::{name}" for name in ("modifier", "negation", "verbal")]
    lines = call("apply", *chosen, "--corpus", store, "--format", "jsonl").out.splitlines()
    found = [json.loads(line) for line in lines]
    assert [(one["source"], one["number"], one["sent_id"], one["text"]) for one in found] == [
        ("three.conllu", 1, "s1", "The dog <mask> bark."),
        ("three.conllu", 2, None, None),
        ("three.conllu", 3, "s3", "It  rains."),
    ]
    assert [one["taken"] for one in found] == [
        [
            {"filter": "modifier", "action": "remove subtree(M)", "targets": 1, "words": [3, 4, 5]},
            {"filter": "modifier", "action": "count node(N)", "targets": 1, "words": []},
            {"filter": "negation", "action": "mask node(X)", "targets": 1, "words": [7]},
        ],
        [{"filter": "verbal", "action": "keep sentence", "targets": 1, "words": []}],
        [],
    ]


def test_a_table_says_what_each_action_took(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("apply", filters, "--corpus", store, "--dry-run")
    assert ended.out == ""
    assert ended.err.splitlines() == [
        "filter     action             sentences  targets  words",
        "modifier   remove subtree(M)          1        1      3",
        "modifier   count node(N)              1        1",
        "negation   mask node(X)               1        1      1",
        "noun       remove node(N)             2        3      3",
        "verbal     keep sentence              1        1",
        "expletive  remove sentence            1        1",
        "3 sentences: 2 omitted, 1 changed, 0 unchanged",
    ]


def test_a_file_is_whole_or_not_there(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    output = tmp_path / "left" / "corpus.txt"
    assert call("apply", f"{filters}::modifier", "--corpus", store, "--output", output).out == ""
    assert output.read_text() == "The dog can't bark.\nDogs\nIt  rains.\n"
    (tmp_path / "clash.fict").write_text('fict 1 filter clash { match { X[lemma = not] } mask node(X) with "…" }')
    ended = call("apply", f"{filters}::negation", tmp_path / "clash.fict", "--corpus", store, "--output", output)
    assert [code for code, _, _ in ended.problems] == ["FICT747"]
    assert output.read_text().startswith("The dog can't")
    assert [path.name for path in output.parent.iterdir()] == ["corpus.txt"]


def test_a_filter_that_matches_nothing_leaves_everything(call: Fictc, filters: Path, store: Path) -> None:
    path = filters.with_name("nothing.fict")
    path.write_text("fict 1 filter nothing { match { N[lemma = cat] } remove node(N) mask node(N) count node(N) }")
    ended = call("apply", path, "--corpus", store)
    assert ended.out == "The dog in the park can't bark.\nDogs\nIt  rains.\n"
    assert ended.err.splitlines()[-1] == "3 sentences: 0 omitted, 0 changed, 3 unchanged"
    path.write_text("fict 1 filter everything { match { N } keep sentence }")
    assert call("apply", path, "--corpus", store).out == ended.out


def test_the_union_does_not_depend_on_the_order(call: Fictc, filters: Path, store: Path) -> None:
    chosen = [f"{filters}::{name}" for name in ("negation", "modifier", "verbal", "noun")]
    assert call("apply", *chosen, "--corpus", store).out == call("apply", *reversed(chosen), "--corpus", store).out


@pytest.mark.parametrize("kind", ["text", "conllu"])
def test_each_filter_leaves_what_it_leaves_alone(
    call: Fictc, filters: Path, store: Path, tmp_path: Path, kind: str
) -> None:
    names = ["verbal", "expletive", *(["noun", "modifier"] if kind == "text" else [])]
    folder, ending = tmp_path / "left", {"text": "txt", "conllu": "conllu"}[kind]
    chosen = [f"{filters}::{name}" for name in names]
    ended = call("apply", *chosen, "--corpus", store, "--each", "--format", kind, "--output", folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{name}.{ending}" for name in names)
    for name, one in zip(names, chosen, strict=True):
        alone = call("apply", one, "--corpus", store, "--format", kind)
        assert (folder / f"{name}.{ending}").read_text() == alone.out
        for row in alone.err.splitlines()[1:-1]:
            assert row.split() in [line.split() for line in ended.err.splitlines()]
    assert f"{folder / f'verbal.{ending}'}: 2 sentences, 1 omitted" in ended.err


def test_whole_sentences_are_taken_as_one_by_one(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    """What is written a chunk at a time is what is put together sentence by sentence, for `--format jsonl`."""
    (tmp_path / "c.fict").write_text("fict 1 filter c { match { N:NOUN } count sentence } filter d { match { X:DET } }")
    for chosen in (["verbal"], ["expletive"], ["verbal", "expletive"]):
        given = [*(f"{filters}::{name}" for name in chosen), tmp_path / "c.fict", "--corpus", store]
        written = call("apply", *given)
        objects = call("apply", *given, "--format", "jsonl")
        texts = [json.loads(line)["text"] for line in objects.out.splitlines()]
        assert written.out.splitlines() == [text for text in texts if text is not None]
        assert written.err == objects.err


def test_conllu_of_what_is_left_is_byte_exact(call: Fictc, filters: Path, store: Path) -> None:
    ended = call("apply", f"{filters}::expletive", "--corpus", store, "--format", "conllu")
    assert ended.out == CONLLU[: CONLLU.index("# sent_id = s3")]


def test_a_terminal_shows_the_trees(filters: Path, store: Path, tmp_path: Path) -> None:
    """Filters that drop sentences and rewrites, in `--format conllu`, with the tabs of their columns."""
    trees = CONLLU[: CONLLU.index("# sent_id = s3")]
    options = ("--corpus", store, "--format", "conllu")
    assert printed(100, "apply", f"{filters}::expletive", *options) == trees
    path = tmp_path / "rewrite.fict"
    path.write_text("fict 1 rewrite none { match { V[form = absent] } set V.form = x }")
    assert printed(100, "apply", path, *options) == CONLLU
    assert printed(100, "export", store, "--format", "conllu") == CONLLU


def test_forms_without_inflection_are_counted_in_all_sentences(call: Fictc, store: Path, tmp_path: Path) -> None:
    """A sentence that does not change, because the lemma is unknown, is no changed sentence."""
    pytest.importorskip("lemminflect")
    path = tmp_path / "rewrite.fict"
    path.write_text("fict 1 rewrite past { match { A:VERB } set A.lemma = the set A.form = inflect(A.lemma, VBD) }")
    ended = call("apply", path, "--corpus", store, "--dry-run")
    assert (
        "3 sentences: 0 omitted, 2 changed, 1 unchanged\n2 forms not inflected, since their lemmas are unknown\n"
        in ended.err
    )
    path.write_text("fict 1 rewrite past { match { A[upos = DET] } set A.form = inflect(A.lemma, VBD) }")
    ended = call("apply", path, "--corpus", store, "--dry-run")
    assert ended.err.endswith("0 changed, 3 unchanged\n2 forms not inflected, since their lemmas are unknown\n")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--each"], "--each requires --output"),
        (["--each", "--output", "x", "--dry-run"], "--each and --dry-run exclude each other"),
        (["--each", "--output", "x", "--format", "jsonl"], "--each requires --format text or conllu"),
        (["--format", "conllu"], "modifier removes words from sentences"),
        (["--output", "x.conllu"], "--output x.conllu requires --format conllu"),
        (["--output", "x.JSONL"], "--output x.JSONL requires --format jsonl"),
    ],
)
def test_options_that_do_not_go_together(
    call: Fictc, filters: Path, store: Path, options: list[str], problem: str
) -> None:
    ended = call("apply", filters, "--corpus", store, *options)
    assert ended.code == 2
    assert problem in ended.err


def test_two_corpora_of_one_name(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.fict"
    other.write_text(FILTERS)
    chosen = [f"{one}::verbal" for one in (filters, other)]
    ended = call("apply", *chosen, "--corpus", store, "--each", "--output", tmp_path / "left")
    assert ended.code == 2
    assert "two filters would write verbal.txt" in ended.err
    assert not (tmp_path / "left").exists()


def test_each_filter_has_one_table(call: Fictc, filters: Path, store: Path, tmp_path: Path) -> None:
    ended = call("apply", f"{filters}::noun", "--corpus", store, "--each", "--output", tmp_path / "corpora")
    assert sum(line.startswith("filter") for line in ended.err.splitlines()) == 1
