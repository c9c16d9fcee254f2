"""What every kind of suite does: its files, sentences, tables of scores, and matrices for reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypedDict, TypeVar, Unpack

from runner.errors import InputError
from runner.readers import parquet_reason, parse_json
from runner.score.pair_matrices import Paradigm, Score, require_columns

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.model.saved import SavedModel
    from runner.score.convention import Convention
    from runner.score.sentence_scores import Prepared

S = TypeVar("S")
T = TypeVar("T")


class AnySuite(Protocol):
    @property
    def name(self) -> str: ...


@dataclass(frozen=True)
class Usage:
    """What `fictc score --help` says of a kind of suite: its name, its files, and the columns of its answer."""

    name: str
    files: str
    columns: str


Record = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The result of one model: `records` are rows, `total` is the row below them, and `summary` is for JSON only."""

    name: str  # key of the records in JSON
    records: Sequence[Record]
    total: Record | None = None
    summary: Record = field(default_factory=dict)
    shares: Sequence[str] = ()  # columns that tables show in percent
    hidden: Sequence[str] = ()  # columns that tables omit


class Matrix(ABC):
    """The scores of a suite, or of a part of it, in the cells of a run."""

    __slots__ = ()
    pairs: ClassVar[str] = ""  # what its pairs are, if it has pairs
    untested: ClassVar[str] = ""  # what its accuracies are of, which placebos do not test, if it has accuracies
    suite: str
    name: str  # of the paradigm, or empty

    @property
    @abstractmethod
    def scored(self) -> Sequence[Score]:
        """The cells with scores."""

    @property
    def pair_count(self) -> int:
        return 0

    def paradigm(self) -> Paradigm | None:
        return None

    def accuracies(self) -> Mapping[Score, float]:
        return {}

    def correlations(self) -> Mapping[Score, float]:
        return {}

    def item_counts(self) -> Mapping[tuple[str, str], tuple[int, int]]:
        return {}


@dataclass(frozen=True)
class Scores:
    model: str
    checkpoint: str
    suite: str
    convention: Convention
    table: pa.Table
    words: pa.Table | None = None
    cell: Score | None = None


class OpenOptions(TypedDict, total=False):
    limit: int | None  # keeps the first pairs of each paradigm, sentences, or items of each SyntaxGym suite
    paradigms: Sequence[str]  # of minimal pairs; by default all
    covariates: Sequence[str]  # of alternants


class PrepareOptions(TypedDict, total=False):
    include_identical: bool  # whether pairs whose sentences have the same ids are scored too
    skip_long: bool  # whether sentences that are too long for the model have no score


