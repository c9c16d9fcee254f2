"""Fuzz `import` with damaged CoNLL-U, plain and packed, and compare what stores of it give back."""

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

from tests.fuzz import mutate
from tests.fuzz.sandbox import Failure, Sandbox, check_kept, contents
from tests.support import corpora
from tests.support.strategies.dice import Dice
from tests.support.strategies.sentences import make_sentence
from tests.unit.runner.corpus.conllu.test_reader import GOOD, MALFORMED

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
    *("e\u0301".encode(), b"\xff", b"\0", b"\xed\xa0\x80", "\ufeff".encode(), b"\x0b", b"\x1c", b"\x85", b"'; DROP"),
)
COMMENTS = (
    *(
        b"# sent_id = s1",
        b"# sent_id =",
        b"# newdoc",
        b"# newdoc id = d",
        b"# newpar",
        b"# text = ",
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
    """Small treebanks: generated ones, a good sentence with all kinds of lines, and all malformed cases."""
    found = [f"{GOOD}\n".encode()] * 10
    for number in range(60):
        dice = Dice.rolled(number)
        found.append(corpora.conllu([make_sentence(dice) for _ in range(dice.between(1, 12))]).encode())
    texts = [case[0] for case in MALFORMED.values()]
    return found + [text.encode() if isinstance(text, str) else text for text in texts]


def make(dice: random.Random, folder: Path) -> None:
    """One to three files, some damaged, some packed, some no regular files at all; perhaps an older store."""
    inputs = folder / "in"
    inputs.mkdir()
    names = []
    for number in range(dice.choice([1, 1, 1, 2, 3])):
        content = b"".join(dice.choices(samples(), k=dice.choice([1, 2, 8])))
        for _ in range(dice.choice([0, 1, 1, 2])):
            content = _damaged(dice, content)
        name, packed = _packed(dice, f"{number}.conllu", content)
        if name != f"{number}.conllu" and dice.random() < 0.3:
            packed = mutate.data(dice, packed)
        (inputs / name).write_bytes(packed)
        if dice.random() < 0.03:
            mutate.place(dice, inputs / name)
        names.append(f"in/{name}")
    command = ["import", *(["in"] if dice.random() < 0.1 else names), "--output", "store"]
    for option, share in (
        (["--on-error", "skip"], 0.5),
        (["--no-text"], 0.1),
        (["--jobs", "2"], 0.02),
        (["--force"], 0.3),
    ):
        if dice.random() < share:
            command += option
    older = dice.random() < 0.15
    (folder / "f.fict").write_text(FILTER)
    if older:
        (folder / "old.conllu").write_text(f"{GOOD}\n")
    (folder / "commands.json").write_text(json.dumps([command]))


def _damaged(dice: random.Random, content: bytes) -> bytes:
    """Damage bytes, a field, a line of comments, or how lines end."""
    act = dice.random()
    if act < 0.35:
        return mutate.data(dice, content, samples())
    lines = content.split(b"\n")
    rows = [number for number, line in enumerate(lines) if line.count(b"\t") == 9]
    if act < 0.75 and rows:
        at = dice.choice(rows)
        fields = lines[at].split(b"\t")
        fields[dice.randrange(10)] = dice.choice([dice.choice(FIELDS), *dice.choice(samples()[:40]).split(b"\t")[:30]])
        lines[at] = b"\t".join(fields)
    elif act < 0.85:
        lines.insert(dice.randint(0, len(lines)), dice.choice(COMMENTS))
    elif act < 0.9:
        return content.replace(b"\n", b"\r\n")
    elif act < 0.93:
        return BOM + content
    elif act < 0.96:
        return content.rstrip(b"\n") + b"\n" * dice.choice([0, 1, 3])
    else:
        lines.insert(dice.randint(0, len(lines)), dice.choice([b"", b" ", b"\t", b"\r"]))
    return b"\n".join(lines)


def _packed(dice: random.Random, name: str, content: bytes) -> tuple[str, bytes]:
    act = dice.random()
    if act < 0.7:
        return name, content
    if act < 0.8:
        return f"{name}.gz", gzip.compress(content, 1, mtime=0)
    if act < 0.9:
        return f"{name}.xz", lzma.compress(content, preset=0)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", dice.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as file:
        for member in dice.sample(
            ["a.conllu", "b/a.conllu", "../a.conllu", "/a.conllu", "readme", "\u202e.conllu", "c.conllu/"], 2
        ):
            file.writestr(zipfile.ZipInfo(member), content)
    return f"{name}.zip", archive.getvalue()


def check(folder: Path, sandbox: Sandbox) -> None:
    """Import, and if that ends well, verify the store and compare every sentence with what went in."""
    (command,) = json.loads((folder / "commands.json").read_text())
    older = (folder / "old.conllu").exists()
    if older:
        sandbox.run(["import", "old.conllu", "--output", "store"], folder)
    before = contents(folder)
    ended = sandbox.run(command, folder)
    check_kept(before, folder, ["store"] if ended.code == 0 else ())
    if ended.code != 0:
        return
    if older and "--force" not in command:
        raise Failure("import replaces a store without --force")
    for asked in (["store", "verify", "store"], ["count", "f.fict", "--corpus", "store"]):
        again = sandbox.run(asked, folder)
        if again.code != 0:
            raise Failure(f"{asked[0]} refuses what import made", again.err.decode(errors="replace"))
    told = json.loads(sandbox.run(["store", "info", "store", "--format", "json"], folder).out)
    _compare(folder, sandbox, command, told)


def _compare(folder: Path, sandbox: Sandbox, command: Sequence[str], told: dict[str, list[dict[str, int]]]) -> None:
    """Nothing of plain files is lost: what is exported, and what was rejected, is what they hold."""
    files = [Path(part) for part in command if part.startswith("in/")]
    if "--no-text" in command or not files or any(path.suffix != ".conllu" for path in files):
        return
    data = [(folder / path).read_bytes() for path in files if (folder / path).is_file()]
    given = [block for content in data for block in blocks(content)]
    kept = blocks(sandbox.run(["export", "store", "--format", "conllu"], folder).out)
    rejected = sum(source["rejected"] for source in told["sources"])
    if rejected and "--on-error" not in command:
        raise Failure("import leaves sentences out without being asked")
    if len(kept) + rejected != len(given):
        raise Failure("import loses sentences", f"{len(given)} given, {len(kept)} kept, {rejected} rejected")
    rest = iter(given)
    lost = [block for block in kept if block not in rest]
    if lost:
        raise Failure("export gives other bytes than import read", repr(lost[0]))
    if rejected:
        left = (folder / "store" / "rejected.conllu").read_bytes()
        absent = [block for block in given if block not in kept and block not in left]
        if absent:
            raise Failure("a rejected sentence is lost", repr(absent[0]))


def blocks(content: bytes) -> list[bytes]:
    """The sentences of CoNLL-U, each with its lines as they are."""
    parts = re.split(rb"\n(?:[ \t\r]*\n)+", b"\n" + content.removeprefix(BOM) + b"\n\n")
    return [part.strip(b"\r\n") for part in parts if part.strip()]
