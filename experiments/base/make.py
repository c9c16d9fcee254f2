"""Build the data of the small manifests: EWT, WinoBias, CHILDES with features, and parsed WikiText-2 and BLiMP.

python experiments/base/make.py DATA MODELS OUT [--package ewt] [--english-text]

With --english-text, also parse DATA/english-text and the validation part of WikiText-2, for experiments/real. An
interrupted call continues where it stopped.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

COPIED = ("ud-ewt", "blimp", "winobias")
HEADING = re.compile(r"=.*=")
JOINED = ((" @-@ ", "-"), (" @,@ ", ","), (" @.@ ", "."))  # punctuation within a word, as WikiText writes it
SENTENCE_END = re.compile(r"(?<= [.?!]) (?=[^a-z])|(?<= [.?!] [\"']) (?=[^a-z])")
ENGLISH_TEXT = {  # the value of `fictc annotate --input` for each text
    "masc": "pretokenized",
    "brown": "pretokenized",
    "state-union": "text",
    "movie-reviews": "pretokenized",
}
BATCH = 2_000  # sentences tagged at once
PAIRS = 200  # per paradigm of BLiMP, as in the manifests
REFLEXIVES = {  # features in EWT, but for those that `_reflexive` adds; the small tagger assigns Reflex only in EWT
    "myself": "Number=Sing|Person=1",
    "yourself": "Number=Sing|Person=2",
    "himself": "Gender=Masc|Number=Sing|Person=3",
    "herself": "Gender=Fem|Number=Sing|Person=3",
    "itself": "Gender=Neut|Number=Sing|Person=3",
    "ourselves": "Number=Plur|Person=1",
    "yourselves": "Number=Plur|Person=2",
    "themselves": "Number=Plur|Person=3",
}
EMPHATIC = ("obl:npmod", "nmod:npmod", "obl:unmarked", "nmod:unmarked")  # "I did it myself": PronType=Emp


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of pre-tokenised WikiText, without its headings."""
    for mark, plain in JOINED:
        text = text.replace(mark, plain)
    for line in map(str.strip, text.splitlines()):
        if line and not HEADING.fullmatch(line):
            yield from SENTENCE_END.split(line)


def words(block: str) -> list[list[str]]:
    """Return the columns of the words of a CoNLL-U sentence."""
    rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
    return [row for row in rows if row[0].isdigit()]


def with_features(blocks: list[str], tagger: object) -> Iterator[str]:
    """Yield CoNLL-U sentences with a tagger's features added; gold features are kept."""
    from stanza.models.common.doc import Document

    for start in range(0, len(blocks), BATCH):
        batch = blocks[start : start + BATCH]
        forms = [[{"id": i, "text": row[1].replace(" ", "_")} for i, row in enumerate(words(b), 1)] for b in batch]
        tagged = tagger(Document(forms))  # type: ignore[operator]
        for block, sentence in zip(batch, tagged.sentences, strict=True):
            yield _featured(block, [word.feats for word in sentence.words])


def _featured(block: str, feats: list[str | None]) -> str:
    lines, tagged = [], iter(feats)
    for line in block.split("\n"):
        row = line.split("\t")
        if len(row) == 10 and row[0].isdigit():
            gold = {} if row[5] == "_" else dict(pair.split("=", 1) for pair in row[5].split("|"))
            added = dict(pair.split("=", 1) for pair in (next(tagged) or "").split("|") if pair)
            both = sorted((added | gold).items(), key=lambda pair: pair[0].lower())
            row[5] = "|".join(f"{name}={value}" for name, value in both) or "_"
        lines.append("\t".join(row))
    return "\n".join(lines)


def with_reflexives(conllu: str) -> str:
    """Return CoNLL-U with EWT's tags and features for reflexive pronouns, a closed class."""
    return "\n".join(map(_reflexive, conllu.split("\n")))