class SuiteKind(ABC, Generic[S]):
    """A kind of suite: its files, sentences, tables of scores and matrices. `any_suite` lists the kinds."""

    name: ClassVar[str]  # in run cards and manifests
    title: ClassVar[str]  # in messages
    usage: ClassVar[Usage]
    suite: ClassVar[type]  # the class of its suites
    matrix: ClassVar[type[Any]]  # the class of its matrices
    file: ClassVar[str]  # the file or folder from which cells score
    results: ClassVar[str]  # the file of its scores in the results of a run
    columns: ClassVar[tuple[str, ...]]  # of `results`, besides `LABELS`
    metadata: ClassVar[tuple[str, ...]] = ()  # keys of the metadata of its tables of scores
    declared: ClassVar[bool] = False  # whether manifests name the kind, since it is not recognised by its files
    dictionaries: ClassVar[tuple[str, ...]] = ()  # columns of `results` that stay dictionary-encoded
    has_covariates: ClassVar[bool] = False
    of_pairs: ClassVar[bool] = False  # whether its items are pairs, whose scores can be added to those of a run

    @abstractmethod
    def claims(self, path: Path) -> bool:
        """Return whether a file or folder is a suite of this kind."""

    @abstractmethod
    def open(self, path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> S:
        """Open a suite. Raises InputError."""

    def check(self, suite: S, path: Path) -> None:
        """Raise InputError if a run cannot evaluate a suite."""

    def sentence_estimate(self, file: Path, limit: int | None) -> int:
        """Estimate the number of sentences of one file of a suite, quickly: one for each line."""
        lines = len(file.read_bytes().splitlines())
        return min(limit or lines, lines)

    @abstractmethod
    def sentences(self, suite: S) -> Iterator[str]:
        """Yield every sentence of a suite."""

    @abstractmethod
    def prepare(
        self, saved: SavedModel, suite: S, convention: Convention, **options: Unpack[PrepareOptions]
    ) -> Prepared:
        """Encode a suite. Raises InputError as `encode` and `Prepared.of` do."""

    @abstractmethod
    def write(self, suite: S, folder: Path) -> None:
        """Write `file` into a folder. Equal suites give equal bytes."""

    @abstractmethod
    def read(self, path: Path) -> Any:
        """Read what `write` wrote. Raises InputError (FICT811)."""

    @abstractmethod
    def holds(self, table: pa.Table) -> bool:
        """Return whether a table has the scores of a suite of this kind."""

    @abstractmethod
    def answer(self, table: pa.Table, convention: Convention) -> Answer:
        """Return what `fictc score` shows of a table of scores."""

    def summaries(self, table: pa.Table) -> Iterator[dict[str, Any]]:  # noqa: ARG002
        """Yield summaries of a table of scores, for the curves of checkpoints, as JSON objects."""
        yield from ()

    def rows(self, table: pa.Table, convention: Convention) -> pa.Table:  # noqa: ARG002
        """Return a table of scores with `columns`."""
        return table

    def write_more(self, files: Mapping[str, Path], folder: Path) -> None:
        """Write what the results of a run need besides scores. `files` are the suites of this kind, as written."""

    @abstractmethod
    def matrices(self, folder: Path | None, scored: Sequence[Scores] = ()) -> tuple[Any, ...]:
        """Return the matrices of a run's results in `folder`, if given, and of more scores. Raises InputError."""

    def table(self, folder: Path | None, scored: Sequence[Scores]) -> pa.Table:
        """Return `results` with more scores. Raises InputError (FICT890, 891)."""
        import pyarrow as pa

        path = Path("the scores") if folder is None else folder / self.results
        tables = [] if folder is None else [read_table(path, self.dictionaries)]
        names = tables[0].schema.names if tables else None
        for entry in scored:
            assert entry.cell is not None
            rows = with_labels(self.rows(entry.table, entry.convention), entry.cell, entry.suite)
            tables.append(rows if names is None else rows.select(names).cast(tables[0].schema))
        table = pa.concat_tables(tables)
        require_columns(table, (*LABELS, *self.columns), path)
        return table


def read_table(path: Path, dictionaries: Sequence[str] = ()) -> pa.Table:
    """Read a Parquet file, with its checksums. Raises InputError: FICT890 if it is missing, FICT891 if it is broken."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise InputError.of("FICT890", path=str(path), what="file of results")
    try:
        return pq.read_table(path, page_checksum_verification=True, read_dictionary=list(dictionaries))
    except (pa.ArrowException, OSError) as error:
        raise InputError.of("FICT891", path=str(path), reason=parquet_reason(error)) from error


def read_json(path: Path, type_: type[T]) -> T:
    """Read and check a JSON file. Raises InputError: FICT890 if it is missing, FICT891 if it is broken."""
    from pydantic import TypeAdapter, ValidationError

    if not path.is_file():
        raise InputError.of("FICT890", path=str(path), what="file of results")
    try:
        return TypeAdapter(type_).validate_python(parse_json(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        problem = error.errors()[0]
        location = ".".join(str(part) for part in problem["loc"]) or "the top level"
        reason = f"at {location}: {problem['msg'].lower()}"
    except (ValueError, OSError) as error:
        reason = f"it is not JSON in UTF-8 ({error})"
    raise InputError.of("FICT891", path=str(path), reason=reason)


LABELS = ("condition", "model", "seed", "suite")


def with_labels(table: pa.Table, cell: Score, suite: str) -> pa.Table:
    import pyarrow as pa

    seed = pa.scalar(cell.seed, pa.int32())
    values = zip(LABELS, (cell.condition, cell.model, seed, suite), strict=True)
    labels = {name: pa.repeat(value, table.num_rows) for name, value in values}
    return pa.table({**labels, **{name: table[name] for name in table.column_names}})
