"""The page on other parsers: its code runs on their output, and the store has the same words, trees and text.

No model is at hand, so what a model would return is made here, in the format that each parser documents. Where spaCy or
UDPipe is installed, its own classes make it too.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

import fictc
from runner.cli import fictc as command_line

PAGE = (Path(__file__).parents[2] / "docs" / "parsers.md").read_text(encoding="utf-8")

# A word: form, lemma, UPOS, XPOS, features, head, relation, whether a space follows.
Row = tuple[str, str, str, str, str, int, str, bool]
SENTENCES: list[list[Row]] = [
    [
        ("Dogs", "dog", "NOUN", "NNS", "Number=Plur", 2, "nsubj", True),
        ("bark", "bark", "VERB", "VBP", "Tense=Pres", 0, "root", False),
        (",", ",", "PUNCT", ",", "", 4, "punct", True),
        ("mostly", "mostly", "ADV", "RB", "", 2, "advmod", False),
        (".", ".", "PUNCT", ".", "", 2, "punct", True),
    ],
    [
        ("Cats", "cat", "NOUN", "NNS", "Number=Plur", 2, "nsubj", True),
        ("sleep", "sleep", "VERB", "VBP", "", 0, "root", True),
    ],
]
TEXTS = ["Dogs bark, mostly.", "Cats sleep"]
SUBJECT = fictc.compile_text("fict 1 filter subject { match { V:VERB -[nsubj]-> S[Number = Plur] } }")["subject"]


def blocks(heading: str) -> list[str]:
    section = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def executed(heading: str) -> dict[str, Any]:
    """The names that a section's code defines, after all of it ran."""
    names: dict[str, Any] = {}
    for code in blocks(heading):
        exec(compile(code, f"docs/parsers.md: {heading}", "exec"), names)
    return names


def imported() -> fictc.Matches:
    """The matches in the store that the page's own commands make of text.conllu, after a look at the store's text."""
    section = PAGE.split("## Import\n", 1)[1]
    lines = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1].splitlines()
    for line in lines:
        done = CliRunner().invoke(command_line, shlex.split(line)[1:], catch_exceptions=False, standalone_mode=False)
        assert done.return_value in (None, 0), done.output
        assert "skipped" not in done.output
    return fictc.match(SUBJECT, "stores/text")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("Dogs bark,  mostly.\nCats sleep\n", encoding="utf-8")
    return tmp_path


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **members: object) -> None:
    """Put a module in the place of a parser, with the members that the page uses."""
    module = ModuleType(name)
    module.__dict__.update(members)
    monkeypatch.setitem(sys.modules, name, module)


# UDPipe

UDPIPE = """\
# newdoc
# newpar
# sent_id = 1
# text = Dogs bark, mostly.
1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tbark\tbark\tVERB\tVBP\tTense=Pres\t0\troot\t_\tSpaceAfter=No
3\t,\t,\tPUNCT\t,\t_\t4\tpunct\t_\tSpacesAfter=\\s\\s
4\tmostly\tmostly\tADV\tRB\t_\t2\tadvmod\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\tSpacesAfter=\\n

# sent_id = 2
# text = Cats sleep
1\tCats\tcat\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\tSpacesAfter=\\n

"""


class FakePipeline:
    DEFAULT = ""

    def __init__(self, model: str, reads: str, tagger: str, parser: str, writes: str) -> None:
        assert (model, reads, tagger, parser, writes) == ("english-ewt.udpipe", "tokenize", "", "", "conllu")

    def process(self, text: str, error: object) -> str:
        assert text == Path("text.txt").read_text(encoding="utf-8")
        return UDPIPE


def test_udpipe(monkeypatch: pytest.MonkeyPatch) -> None:
    error = SimpleNamespace(occurred=lambda: False, message="")
    stand_in(monkeypatch, "ufal")
    loaded = SimpleNamespace(load=lambda path: path)
    stand_in(monkeypatch, "ufal.udpipe", Model=loaded, Pipeline=FakePipeline, ProcessingError=lambda: error)
    executed("UDPipe")
    matches = imported()
    assert [(match["V"].form, match["S"].form) for match in matches] == [("bark", "Dogs"), ("sleep", "Cats")]
    assert [match.sentence.text for match in matches] == TEXTS
    error.occurred, error.message = (lambda: True), "no sentence"
    with pytest.raises(SystemExit, match="no sentence"):
        executed("UDPipe")


def test_udpipe_writes_what_the_stand_in_writes() -> None:
    udpipe = pytest.importorskip("ufal.udpipe")
    written = udpipe.OutputFormat.newOutputFormat("conllu")
    text = ""
    for number, rows in enumerate(SENTENCES, 1):
        sentence = udpipe.Sentence()
        if number == 1:
            sentence.setNewDoc(True)
            sentence.setNewPar(True)
        sentence.setSentId(str(number))
        sentence.setText(TEXTS[number - 1])
        for form, lemma, upos, xpos, feats, _, _, space in rows:
            word = sentence.addWord(form)
            word.lemma, word.upostag, word.xpostag, word.feats = lemma, upos, xpos, feats
            word.setSpaceAfter(space)
            word.setSpacesAfter("" if not space else "  " if form == "," else "\n" if form in {".", "sleep"} else " ")
        for word_id, row in enumerate(rows, 1):
            sentence.setHead(word_id, row[5], row[6])
        text += written.writeSentence(sentence)
    assert text == UDPIPE


# spaCy


class FakeSpan(list[SimpleNamespace]):
    start = 0
    text = ""


