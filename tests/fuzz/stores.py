"""Fuzz every command that reads or changes a store, on damaged stores and on stores with wrong descriptions."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from runner.corpus.annotate import AnnotateOptions, annotate
from runner.workspace import key
from tests.fuzz import mutate
from tests.fuzz.sandbox import Failure, Sandbox, check_unchanged, contents, fictc
from tests.support.parsers import ToyParser
from tests.unit.runner.corpus.test_conllu_reader import GOOD
from tests.unit.runner.corpus.test_import_conllu import TWO

FILTERS = """fict 1
filter noun { match { N:NOUN } }
filter subject { match { V -[nsubj]-> S[Number = Plur]  without { V << X[lemma = absent] } } remove node(S) }
filter words { match { X[form = bark|go, misc.SpaceAfter != No] } }
filter comment { match { X:VERB  sentence[meta.sent_id = s1|s2] } mask node(X) with upos }
filter far { match { A ->> B  A =[nsubj]=> C } }
"""
TEXT = (GOOD + "\n") * 3 + TWO + "".join(GOOD.replace("= s1", f"= t{n}") + "\n" for n in range(20))
RAW = "Dogs bark. I cannot go.\n\n  A dog barks and barks and barks and barks and barks .\nGo!\n"
WORDS = "source\tnumber\tid\tAnimacy\nc.conllu\t1\t2\tAnim\nc.conllu\t2\t2\tInan\n"
GENRES = "source\tnumber\tgenre\nc.conllu\t1\tmail\nc.conllu\t2\tnews\n"
SUITE = "good,bad,paradigm\nDogs bark.,Dogs barks.,p\nGo,Went,q\n"
FILES = {"f.fict": FILTERS, "c.conllu": TEXT, "words.tsv": WORDS, "genres.tsv": GENRES, "suite.csv": SUITE}
READING = (
    *("store info store", "store info store --format json", "store verify store", "index store --dry-run"),
    *("count f.fict -c store", "count f.fict -c store --overlap", "count f.fict::words -c store", "match f.fict::noun -c store"),
    *("match f.fict::subject -c store --format json", "match f.fict::noun -c store --format conllu"),
    *("match f.fict::words -c store --format text", "match f.fict -c store --format tsv", "match f.fict::far -c store"),
    *("show f.fict::noun -c store", "show f.fict::subject -c store --format tree --sample 2", "show f.fict::subject -c store --not"),
    *("show f.fict::subject -c store --by upos(S),genre,doc", "show f.fict::subject -c store --near-miss"),
    *("show f.fict::noun -c store --format html", "show f.fict::noun -c store --format jsonl -n 3"),
    *("export store", "export store --format conllu", "export store --format original"),
    *("apply f.fict -c store", "apply f.fict -c store --format jsonl", "apply f.fict -c store --dry-run", "apply f.fict::noun -c store --format conllu"),
    *("stats frequency store", "stats frequency store --layer form --by doc", "stats divergence store --by sent_id"),
    *("stats marked store --by source", "stats association store --by sent_id --value s1 --layer lemma"),
    *("stats cooccurrence f.fict -c store", "stats overlap store suite.csv", "diff f.fict::noun f.fict::words -c store"),
    *("explain f.fict::subject -c store", "lint f.fict --corpus store", "coverage f.fict --suite suite.csv --parses store"),
)  # fmt: skip
WRITING = {
    "store split store --parts 2 -o out": "out",
    "store split store --by source -o out": "out",
    "store split store --sentences 5 -o out": "out",
    "store merge store other -o out": "out",
    "store merge store store -o out": "out",
    "store add-layer store words.tsv": "store",
    "store add-layer store genres.tsv --as meta": "store",
    "store add-layer store words.tsv --as misc --name again": "store",
    "store add-layer store c.conllu --columns FEATS,XPOS=Tag,MISC": "store",
    "index store": "store",
    "index store --drop": "store",
    "export store --format conllu -o out": "out",
    "apply f.fict -c store -o out": "out",
    "apply f.fict -c store --each -o out": "out",
    "match f.fict -c store --format parquet -o out": "out",
    "show f.fict::noun -c store --format svg -o out": "out",
    "stats divergence store --by sent_id -o out.html": "out.html",
    "corrupt store -o out.csv -n 3": "out.csv",
}


@cache
def bases() -> Mapping[str, Mapping[str, object]]:
    """Return sound stores by name: plain, chunked, with an index, with layers, without text, of raw text."""
    folder = Path(tempfile.mkdtemp(prefix="fictc-fuzz-"))
    try:
        for name, text in FILES.items():
            (folder / name).write_text(text)
        made = folder / "made"
        made.mkdir()
        for name, commands in {
            "plain": ["import c.conllu -o made/plain"],
            "indexed": ["import c.conllu -o made/indexed", "index made/indexed"],
            "layers": [
                "import c.conllu -o made/layers",
                "store add-layer made/layers words.tsv",
                "store add-layer made/layers genres.tsv --as meta",
                "store add-layer made/layers words.tsv --name kinds --as misc",
                "index made/layers",
            ],
            "no-text": ["import c.conllu -o made/no-text --no-text"],
        }.items():
            sandbox = Sandbox(folder / "scratch", memory=1 << 40, seconds=120, main=_with_small_chunks)
            for command in commands:
                ended = sandbox.run(command.split(), folder)
                assert ended.code == 0, f"{name}: {ended.err.decode()}"
        (folder / "x.txt").write_text(RAW)
        annotate([folder / "x.txt"], made / "annotated", ToyParser(), AnnotateOptions(max_words=9))
        return {path.name: contents(path) for path in sorted(made.iterdir())}
    finally:
        shutil.rmtree(folder)


def _with_small_chunks() -> None:
    from runner.corpus.store_writer import StoreWriter

    StoreWriter.__init__.__kwdefaults__["chunk_words"] = 60
    fictc()


def write(files: Mapping[str, object], folder: Path) -> None:
    """Write files, as returned by `contents`, below a folder."""
    for name, content in files.items():
        if isinstance(content, bytes):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def make(rng: random.Random, folder: Path) -> None:
    """Write a damaged store, filters and tables, and two or three commands."""
    name = rng.choice([*bases(), "plain", "indexed", "layers"])
    for file, text in FILES.items():
        (folder / file).write_text(text)
    write(bases()[name], folder / "store")
    damage = rng.choices(DAMAGES, weights=[3, 2, 2, 2, 2, 1, 2])[0]
    damage(rng, folder)
    commands = rng.sample(READING, rng.choice([1, 2, 2]))
    if rng.random() < 0.5:
        commands.append(rng.choice(sorted(WRITING)))
    if any("other" in command for command in commands):
        write(bases()[rng.choice(sorted(bases()))], folder / "other")
    case = {
        "base": name,
        "commands": commands,
        "detectable": damage in (_break_parquet, _replace_file, _damage_description),
    }
    (folder / "commands.json").write_text(json.dumps(case))


def _rehash(store: Path, content: Any) -> None:
    """Write `content` as a description with its sha256."""
    if isinstance(content, dict):
        content.pop("sha256", None)
        try:
            content["sha256"] = key(content)
        except (TypeError, ValueError, RecursionError):  # contains `Raw` or a lone surrogate
            content["sha256"] = "0" * 64
    store.write_bytes(mutate.dump(content))


def _misdescribe(rng: random.Random, folder: Path) -> None:
    """Put wrong types and values into store.json, with a correct sha256."""
    path = folder / "store" / "store.json"
    _rehash(path, mutate.value(rng, json.loads(path.read_bytes())))


def _misdescribe_index(rng: random.Random, folder: Path) -> None:
    path = folder / "store" / "index" / "index.json"
    if not path.exists():
        _misdescribe(rng, folder)
    else:
        _rehash(path, mutate.value(rng, json.loads(path.read_bytes())))


def _damage_description(rng: random.Random, folder: Path) -> None:
    path = rng.choice(sorted((folder / "store").rglob("*.json")))
    path.write_bytes(mutate.data(rng, path.read_bytes()))


def _break_parquet(rng: random.Random, folder: Path) -> None:
    path = rng.choice(sorted((folder / "store").rglob("*.parquet")))
    path.write_bytes(mutate.data(rng, path.read_bytes()))


def _swap_table(rng: random.Random, folder: Path) -> None:
    """Replace a Parquet file with a valid but different one, with correct hashes."""
    store = folder / "store"
    paths = sorted(store.rglob("*.parquet"))
    path = rng.choice(paths)
    if rng.random() < 0.3:
        new = rng.choice(paths).read_bytes()
    else:
        sink = pa.BufferOutputStream()
        pq.write_table(_changed(rng, pq.read_table(pa.BufferReader(path.read_bytes()), use_threads=False)), sink)
        new = sink.getvalue().to_pybytes()
    path.write_bytes(new)
    in_index = "index" in path.relative_to(store).parts
    description = store / "index" / "index.json" if in_index else store / "store.json"
    content = json.loads(description.read_bytes())
    name = str(path.relative_to(description.parent))
    if name in content.get("files", {}):
        content["files"][name] = {"size": len(new), "sha256": hashlib.sha256(new).hexdigest()}
    _rehash(description, content)


def _changed(rng: random.Random, table: pa.Table) -> pa.Table:
    """Return a table without a column or rows, with other types, nulls or extreme numbers, or with permuted rows."""
    roll, column = rng.randrange(6), rng.randrange(table.num_columns)
    name = table.column_names[column]
    if roll == 0:
        return table.drop_columns([name])
    if roll == 1:
        return table.slice(0, rng.choice([0, max(0, table.num_rows - 1)]))
    if roll == 2:
        return table.set_column(column, name, pa.nulls(table.num_rows, table.column(column).type))
    if roll == 3:
        return table.set_column(column, name, pa.array([rng.choice(["x", "\0", ""])] * table.num_rows))
    if roll == 4:
        return table.set_column(column, name, pa.array([rng.choice([-1, 0, 2**31 - 1, 2**62])] * table.num_rows))
    return table.take(
        pa.array(rng.choices(range(table.num_rows), k=table.num_rows)) if table.num_rows else pa.array([], pa.int64())
    )


def _replace_file(rng: random.Random, folder: Path) -> None:
    mutate.replace_file(rng, rng.choice(sorted(path for path in (folder / "store").rglob("*"))))


def _damage_inputs(rng: random.Random, folder: Path) -> None:
    """Damage a table for layers, a filter or a suite, next to a sound store."""
    path = folder / rng.choice(sorted(FILES))
    if rng.random() < 0.15:
        mutate.replace_file(rng, path)
    else:
        path.write_bytes(mutate.data(rng, path.read_bytes()))


DAMAGES = (
    _misdescribe,
    _misdescribe_index,
    _damage_description,
    _break_parquet,
    _swap_table,
    _replace_file,
    _damage_inputs,
)


def check(folder: Path, sandbox: Sandbox) -> None:
    """Check that commands change only their outputs, and that damage detected by a hash changes no result."""
    case = json.loads((folder / "commands.json").read_text())
    for command in case["commands"]:
        before = contents(folder)
        ended = sandbox.run(command.split(), folder)
        outputs = [WRITING[command]] if command in WRITING and ended.code != 2 else []
        check_unchanged(before, folder, outputs)
        if ended.code == 0 and case["detectable"] and command.startswith(("export", "count", "match")) and not outputs:
            sound = _sound(case["base"], command, sandbox)
            if ended.out != sound:
                raise Failure(f"{command.split()[0]} gives another result for a damaged store", command)


_OUTPUTS: dict[tuple[str, str], bytes] = {}


def _sound(base: str, command: str, sandbox: Sandbox) -> bytes:
    """Return the output of a command for the sound store."""
    if (base, command) not in _OUTPUTS:
        folder = Path(tempfile.mkdtemp(prefix="fictc-fuzz-"))
        try:
            for file, text in FILES.items():
                (folder / file).write_text(text)
            write(bases()[base], folder / "store")
            _OUTPUTS[base, command] = sandbox.run(command.split(), folder).out
        finally:
            shutil.rmtree(folder)
    return _OUTPUTS[base, command]