def _reflexive(line: str) -> str:
    row = line.split("\t")
    if len(row) != 10 or (feats := REFLEXIVES.get(row[1].lower())) is None:
        return line
    kind = "Emp" if row[7] in EMPHATIC else "Prs"
    row[2:6] = [row[1].lower(), "PRON", "PRP", f"Case=Acc|{feats}|PronType={kind}|Reflex=Yes"]
    return "\t".join(row)


def main() -> None:
    """Build the folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "models", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--package", default="ewt")
    parser.add_argument("--english-text", action="store_true", help="parse english-text and WikiText's validation part")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        shutil.copytree(options.data / name, options.out / name, dirs_exist_ok=True, copy_function=shutil.copyfile)
    _childes(options.data / "ud-childes", options.out / "childes", options.models, options.package)
    stanza_options = ["--models", str(options.models), "--package", options.package]
    _wikitext(options.data / "wikitext-2" / "test.txt", options.out / "wikitext", stanza_options)
    _blimp(options.out / "blimp", options.out / "blimp-trees", stanza_options)
    if options.english_text:
        _wikitext(options.data / "wikitext-2" / "valid.txt", options.out / "wikitext-valid", stanza_options)
        for name, input_kind in ENGLISH_TEXT.items():
            text = options.data / "english-text" / f"{name}.txt"
            _english(text, options.out / "english-text" / name, [*stanza_options, "--input", input_kind])


def _childes(source: Path, target: Path, models: Path, package: str) -> None:
    import stanza

    tagger = stanza.Pipeline(
        "en",
        dir=str(models),
        package=package,
        processors="tokenize,pos",
        tokenize_pretokenized=True,
        download_method=None,
        use_gpu=False,
        verbose=False,
    )
    target.mkdir(exist_ok=True)
    for path in sorted(source.glob("*.conllu")):
        if not (done := target / path.name).exists():
            blocks = path.read_text(encoding="utf-8").strip("\n").split("\n\n")
            temporary = done.with_suffix(".part")
            featured = "\n\n".join(with_features(blocks, tagger)) + "\n\n"
            temporary.write_text(with_reflexives(featured), encoding="utf-8")
            temporary.rename(done)
            print(done)


def _wikitext(source: Path, target: Path, stanza_options: list[str]) -> None:
    target.mkdir(exist_ok=True)
    lines = target / "wikitext.txt"
    lines.write_text("".join(f"{line}\n" for line in sentences(source.read_text(encoding="utf-8"))), encoding="utf-8")
    trees = _parsed(lines, target, [*stanza_options, "--input", "pretokenized"])
    (target / "wikitext.conllu").write_text(with_reflexives(trees), encoding="utf-8")


def _blimp(suite: Path, target: Path, stanza_options: list[str]) -> None:
    target.mkdir(exist_ok=True)
    items = target / "items.txt"
    selection = ["--side", "good", "--limit", str(PAIRS), "--sentences", str(items)]
    _fictc("coverage", "--suite", str(suite), *selection)
    trees = _parsed(items, target, [*stanza_options, "--input", "sentences"])
    (target / "blimp.conllu").write_text(with_reflexives(trees), encoding="utf-8")


def _english(text: Path, folder: Path, options: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    trees = folder / f"{text.stem}.conllu"
    if not trees.exists():
        temporary = trees.with_suffix(".part")
        temporary.write_text(with_reflexives(_parsed(text, folder, options)), encoding="utf-8")
        temporary.rename(trees)
        print(trees)


def _parsed(text: Path, folder: Path, options: list[str]) -> str:
    """Parse a text with Stanza into a store in `folder`, and return its CoNLL-U."""
    store, trees = folder / "store", folder / "store.conllu"
    if not store.exists():
        _fictc("annotate", str(text), *options, "-o", str(store))
    _fictc("export", str(store), "--format", "conllu", "-o", str(trees))
    conllu = trees.read_text(encoding="utf-8")
    trees.unlink()
    return conllu


def _fictc(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "runner.cli", *arguments], check=True)


if __name__ == "__main__":
    main()
