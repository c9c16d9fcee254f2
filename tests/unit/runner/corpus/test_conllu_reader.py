"""Every malformed tree is refused with its code and line; every valid one is read, however it is dressed."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.conllu_columns import Notes
from runner.corpus.conllu_reader import Block, Rejection, Tree, block_errors, check_trees, read_trees
from runner.corpus.import_conllu import import_files
from runner.corpus.surface import Token, read_surface
from runner.errors import InputError
from tests.support.plain_conllu import ColumnTree, read_columns

GOOD = """# sent_id = s1
# text = The dogs can't bark.
1	The	the	DET	DT	Definite=Def|PronType=Art	2	det	2:det	_
2	dogs	dog	NOUN	NNS	Number=Plur	5	nsubj	5:nsubj	_
3-4	can't	_	_	_	_	_	_	_	_
3	ca	can	AUX	MD	VerbForm=Fin	5	aux	5:aux	_
4	n't	not	PART	RB	Polarity=Neg	5	advmod	5:advmod	_
5	bark	bark	VERB	VB	VerbForm=Inf	0	root	0:root|5.1:dep	SpaceAfter=No
5.1	loud	loud	ADV	RB	_	_	_	5:advmod	CopyOf=5
6	.	.	PUNCT	.	_	5	punct	5:punct	_
"""


def rows(*lines: str) -> str:
    """Rows of a tree from `id form head` and optional `column=value`, the rest being `_`."""
    text = ""
    for line in lines:
        word_id, form, head, *more = line.split(" ")
        fields = {"lemma": "_", "upos": "NOUN", "xpos": "_", "feats": "_", "head": head}
        fields |= {"deprel": "root" if head == "0" else "dep", "deps": "_", "misc": "_"}
        fields |= dict(part.split("=", 1) for part in more)
        text += "\t".join([word_id, form, *fields.values()]) + "\n"
    return text


def changed(number: int, column: int, value: str) -> str:
    """The good sentence with one field changed; `number` counts lines from 1."""
    lines = GOOD.split("\n")
    fields = lines[number - 1].split("\t")
    fields[column] = value
    lines[number - 1] = "\t".join(fields)
    return "\n".join(lines)


def items(tmp_path: Path, data: str | bytes, notes: Notes | None = None) -> list[ColumnTree | Rejection]:
    """What is read by columns, which is what is read block by block."""
    data = data if isinstance(data, bytes) else data.encode()
    path = tmp_path / "x.conllu"
    path.write_bytes(data)
    found = list(read_columns(data, "x.conllu", notes or Notes()))
    checked = list(read_trees(path, "x.conllu"))
    assert [(item.first_line, type(item) is Rejection) for item in found] == [
        (item.first_line, type(item) is Rejection) for item in checked
    ]
    return found


MALFORMED = {
    "nine columns": ("1\tA\ta\tNOUN\t_\t_\t0\troot\t_\n", "FICT702", 1),
    "eleven columns": ("1\tA\ta\tNOUN\t_\t_\t0\troot\t_\t_\t_\n", "FICT702", 1),
    "spaces instead of tabs": ("1 A a NOUN _ _ 0 root _ _\n", "FICT702", 1),
    "an empty column": (changed(4, 2, ""), "FICT709", 4),
    "ids with a gap": (rows("1 a 0", "3 b 1"), "FICT703", 2),
    "ids from 0": (rows("0 a 0", "1 b 0"), "FICT703", 1),
    "ids from 2": (rows("2 a 0"), "FICT703", 1),
    "an id with a leading zero": (rows("01 a 0"), "FICT703", 1),
    "an id in other digits": (rows("١ a 0"), "FICT703", 1),
    "an id that is no number": (rows("x a 0"), "FICT703", 1),
    "a duplicate id": (rows("1 a 0", "1 b 1", "2 c 1"), "FICT704", 2),
    "a range that goes down": (rows("2-1 ab _", "1 a 0", "2 b 1"), "FICT705", 1),
    "a range of one word": (rows("1-1 ab _", "1 a 0", "2 b 1"), "FICT705", 1),
    "a range past the end": (rows("1-3 ab _", "1 a 0", "2 b 1"), "FICT705", 1),
    "a range in the wrong place": (rows("1 a 0", "1-2 ab _", "2 b 1"), "FICT705", 2),
    "ranges that overlap": (rows("1-2 ab _", "1 a 0", "2-3 bc _", "2 b 1", "3 c 1"), "FICT705", 3),
    "an empty node in the wrong place": (rows("1 a 0", "3.1 x _", "2 b 1"), "FICT706", 2),
    "an empty node out of order": (rows("1 a 0", "1.2 x _", "2 b 1"), "FICT706", 2),
    "a head that is _": (changed(4, 6, "_"), "FICT707", 4),
    "a head that is a word": (changed(4, 6, "dogs"), "FICT708", 4),
    "a negative head": (changed(4, 6, "-1"), "FICT708", 4),
    "a head that is an empty node": (changed(4, 6, "5.1"), "FICT708", 4),
    "a head out of range": (changed(4, 6, "9"), "FICT712", 4),
    "an absurd head": (changed(4, 6, "9" * 30), "FICT712", 4),
    "a word that is its own head": (changed(4, 6, "2"), "FICT713", 4),
    "a cycle of two": (rows("1 a 2", "2 b 1", "3 c 0"), "FICT714", 1),
    "a cycle of three without a root": (rows("1 a 2", "2 b 3", "3 c 1"), "FICT714", 1),
    "two roots": (rows("1 a 0", "2 b 0"), "FICT716", 2),
    "a duplicate feature": (changed(4, 5, "Number=Plur|Number=Sing"), "FICT719", 4),
    "a feature without a value": (changed(4, 5, "Number"), "FICT718", 4),
    "a feature on a range": (changed(5, 5, "Typo"), "FICT718", 5),
    "DEPS without a label": (changed(4, 8, "5"), "FICT720", 4),
    "DEPS with a bad head": (changed(4, 8, "x:nsubj"), "FICT720", 4),
    "DEPS to a word that is not there": (changed(4, 8, "9:nsubj"), "FICT721", 4),
    "DEPS to an empty node that is not there": (changed(4, 8, "4.1:nsubj"), "FICT721", 4),
    "DEPS of an empty node to nowhere": (changed(9, 8, "9:nsubj"), "FICT721", 9),
    "NUL in a form": (changed(4, 1, "do\0gs"), "FICT711", 4),
    "a carriage return in a form": (changed(4, 1, "do\rgs"), "FICT711", 4),
    "comments only": ("# sent_id = 1\n", "FICT723", 1),
    "a multiword token only": (rows("1-2 ab _"), "FICT705", 1),
    "an empty node only": (rows("0.1 a _"), "FICT723", 1),
    "a comment inside the tree": (GOOD.replace("6\t.", "# late\n6\t."), "FICT731", 10),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name: str, tmp_path: Path) -> None:
    """The bad sentence between two good ones: one rejection, its first fault, at its line, and the rest is read."""
    text, code, line = MALFORMED[name]
    first, second, third = items(tmp_path, f"{GOOD}\n{text.strip()}\n\n{GOOD}\n")
    assert isinstance(first, ColumnTree)
    assert isinstance(third, ColumnTree)
    assert isinstance(second, Rejection)
    found = second.diagnostics[0]
    assert found.code == code
    assert found.source is not None
    assert found.span is not None
    assert found.source.name == "x.conllu"
    number = found.source.position(found.span.start)[0]
    assert number == GOOD.count("\n") + 1 + line
    assert found.source.line(number) == text.strip().split("\n")[line - 1]


def test_the_place_is_the_field(tmp_path: Path) -> None:
    (found,) = items(tmp_path, changed(4, 6, "9") + "\n")
    assert isinstance(found, Rejection)
    (problem,) = found.diagnostics
    assert problem.source is not None
    assert problem.span is not None
    assert problem.source.text[problem.span.start : problem.span.end] == "9"
    assert problem.message == "the head 9 is out of range: the sentence has 6 words"


def test_every_fault_of_a_sentence_is_listed(tmp_path: Path) -> None:
    text = changed(4, 6, "9").replace("Definite=Def", "Definite").replace("6\t.\t.", "7\t.\t.")
    (found,) = items(tmp_path, text + "\n")
    assert isinstance(found, Rejection)
    assert [d.code for d in found.diagnostics] == ["FICT703", "FICT718"]


def test_an_encoding_error_names_its_line(tmp_path: Path) -> None:
    data = GOOD.encode() + b"\n# text = caf\xe9\n" + GOOD.encode() + b"\n"
    first, second = items(tmp_path, data)
    assert isinstance(first, ColumnTree)
    assert isinstance(second, Rejection)
    (found,) = second.diagnostics
    assert found.source is not None
    assert found.span is not None
    assert (found.code, found.source.position(found.span.start)) == ("FICT701", (GOOD.count("\n") + 2, 13))


def test_a_good_sentence(tmp_path: Path) -> None:
    (tree,) = items(tmp_path, GOOD + "\n")
    assert isinstance(tree, ColumnTree)
    assert tree.text == GOOD.rstrip("\n")
    assert tree.column("FORM") == ["The", "dogs", "ca", "n't", "bark", "."]
    assert tree.column("head") == [2, 5, 5, 5, 0, 5]
    assert tree.column("pre") == [3, 2, 4, 5, 1, 6]
    assert tree.column("last") == [3, 3, 4, 5, 6, 6]
    assert tree.column("depth") == [3, 2, 2, 2, 1, 2]
    assert [t for t in read_surface(tree.text, "").tokens if t.first < t.last] == [Token("can't", 3, 4)]
    assert tree.edges == [(2, 1, "det"), (5, 2, "nsubj"), (5, 3, "aux"), (5, 4, "advmod"), (5, 6, "punct")]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (GOOD + "\n", []),
        ("\ufeff" + GOOD + "\n", ["FICT726"]),
        ((GOOD + "\n").replace("\n", "\r\n"), ["FICT727"]),
        ("\n\n" + GOOD + "\n\n\n", []),
        (GOOD + " \n" + GOOD + "\t\n", ["FICT729"]),
        (GOOD, ["FICT728"]),
        (GOOD.rstrip("\n"), ["FICT728"]),
        (GOOD.replace("NOUN", "NUON") + "\n", ["FICT722"]),
        (GOOD.replace("\troot\t", "\tROOT\t") + "\n", ["FICT717"]),
    ],
)
def test_what_is_accepted_with_a_note(data: str, codes: list[str], tmp_path: Path) -> None:
    notes = Notes()
    found = items(tmp_path, data, notes)
    assert found
    assert all(isinstance(tree, ColumnTree) and tree.column("head") == [2, 5, 5, 5, 0, 5] for tree in found)
    assert [d.code for d in notes.diagnostics("x.conllu")] == codes


@pytest.mark.parametrize("text", [GOOD, GOOD.rstrip("\n")])
def test_a_rejected_last_sentence_was_not_accepted(text: str, tmp_path: Path) -> None:
    notes = Notes()
    found = items(tmp_path, f"{GOOD}\n{text.replace('# text = The', '# text = All the')}", notes)
    assert [type(item) for item in found] == [ColumnTree, Rejection]
    assert list(notes.diagnostics("x.conllu")) == []
    skipped: list[Diagnostic] = []
    import_files([tmp_path / "x.conllu"], tmp_path / "store", on_error="skip", on_note=skipped.append)
    assert [note.code for note in skipped] == ["FICT734"]


def test_an_unknown_tag_gets_the_nearest_name(tmp_path: Path) -> None:
    notes = Notes()
    items(tmp_path, GOOD.replace("NOUN", "NUON") + "\n", notes)
    assert [d.hint for d in notes.diagnostics("x")] == ["the nearest tag is `NOUN`"]


def test_many_unknown_tags_are_counted(tmp_path: Path) -> None:
    notes = Notes()
    text = "".join(GOOD.replace("NOUN", f"N{number}") + "\n" for number in range(30))
    items(tmp_path, text + GOOD.replace("NOUN", "N7") + "\n", notes)
    messages = [d.message for d in notes.diagnostics("x")]
    assert len(messages) == 21
    assert "unknown UPOS tag `N7`, 2 words in x" in messages
    assert messages[-1] == "unknown UPOS tags: 10 more, 10 words in x"


def test_the_word_limit_counts_words(tmp_path: Path) -> None:
    rows = [f"{n}\tw\tw\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_\n" for n in range(1, 10_002)]
    rows.insert(0, "1-2\tww\t_\t_\t_\t_\t_\t_\t_\t_\n")
    (rejection,) = items(tmp_path, "".join(rows) + "\n")
    assert isinstance(rejection, Rejection)
    assert [d.message for d in rejection.diagnostics] == ["the sentence has 10001 words; at most 10000 are allowed"]


def test_gzip_is_known_by_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_bytes(gzip.compress(f"{GOOD}\n".encode()))
    (tree,) = read_trees(tmp_path / "x.conllu", "x.conllu")
    assert isinstance(tree, Tree)


@pytest.mark.parametrize("cut", [15, 60, -9, -4, -1])
def test_damaged_gzip_is_an_input_error(cut: int, tmp_path: Path) -> None:
    (tmp_path / "x.conllu").write_bytes(gzip.compress(f"{GOOD}\n".encode())[:cut])
    with pytest.raises(InputError) as caught:
        list(read_trees(tmp_path / "x.conllu", "x.conllu"))
    assert caught.value.diagnostics[0].code == "FICT700"


@pytest.mark.parametrize("name", ["absent.conllu", "folder", "pipe"])
def test_what_is_no_file_is_an_input_error(name: str, tmp_path: Path) -> None:
    import os

    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as caught:
        list(read_trees(tmp_path / name, name))
    assert caught.value.diagnostics[0].code == "FICT700"


THREE = (
    f"{GOOD}\n{GOOD.replace('s1', 's2')}\n{GOOD.replace('s1', 's3').replace('SpaceAfter=No', 'Cut=1|SpaceAfter=No')}\n"
)


def test_truncation_at_every_byte_never_gives_a_wrong_sentence() -> None:
    """What is read from a file that was cut anywhere is a beginning of what the whole file has."""

    def trees(data: bytes) -> list[tuple[str, object]]:
        found = read_columns(data, "x", Notes())
        return [(item.text, item.words) for item in found if isinstance(item, ColumnTree)]

    data = THREE.encode()
    whole = trees(data)
    assert len(whole) == 3
    for cut in range(len(data)):
        part = trees(data[:cut])
        assert part == whole[: len(part)]
        assert len(part) >= data[:cut].count(b"\n\n")


@given(st.data())
def test_a_rejection_always_says_why(data: st.DataObject) -> None:
    """However a good sentence is damaged, the reading by columns and the explanation agree on whether it is a tree."""
    text = GOOD.rstrip("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 4)))
        text = text[:start] + data.draw(st.text("\t_0123456-.|=:#aÉ́\0\r ", max_size=3)) + text[end:]
    if not text.strip() or "\n\n" in text or any(line.isspace() for line in text.split("\n")):
        return
    (found,) = read_columns(f"{text}\n\n".encode(), "x", Notes())
    assert isinstance(found, Rejection) == bool(block_errors(Block(1, text.encode(), ended=True, newline=True), "x"))
    if isinstance(found, Rejection):
        assert found.diagnostics
        for problem in found.diagnostics:
            assert problem.source is not None
            assert problem.span is not None
            problem.source.line(problem.source.position(problem.span.start)[0])


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    for found in check_trees(io.BufferedReader(io.BytesIO(data)), "x"):
        assert isinstance(found, Tree) or found.diagnostics


def test_a_deep_tree_needs_no_recursion() -> None:
    n = 9_000
    text = "\n".join(f"{i}\tw\tw\tX\t_\t_\t{i - 1}\t{'dep' if i > 1 else 'root'}\t_\t_" for i in range(1, n + 1))
    (tree,) = read_columns(f"{text}\n\n".encode(), "x", Notes())
    assert isinstance(tree, ColumnTree)
    assert tree.column("depth") == list(range(1, n + 1))


def test_a_sentence_without_end_is_refused() -> None:
    text = rows("1 w 0", *(f"{i} w 1" for i in range(2, 10_002)))
    (found,) = read_columns(f"{text}\n".encode(), "x", Notes())
    assert isinstance(found, Rejection)
    assert [d.code for d in found.diagnostics] == ["FICT736"]
