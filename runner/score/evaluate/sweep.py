"""A model, or a folder of checkpoints, and a suite to scores, one checkpoint after the other; and scores to a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel, load_model, position_limit
from runner.readers import parse_json
from runner.score.evaluate.any_suite import AnySuite, prepare_any
from runner.score.evaluate.syntaxgym import PREDICTIONS
from runner.score.scoring.convention import Convention
from runner.score.scoring.sentences import Prepared, Progress, score
from runner.score.scoring.table import rescored
from runner.score.scoring.words import ask_words, word_table
from runner.workspace import atomic_write

if TYPE_CHECKING:
    import pyarrow as pa

CHECKPOINT = "checkpoint"


@dataclass(frozen=True)
class Scores:
    """The scores of one model on one suite; `checkpoint` is its folder's name where there are several."""

    model: str
    checkpoint: str
    suite: str
    convention: Convention
    table: pa.Table
    words: pa.Table | None = None


def models_in(folder: Path) -> list[Path]:
    """`folder` itself if it is a model, else the models in it, numbers in their names in order.

    InputError (FICT801) if there is none.
    """
    found = [path.parent for path in folder.glob("*/config.json")]
    if (folder / "config.json").is_file() or not found:
        return [folder]  # which is refused for what it lacks, where it is no model
    return sorted(found, key=lambda path: [(len(part), part) for part in re.split(r"(\d+)", path.name)])


def sweep(
    folder: Path,
    suite: AnySuite,
    choose: Callable[[SavedModel], Convention],
    on_progress: Progress | None = None,
    *,
    words: bool = False,
) -> Iterator[Scores]:
    """Score every model of a folder, with the surprisal of every word where asked.

    A suite is encoded once for all models that read it alike.
    """
    folders = models_in(folder)
    prepared: Prepared | None = None
    reading: object = None
    for path in folders:
        saved = load_model(path)
        convention = choose(saved)
        if prepared is None or reading != _reading(saved, convention):
            prepared, reading = prepare_any(saved, suite, convention, every=words), _reading(saved, convention)
            prepared = ask_words(saved, prepared) if words else prepared
        name = path.name if len(folders) > 1 else ""
        found = score(saved, prepared, on_progress)
        by_word = word_table(saved.tokenizer, prepared, found) if words else None
        yield Scores(folder.name, name, suite.name, convention, found.table, by_word)


def _reading(saved: SavedModel, convention: Convention) -> object:
    """All that decides how a model reads a text: models that agree in it share what was prepared."""
    tokenizer = saved.tokenizer
    inner = tokenizer.backend_tokenizer.to_str() if tokenizer.is_fast else saved.folder
    specials = json.dumps(tokenizer.special_tokens_map, default=str, sort_keys=True)
    return inner, specials, saved.about.get("context", -1), position_limit(saved), convention


def write_scores(scores: Sequence[Scores], name: str, path: Path) -> None:
    """All scores to one Parquet file, with the convention (and the preset's name) beside them."""
    first = scores[0]
    about = {
        **(first.table.schema.metadata or {}),
        "model": first.model,
        "suite": first.suite,
        "convention": json.dumps({"name": name, **asdict(first.convention)}),
    }
    write_tables([(one.checkpoint, one.table) for one in scores], path, about)


def write_tables(tables: Sequence[tuple[str, pa.Table]], path: Path, about: Mapping[Any, str] | None = None) -> None:
    """Tables of checkpoints one after the other, as CSV where the file is called so, else as Parquet."""
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    labelled = [_labelled(label, table) if len(tables) > 1 else table for label, table in tables]
    whole = pa.concat_tables(labelled).replace_schema_metadata(about)
    with atomic_write(path) as temp:
        if path.suffix.lower() == ".csv":
            pyarrow.csv.write_csv(whole, temp)
        else:
            pq.write_table(whole, temp, write_page_checksum=True)


def _labelled(label: str, table: pa.Table) -> pa.Table:
    import pyarrow as pa

    return table.add_column(0, CHECKPOINT, pa.array([label] * table.num_rows, pa.string()))


def read_scores(path: Path) -> tuple[list[Scores], str]:
    """What `write_scores` wrote, with the preset's name. InputError (FICT819) if a file is something else."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, page_checksum_verification=True)
        about = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        convention: dict[str, Any] = parse_json(about["convention"])
        name = convention.pop("name")
        table = table.replace_schema_metadata({key: about[key] for key in about if key == PREDICTIONS})
        if CHECKPOINT not in table.column_names:
            return [Scores(about["model"], "", about["suite"], Convention(**convention), table)], name
        labels = table.column(CHECKPOINT)
        rest = table.drop_columns([CHECKPOINT])
        return [
            Scores(
                about["model"],
                label,
                about["suite"],
                Convention(**convention),
                rest.filter(pc.equal(labels, label)),
            )
            for label in labels.unique().to_pylist()
        ], name
    except (OSError, KeyError, TypeError, ValueError, pa.ArrowException) as error:
        raise InputError(diagnostic("FICT819", path=path, reason=str(error).rstrip("."))) from error


def again(path: Path, given: Mapping[str, str]) -> tuple[list[Scores], str]:
    """Kept scores under other values of `normalise` and `ties`, with the preset's name. InputError: FICT819, 814."""
    kept, name = read_scores(path)
    only = [field for field in given if field not in ("normalise", "ties")]
    if only:
        raise InputError(diagnostic("FICT819", path=path, reason=f"`{only[0]}` needs the model"))
    found = []
    for one in kept:
        convention = replace(one.convention, **given)  # type: ignore[arg-type]
        try:
            table = rescored(one.table, convention.normalise)
        except ValueError:
            raise InputError(diagnostic("FICT814", name=convention.normalise)) from None
        found.append(replace(one, convention=convention, table=table))
    return found, name
