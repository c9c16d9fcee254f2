"""The kind of suite of minimal pairs: encode and score them, tabulate their tokens, write and read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.readers import parquet_reason
from runner.score.convention import Convention
from runner.score.encoding import EncodedPair, encode_suite, texts_of
from runner.score.measures import accuracy, mean, score_column
from runner.score.pair_formats import FORMATS, load_suite
from runner.score.pair_matrices import NUMBERS, SCORES, SUMS, TEXTS, Paradigm, items_of
from runner.score.score_table import SIDES, Total, pair_table, table_of, unigram_scores
from runner.score.sentence_scores import (
    Prepared,
    Scored,
    Tokens,
    check_convention,
    without_long,
)
from runner.score.suite_files import PAIR_SUFFIXES, Pair, Suite
from runner.score.suite_kind import Answer, OpenOptions, PrepareOptions, Scores, SuiteKind, Usage
from runner.workspace import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa
    from transformers import PreTrainedTokenizerBase


_TEXT_COLUMNS = ("paradigm", "phenomenon", "field", "good", "bad", "prefix_method")


def read_pair_suite(path: Path) -> Suite:
    """Read a file that `PairedKind` wrote. Raises InputError (FICT811)."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        pairs = [
            Pair(
                **{name: row[name] for name in (*_TEXT_COLUMNS, "item")},
                prefixes=(row["prefixes_good"], row["prefixes_bad"]),
                words=(row["words_good"], row["words_bad"]),
            )
            for row in table.to_pylist()
        ]
        name = (table.schema.metadata or {}).get(b"suite", path.stem.encode()).decode()
    except (OSError, KeyError, UnicodeDecodeError, pa.ArrowException) as error:
        raise InputError.of("FICT811", path=path, reason=_reason(error)) from error
    return Suite(name, pairs)


def _reason(error: Exception) -> str:
    match error:
        case KeyError():
            return f"it has no column {error}"
        case UnicodeDecodeError():
            return f"its text is not UTF-8 ({error})"
    return parquet_reason(error)


def token_table(
    tokenizer: PreTrainedTokenizerBase, suite: Suite, prepared: Prepared, scored: Scored, max_pairs: int
) -> pa.Table:
    """Return one row per scored token of the first `max_pairs` pairs of each paradigm, with the token's ln p."""
    indices = {text: index for index, text in enumerate(prepared.texts)}
    pair_counts: dict[str, int] = {}
    rows: list[tuple[str, int, str, int, str, float]] = []
    for pair in suite.items:
        pair_counts[pair.paradigm] = pair_counts.get(pair.paradigm, 0) + 1
        if pair_counts[pair.paradigm] > max_pairs:
            continue
        for side, text in (("good", pair.good), ("bad", pair.bad)):
            if text not in indices:
                continue
            sentence, logprobs = prepared.sentences[indices[text]], scored.tokens[indices[text]]
            tokens = tokenizer.convert_ids_to_tokens(
                [int(token_id) for token_id in sentence.ids[sentence.start : sentence.end]]
            )
            numbered = enumerate(zip(tokens, logprobs.tolist(), strict=True))
            rows += [(pair.paradigm, pair.item, side, index, token, logprob) for index, (token, logprob) in numbered]
    return table_of(rows, _TOKEN_TYPES)


_TOKEN_TYPES = {
    "paradigm": "string", "item": "int32", "side": "string", "place": "int32", "token": "string", "logprob": "float64",
}  # fmt: skip
COUNT_COLUMNS = ("pairs", "ties", "identical", "unknown")
ACCURACY_COLUMNS = ("accuracy", "told_apart", "unigram")
_RECORD_COLUMNS = ("paradigm", "phenomenon", *ACCURACY_COLUMNS, *COUNT_COLUMNS)


P = TypeVar("P", bound=Suite)


