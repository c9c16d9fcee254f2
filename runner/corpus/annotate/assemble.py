"""The shards of an annotated text into a store, every tree validated like those of a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.annotate.shards import read_shard
from runner.corpus.conllu.reader import Notes, Tree, parse_block, pluralize
from runner.corpus.files.blocks import Block
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.text.lines import LINES, LinesWriter
from runner.corpus.text.parsed import UnitRecord

REJECTED = "rejected.conllu"
LONG = "left-out.tsv"


@dataclass(frozen=True, slots=True)
class TextSource:
    """A file of raw text: its label, the sha256 of its bytes, and its shards in order."""

    label: str
    sha256: str
    shards: tuple[Path, ...]


def assemble(
    folder: Path, sources: Iterable[TextSource], annotator: Mapping[str, object], max_tokens: int
) -> list[Diagnostic]:
    """Write the store into `folder`, which is not published yet; returns what is worth a word.

    Without a single sentence there is no store, and what is returned is the error.
    """
    work = _Assembly(folder, StoreWriter(folder))
    labels: list[str] = []
    with LinesWriter(folder) as lines:
        for source in sources:
            labels.append(source.label)
            work.writer.begin(source.label)
            work.document = None
            rejected = work.rejected
            for shard in source.shards:
                for record in read_shard(shard):
                    work.add(source.label, record, lines)
            work.writer.end(source.sha256, work.rejected - rejected)
    if not work.writer.sentences:
        return [diagnostic("FICT730", path=", ".join(labels))]
    work.writer.register(LINES)
    found: list[Diagnostic] = []
    if work.long:
        work.writer.register(LONG)
        count = pluralize(work.long, "sentence")
        found.append(diagnostic("FICT759", count=count, limit=max_tokens, path=LONG))
    if work.rejected:
        work.writer.register(REJECTED)
        found.append(diagnostic("FICT734", count=pluralize(work.rejected, "sentence"), path=REJECTED))
    work.writer.finish(annotator)
    return found


@dataclass(slots=True)
class _Assembly:
    """The store under way, and how much was left out so far."""

    folder: Path
    writer: StoreWriter
    notes: Notes = field(default_factory=Notes)
    rejected: int = 0
    long: int = 0
    document: str | None = None  # the one that the last sentence belongs to

    def add(self, label: str, record: UnitRecord, lines: LinesWriter) -> None:
        """Append the sentences of a unit and the line that says so."""
        first, before = self.writer.sentences, self.rejected
        for sentence in record.blocks:
            begins = record.document is not None and record.document != self.document
            block = f"# newdoc id = {record.document}\n{sentence}" if begins else sentence
            found = parse_block(Block(record.line, block.encode(), ended=True, newline=True), label, self.notes)
            if isinstance(found, Tree):
                self.writer.add(found)
                self.document = record.document
                continue
            self.rejected += 1
            with (self.folder / REJECTED).open("ab") as file:
                for problem in found.diagnostics:
                    file.write(f"# fictc: {label}:{record.line}: {problem.code} {problem.message}\n".encode())
                file.write(found.data + b"\n\n")
        if record.long:
            self.long += len(record.long)
            with (self.folder / LONG).open("a", encoding="utf-8") as file:
                for long in record.long:
                    file.write(f"{label}\t{record.line}\t{long.words}\t{long.text.replace(chr(9), ' ')}\n")
        skipped = len(record.long) + self.rejected - before
        lines.add(label, record, range(first, self.writer.sentences), skipped)
