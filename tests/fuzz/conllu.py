"""Fuzz `import` with damaged CoNLL-U, plain and compressed, and compare the store with the input."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import random
import re
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from runner.corpus.conllu_columns import is_plus
from tests.fuzz import mutate
from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents
from tests.support import corpora
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import make_sentence
from tests.unit.runner.corpus.test_conllu_reader import GOOD, MALFORMED

FILTER = "fict 1\nfilter f { match { V:VERB|AUX -[nsubj]-> S[not has Number]  without { S << X[lemma = a] } } }\n"
BOM = b"\xef\xbb\xbf"
FIELDS = (
    *(b"_", b"", b" ", b"0", b"1", b"-1", b"2-3", b"3-2", b"1.1", b"0.1", b"00", b"1e3", b"4294967296", b"9" * 30),
    *(
        b"root",
        b"nsubj:pass:x",
        b"A=B|A=C",
        b"Number=Sing|number=Sing",
        b"Number[psor]=Plur",
        b"a=b=c",
        b"|",
        b"=",
        b"A=",
    ),
    *(b"0:root|1:dep", b"1:dep|1.1:x", b"9:dep", b"SpaceAfter=No", b"x" * 70_000, "\u00a0".encode(), "\u2028".encode()),
    *(
        "a\u200cb".encode(),
        "a\u00adb".encode(),
        "\u05e6\u05f4\u05dc".encode(),
        "e\u0301".encode(),
        b"\xff",
        b"\0",
        b"\xed\xa0\x80",
        "\ufeff".encode(),
        b"\x0b",
        b"\x1c",
        b"\x85",
        b"'; DROP",
    ),
)
COMMENTS = (
    *(
        b"# sent_id = s1",
        b"# sent_id =",
        b"# newdoc",
        b"# newdoc id = d",
        b"# newpar",
        b"# text = ",
        b"#  text =  \t",
        b"# text = other words",
        b"# newdoc  id  =  d1",
        b"#",
        b"##",
        b"# a = b = c",
    ),
    *(
        b"# text = \0",
        b"# sent_id = a\tb",
        b"#\xff = 1",
        b"# global.columns = ID FORM",
        b"# meta::genre = x",
        b"# " + b"k" * 70_000,
    ),
)


@cache
def samples() -> list[bytes]:
    """Return small treebanks: generated ones, a good sentence with all kinds of lines, and all malformed cases."""
    treebanks = [f"{GOOD}\n".encode()] * 10
    for number in range(60):
        rng = Rng.seeded(number)
        treebanks.append(corpora.conllu([make_sentence(rng) for _ in range(rng.between(1, 12))]).encode())
    texts = [case[0] for case in MALFORMED.values()]
    return treebanks + [text.encode() if isinstance(text, str) else text for text in texts]


def make(rng: random.Random, folder: Path) -> None:
    """Write one to three files, some damaged, compressed or not regular files, and perhaps an older store."""
    inputs = folder / "in"
    inputs.mkdir()
    names = []
    for number in range(rng.choice([1, 1, 1, 2, 3])):
        content = b"".join(rng.choices(samples(), k=rng.choice([1, 2, 8])))
        for _ in range(rng.choice([0, 1, 1, 2])):
            content = _damaged(rng, content)
        if rng.random() < 0.1:
            content = _as_plus(rng, content)
            content = _damaged(rng, content) if rng.random() < 0.2 else content
        name, packed = _packed(rng, f"{number}.conllu", content)
        if name != f"{number}.conllu" and rng.random() < 0.3:
            packed = mutate.data(rng, packed)
        (inputs / name).write_bytes(packed)
        if rng.random() < 0.03:
            mutate.replace_file(rng, inputs / name)
        names.append(f"in/{name}")
    command = ["import", *(["in"] if rng.random() < 0.1 else names), "--output", "store"]
    for option, share in (
        (["--on-error", "skip"], 0.5),
        (["--no-text"], 0.1),
        (["--jobs", "2"], 0.02),
        (["--force"], 0.3),
    ):
        if rng.random() < share:
            command += option
    older = rng.random() < 0.15
    (folder / "f.fict").write_text(FILTER)
    if older:
        (folder / "old.conllu").write_text(f"{GOOD}\n")
    (folder / "commands.json").write_text(json.dumps([command]))


def _damaged(rng: random.Random, content: bytes) -> bytes:
    """Damage bytes, a field, a comment line, or line endings."""
    roll = rng.random()
    if roll < 0.35:
        return mutate.data(rng, content, samples())
    lines = content.split(b"\n")
    rows = [number for number, line in enumerate(lines) if line.count(b"\t") == 9]
    if roll < 0.75 and rows:
        row = rng.choice(rows)
        fields = lines[row].split(b"\t")
        fields[rng.randrange(10)] = rng.choice([rng.choice(FIELDS), *rng.choice(samples()[:40]).split(b"\t")[:30]])
        lines[row] = b"\t".join(fields)
    elif roll < 0.85:
        lines.insert(rng.randint(0, len(lines)), rng.choice(COMMENTS))
    elif roll < 0.9:
        return content.replace(b"\n", b"\r\n")
    elif roll < 0.93:
        return BOM * rng.choice([1, 1, 2]) + content if rng.random() < 0.5 else content.replace(b"\n\n", b"\n\n" + BOM)
    elif roll < 0.96:
        return content.rstrip(b"\n") + b"\n" * rng.choice([0, 1, 3])
    else:
        lines.insert(rng.randint(0, len(lines)), rng.choice([b"", b" ", b"\t", b"\r"]))
    return b"\n".join(lines)


def _as_plus(rng: random.Random, content: bytes) -> bytes:
    """Reorder, omit and add columns of all rows, below a header of CoNLL-U Plus."""
    names = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
    order = rng.sample(range(10), rng.choice([10, 10, 9, 5]))
    header = [names[column] for column in order] + rng.choice([[], ["PARSEME:MWE"], ["A", "B"]])
    lines = [f"# global.columns = {' '.join(header)}".encode()]
    for line in content.split(b"\n"):
        fields = line.split(b"\t")
        if len(fields) == 10:
            added = [rng.choice([b"_", b"*", b"1:VID", b"a|b", b"x=y", b""]) for _ in header[len(order) :]]
            line = b"\t".join([*(fields[column] for column in order), *added])  # noqa: PLW2901
        lines.append(line)
    return b"\n".join(lines)


def _packed(rng: random.Random, name: str, content: bytes) -> tuple[str, bytes]:
    roll = rng.random()
    if roll < 0.7:
        return name, content
    if roll < 0.8:
        return f"{name}.gz", gzip.compress(content, 1, mtime=0)
    if roll < 0.9:
        return f"{name}.xz", lzma.compress(content, preset=0)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as file:
        for member in rng.sample(
            ["a.conllu", "b/a.conllu", "../a.conllu", "/a.conllu", "readme", "\u202e.conllu", "c.conllu/"], 2
        ):
            file.writestr(zipfile.ZipInfo(member), content)
    return f"{name}.zip", archive.getvalue()


def check(folder: Path, sandbox: Sandbox) -> None:
    """Import; if that succeeds, verify the store and compare every sentence with the input."""
    (command,) = json.loads((folder / "commands.json").read_text())
    older = (folder / "old.conllu").exists()
    if older:
        sandbox.run(["import", "old.conllu", "--output", "store"], folder)
    before = contents(folder)
    ended = sandbox.run(command, folder)
    check_unchanged(before, folder, ["store"] if ended.code == 0 else ())
    if ended.code != 0:
        return
    if older and "--force" not in command:
        raise Failure("import replaces a store without --force")
    for arguments in (["store", "verify", "store"], ["count", "f.fict", "--corpus", "store"]):
        again = sandbox.run(arguments, folder)
        if again.code != 0:
            raise Failure(f"{arguments[0]} refuses a store that import wrote", again.err.decode(errors="replace"))
    info = json.loads(sandbox.run(["store", "info", "store", "--format", "json"], folder).out)
    _compare(folder, sandbox, command, info)


def _compare(folder: Path, sandbox: Sandbox, command: Sequence[str], info: dict[str, list[dict[str, int]]]) -> None:
    """Check that nothing of plain files is lost: exported and rejected sentences are those of the input."""
    files = [Path(part) for part in command if part.startswith("in/")]
    if "--no-text" in command or not files or any(path.suffix != ".conllu" for path in files):
        return
    data = [(folder / path).read_bytes() for path in files if (folder / path).is_file()]
    original = [block for content in data for block in blocks(content)]
    exported = blocks(sandbox.run(["export", "store", "--format", "conllu"], folder).out)
    rejected = sum(source["rejected"] for source in info["sources"])
    if rejected and "--on-error" not in command:
        raise Failure("import skips sentences without --on-error skip")
    if len(exported) + rejected != len(original):
        raise Failure("import loses sentences", f"{len(original)} read, {len(exported)} exported, {rejected} rejected")
    remaining = iter(original)
    if any(is_plus(content) for content in data):
        return  # the columns differ
    lost = [block for block in exported if block not in remaining]
    if lost:
        raise Failure("export writes other bytes than import read", repr(lost[0]))
    if rejected:
        rejections = (folder / "store" / "rejected.conllu").read_bytes()
        absent = [block for block in original if block not in exported and block not in rejections]
        if absent:
            raise Failure("a rejected sentence is lost", repr(absent[0]))


def blocks(content: bytes) -> list[bytes]:
    """Return the sentences of CoNLL-U, each with its lines unchanged."""
    parts = re.split(rb"\n(?:[ \t\r]*\n)+(?:\xef\xbb\xbf)*", b"\n\n" + content + b"\n\n")
    return [part.strip(b"\r\n") for part in parts if part.strip()]
