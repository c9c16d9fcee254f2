"""Write sentences or CoNLL-U text to files and stores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from fictdsl.reference.sentences import Sentence, Word
from runner.corpus.import_conllu import import_files
from runner.corpus.store import Store

SHE_GAVE_BOOKS = """1	She	she	PRON	_	_	2	nsubj	_	_
2	gave	give	VERB	_	_	0	root	_	_
3	books	book	NOUN	_	_	2	obj	_	_
4	to	to	ADP	_	_	5	case	_	_
5	him	he	PRON	_	_	2	obl	_	SpaceAfter=No
6	.	.	PUNCT	_	_	2	punct	_	_

"""


def conllu(sentences: Sequence[Sentence]) -> str:
    """Return sentences as CoNLL-U: `newdoc id` at the start of a document, the comments of `meta`, and `text`.

    Neighbouring words with the same `token` are one multiword token. In a file, a sentence without a document that follows one with a document belongs to that document.
    """
    before = [None, *(sentence.doc for sentence in sentences)]
    return "".join(map(_block, sentences, before))


def store(folder: Path, text: str | bytes, name: str = "corpus.conllu") -> Store:
    """Return a store of one file with the content `text`."""
    source = folder / name
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_files([source], folder / "store")


def _block(sentence: Sentence, before: str | None) -> str:
    lines = [f"# {key} = {value}" for key, values in sentence.meta.items() for value in values]
    if sentence.doc not in (None, before) and "newdoc id" not in sentence.meta:
        lines.insert(0, f"# newdoc id = {sentence.doc}")
    if sentence.text is not None and "text" not in sentence.meta:
        lines.append(f"# text = {sentence.text}")
    for token, group in groupby(sentence.words, key=lambda word: word.token):
        words = list(group)
        if token is not None:
            lines.append("\t".join([f"{words[0].id}-{words[-1].id}", token, *"_" * 8]))
        lines += map(_row, words)
    return "\n".join(lines) + "\n\n"


def _row(word: Word) -> str:
    feats = "|".join(f"{name}={','.join(values)}" for name, values in word.feats.items())
    misc = "|".join(f"{key}={value}" for key, values in word.misc.items() for value in values)
    deps = "|".join(f"{head}:{label}" for head, label in word.deps)
    fields = (word.id, word.form, word.lemma, word.upos, word.xpos, feats, word.head, word.deprel, deps, misc)
    return "\t".join("_" if field is None or field == "" else str(field) for field in fields)
