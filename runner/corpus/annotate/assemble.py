"""Assemble the shards of an annotation: validate every tree, and write the valid ones to a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from runner.corpus.annotate.shards import read_shard
from runner.corpus.conllu.reader import Notes, Tree, parse_block
from runner.corpus.files.blocks import Block
from runner.corpus.ingest.writer import StoreWriter
from runner.corpus.text.lines import LINES, LinesWriter
from runner.corpus.text.parsed import UnitRecord
from runner.counted import counted

REJECTED = "rejected.conllu"
TOO_LONG = "left-out.tsv"


@dataclass(frozen=True, slots=True)
class TextSource:
    """A file of raw text: its label, sha256, and shards in order."""

    label: str
    sha256: str
    shards: tuple[Path, ...]


def assemble(
    folder: Path, sources: Iterable[TextSource], annotator: Mapping[str, object], max_words: int
) -> list[Diagnostic]:
    """Write the store into `folder`, and return notes. The caller publishes the folder.

    If there are no sentences, no store is written, and the only note is an error (FICT730).
    """
    assembly = _Assembly(folder, StoreWriter(folder))
    labels: list[str] = []
    with LinesWriter(folder) as lines:
        for source in sources:
            labels.append(source.label)
            assembly.writer.begin(source.label)
            assembly.document = None
            rejected_before = assembly.rejected
            for shard in source.shards:
                for record in read_shard(shard):
                    assembly.add(source.label, record, lines)
            assembly.writer.end(source.sha256, assembly.rejected - rejected_before)
    if not assembly.writer.sentences:
        too_long = (
            f"{counted(assembly.too_long, 'sentence')} of more than {max_words} words" if assembly.too_long else ""
        )
        rejected = f"{counted(assembly.rejected, 'malformed tree')} ({assembly.reasons})" if assembly.rejected else ""
        hint = " and ".join(filter(None, (too_long, rejected)))
        return [diagnostic("FICT730", path=", ".join(labels), hint=f"left out: {hint}" if hint else None)]
    assembly.writer.register(LINES)
    notes: list[Diagnostic] = []
    if assembly.too_long:
        assembly.writer.register(TOO_LONG)
        count = counted(assembly.too_long, "sentence")
        notes.append(diagnostic("FICT759", count=count, limit=max_words, path=TOO_LONG))
    if assembly.rejected:
        assembly.writer.register(REJECTED)
        count = counted(assembly.rejected, "sentence")
        notes.append(diagnostic("FICT734", hint=assembly.reasons, count=count, path=REJECTED))
    assembly.writer.finish(annotator)
    return notes


@dataclass(slots=True)
class _Assembly:
    """The store being written, and the numbers of rejected and of too long sentences."""

    folder: Path
    writer: StoreWriter
    notes: Notes = field(default_factory=Notes)  # collected by `parse_block`, but not reported
    rejected: int = 0
    rejected_for: Counter[str] = field(default_factory=Counter)  # number of sentences by reason
    too_long: int = 0
    document: str | None = None  # the document of the last sentence

    @property
    def reasons(self) -> str:
        """The three most frequent reasons of rejected sentences."""
        return "; ".join(reason for reason, _ in self.rejected_for.most_common(3))

    def add(self, label: str, record: UnitRecord, lines: LinesWriter) -> None:
        """Append the sentences of a unit, and its row of `lines.parquet`."""
        first_sid, rejected_before = self.writer.sentences, self.rejected
        for tree_block in record.blocks:
            starts_document = record.document is not None and record.document != self.document
            block = f"# newdoc id = {record.document}\n{tree_block}" if starts_document else tree_block
            parsed = parse_block(Block(record.line, block.encode(), ended=True, newline=True), label, self.notes)
            if isinstance(parsed, Tree):
                self.writer.add(parsed)
                self.document = record.document
                continue
            self.rejected += 1
            self.rejected_for[parsed.diagnostics[0].message] += 1
            with (self.folder / REJECTED).open("ab") as file:
                for problem in parsed.diagnostics:
                    file.write(f"# fictc: {label}:{record.line}: {problem.code} {problem.message}\n".encode())
                file.write(parsed.data + b"\n\n")
        if record.long:
            self.too_long += len(record.long)
            with (self.folder / TOO_LONG).open("a", encoding="utf-8") as file:
                for sentence in record.long:
                    file.write(f"{label}\t{record.line}\t{sentence.words}\t{sentence.text.replace(chr(9), ' ')}\n")
        skipped = len(record.long) + self.rejected - rejected_before
        lines.add(label, record, range(first_sid, self.writer.sentences), skipped)