class PairedKind(SuiteKind[P]):
    of_pairs = True

    def sentence_estimate(self, file: Path, limit: int | None) -> int:
        return super().sentence_estimate(file, limit) * (2 if file.suffix.lower() in PAIR_SUFFIXES else 1)

    def sentences(self, suite: P) -> Iterator[str]:
        yield from (text for pair in suite.items for text in (pair.good, pair.bad))

    def prepare(
        self, saved: SavedModel, suite: P, convention: Convention, **options: Unpack[PrepareOptions]
    ) -> Prepared:
        """Encode a suite; with `include_identical`, pairs with the same ids are also scored, for `word_table`."""
        check_convention(saved, convention)
        encoded_pairs = encode_suite(suite, saved.tokenizer, convention, saved.about, saved.folder.name)
        if options.get("skip_long"):
            short = iter(without_long(saved, (s for pair in encoded_pairs for s in pair or ()), convention))
            encoded_pairs = [None if pair is None else (next(short), next(short)) for pair in encoded_pairs]

        def is_scored(encoded: EncodedPair | None) -> bool:
            return encoded is not None and (encoded[0] != encoded[1] or options.get("include_identical", False))

        scored_pairs = [
            (pair, encoded) for pair, encoded in zip(suite.items, encoded_pairs, strict=True) if is_scored(encoded)
        ]
        texts = [text for pair, _ in scored_pairs for _, text in texts_of(pair, convention)]
        sentences = [sentence for _, encoded in scored_pairs for sentence in encoded or ()]

        def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
            remaining = iter(totals)
            totals_by_pair = [
                (next(remaining), next(remaining)) if is_scored(encoded) else None for encoded in encoded_pairs
            ]
            return pair_table(suite, encoded_pairs, totals_by_pair, convention.normalise)

        keys: dict[str, list[str | int]] = {
            "paradigm": [pair.paradigm for pair, _ in scored_pairs for _ in SIDES],
            "item": [pair.item for pair, _ in scored_pairs for _ in SIDES],
            "side": [side for _ in scored_pairs for side in SIDES],
        }
        return Prepared.of(saved, convention, texts, sentences, tabulate, keys)

    def write(self, suite: P, folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns: dict[str, pa.Array] = {
            name: pa.array([getattr(pair, name) for pair in suite.items], pa.string()) for name in _TEXT_COLUMNS
        }
        columns["item"] = pa.array([pair.item for pair in suite.items], pa.int32())
        for name in ("prefixes", "words"):
            for index, side in enumerate(SIDES):
                columns[f"{name}_{side}"] = pa.array([getattr(pair, name)[index] for pair in suite.items], pa.string())
        table = pa.table(columns).replace_schema_metadata({"suite": suite.name})
        with atomic_write(folder / self.file) as temp:
            pq.write_table(table, temp, write_page_checksum=True)

    def read(self, path: Path) -> Suite:
        return read_pair_suite(path)


class PairsKind(PairedKind[Suite]):
    name, title = "pairs", "minimal pairs"
    usage = Usage(
        "minimal pairs",
        "a .jsonl file with BLiMP's keys, or a .csv or .tsv with the columns good, bad and, optionally, paradigm "
        "(or BLiMP's names)",
        "For minimal pairs, accuracy is the share of pairs whose acceptable sentence is more probable. Other "
        "columns are the accuracy without pairs whose sentences have the same tokens (told_apart), the accuracy "
        "of word frequencies (unigram, if the counts of the training text are known), ties, pairs with the same "
        "tokens (identical), and pairs with an unknown word.",
    )
    suite, matrix = Suite, Paradigm
    file, results, dictionaries = "pairs.parquet", "items.parquet", TEXTS
    columns = (*TEXTS, *NUMBERS, *SCORES, *SUMS, "identical")

    def claims(self, path: Path) -> bool:  # noqa: ARG002
        return True

    def open(self, path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> Suite:
        return load_suite(path, name, limit=options.get("limit"), paradigms=options.get("paradigms"))

    def holds(self, table: pa.Table) -> bool:  # noqa: ARG002
        return True

    def answer(self, table: pa.Table, convention: Convention) -> Answer:
        for format_ in FORMATS:
            if (own := format_.answer(table)) is not None:
                return own
        unigrams = unigram_scores(table, convention.normalise, "unigram_good")
        unigram_accuracies = (
            {} if unigrams is None else {row.paradigm: row.accuracy for row in accuracy(unigrams, convention.ties)}
        )
        rows = (
            {**asdict(row), "unigram": unigram_accuracies.get(row.paradigm)} for row in accuracy(table, convention.ties)
        )
        records = [{name: row[name] for name in _RECORD_COLUMNS} for row in rows]
        means = {name: mean(record[name] for record in records) for name in ACCURACY_COLUMNS}
        sums = {name: sum(record[name] for record in records) for name in COUNT_COLUMNS}
        total = {"paradigm": "mean of paradigms", "phenomenon": "", **means, **sums}
        return Answer("paradigms", records, total, {"mean": means}, ACCURACY_COLUMNS, hidden=("phenomenon",))

    def summaries(self, table: pa.Table) -> Iterator[dict[str, Any]]:
        good, bad = (score_column(table, name) for name in ("score_good", "score_bad"))
        paradigms = np.asarray(table.column("paradigm").to_pylist())
        identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
        for paradigm in dict.fromkeys(paradigms.tolist()):
            scored = (paradigms == paradigm) & np.isfinite(good) & np.isfinite(bad)
            counts = {"right": int((good[scored] > bad[scored]).sum())}
            counts["ties"] = int((good[scored] == bad[scored]).sum())
            counts["identical"] = int(identical[paradigms == paradigm].sum())
            delta = float((good[scored] - bad[scored]).mean()) if scored.any() else None
            yield {"paradigm": paradigm, "pairs": int(scored.sum()), **counts, "delta": delta}

    def matrices(self, folder: Path | None, scored: Sequence[Scores] = ()) -> tuple[Paradigm, ...]:
        return items_of(self.table(folder, scored))