def fake_doc(rows: list[Row], text: str) -> SimpleNamespace:
    """The attributes of a Doc of one sentence that spaCy's API documents, as plain objects."""
    tokens = FakeSpan()
    for i, (form, lemma, upos, xpos, feats, _, relation, space) in enumerate(rows):
        described = {"lemma_": lemma, "pos_": upos, "tag_": xpos, "morph": feats, "whitespace_": " " * space}
        tokens.append(SimpleNamespace(i=i, text=form, dep_=relation if relation != "root" else "ROOT", **described))
    for token, row in zip(tokens, rows, strict=True):
        token.head = tokens[row[5] - 1] if row[5] else token
    tokens.text = text
    return SimpleNamespace(sents=[tokens])


def real_doc(rows: list[Row], text: str) -> Any:
    spacy = pytest.importorskip("spacy")
    forms, lemmas, upos, xpos, feats, heads, relations, spaces = (list(column) for column in zip(*rows, strict=True))
    heads = [head - 1 if head else place for place, head in enumerate(heads)]
    relations = [relation if relation != "root" else "ROOT" for relation in relations]
    given = {"words": forms, "spaces": spaces, "lemmas": lemmas, "pos": upos, "tags": xpos, "morphs": feats}
    doc = spacy.tokens.Doc(spacy.blank("en").vocab, **given, heads=heads, deps=relations)
    assert doc.text.strip() == text
    return doc


@pytest.mark.parametrize("doc_of", [fake_doc, real_doc])
def test_spacy(doc_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = [doc_of(rows, text) for rows, text in zip(SENTENCES, TEXTS, strict=True)]

    def pipe(texts: Iterator[str]) -> list[Any]:
        assert list(texts) == TEXTS
        return docs

    stand_in(monkeypatch, "spacy", load=lambda name: SimpleNamespace(pipe=pipe))
    executed("spaCy")
    matches = imported()
    assert [(match["V"].form, match["S"].lemma) for match in matches] == [("bark", "dog"), ("sleep", "cat")]
    assert [match.sentence.text for match in matches] == TEXTS
    assert [word.deprel for word in matches[0].sentence.words] == [row[6] for row in SENTENCES[0]]
    lines = Path("text.conllu").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[9] for line in lines[1:6]] == ["_", "SpaceAfter=No", "_", "SpaceAfter=No", "_"]


def test_a_doc_of_two_sentences() -> None:
    """Heads are numbers in the document; in a tree they count from its first word."""
    doc = real_doc(
        [*SENTENCES[0], *((*row[:5], row[5] + 5 * bool(row[5]), *row[6:]) for row in SENTENCES[1])], " ".join(TEXTS)
    )
    names: dict[str, Any] = {}
    exec(blocks("spaCy")[0], names)
    lines = list(names["spacy_to_conllu"](doc))
    assert [line.split("\t")[6] for line in lines[8:10]] == ["2", "0"]


# Trankit


def trankit_document() -> dict[str, Any]:
    """What the documentation of Trankit shows of a pipeline's output: spans, `expanded` tokens, no key without a value."""
    text = "Il parle\ndu chat, non."

    def token(number: int, form: str, start: int, **more: object) -> dict[str, Any]:
        span = (start, start + len(form))
        return {"id": number, "text": form, **more, "span": span, "dspan": span, "ner": "O"}

    expanded = [
        {"id": 3, "text": "de", "upos": "ADP", "head": 5, "deprel": "case", "lemma": "de"},
        {"id": 4, "text": "le", "upos": "DET", "feats": "Number=Sing", "head": 5, "deprel": "det", "lemma": "le"},
    ]
    tokens = [
        token(1, "Il", 0, upos="PRON", feats="Number=Plur", head=2, deprel="nsubj", lemma="il"),
        token(2, "parle", 3, upos="VERB", xpos="V", head=0, deprel="root", lemma="parler"),
        {"id": (3, 4), "text": "du", "expanded": expanded, "span": (9, 11), "dspan": (9, 11)},
        token(5, "chat", 12, upos="NOUN", head=2, deprel="obl", lemma="chat"),
        token(6, ",", 16, upos="PUNCT", head=7, deprel="punct", lemma=","),
        token(7, "non", 18, upos="INTJ", head=2, deprel="discourse", lemma="non"),
        token(8, ".", 21, upos="PUNCT", head=2, deprel="punct", lemma="."),
    ]
    return {"text": text, "sentences": [{"id": 1, "text": text, "dspan": (0, 22), "tokens": tokens}]}


@pytest.mark.parametrize("saved", [False, True], ids=["as returned", "as saved to JSON"])
def test_trankit(saved: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    document = trankit_document()
    document = json.loads(json.dumps(document)) if saved else document
    stand_in(monkeypatch, "trankit", Pipeline=lambda language: lambda text: document)
    executed("Trankit")
    (match,) = imported()
    assert (match["V"].form, match["S"].form) == ("parle", "Il")
    assert match.sentence.text == "Il parle du chat, non."
    assert [word.form for word in match.sentence.words] == ["Il", "parle", "de", "le", "chat", ",", "non", "."]
    lines = Path("text.conllu").read_text(encoding="utf-8").splitlines()
    assert lines[3].split("\t") == ["3-4", "du", *"_" * 8]
    assert [line.split("\t")[9] for line in lines[6:8]] == ["SpaceAfter=No", "_"]


def test_trankit_on_words_that_were_given_to_it() -> None:
    """A text that was split into words by the caller has no spans: a space follows each word."""
    document = trankit_document()
    for token in document["sentences"][0]["tokens"]:
        del token["span"], token["dspan"]
    names: dict[str, Any] = {}
    exec(blocks("Trankit")[0], names)
    assert not any("SpaceAfter" in line for line in names["trankit_to_conllu"](document))
