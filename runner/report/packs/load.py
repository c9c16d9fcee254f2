"""Read a replication pack, and report all errors with their positions."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import did_you_mean, nearest
from fictdsl.source import Source
from runner.errors import InputError
from runner.readers import parse_toml, read_document, real_path, text_reason
from runner.report.packs.model import Pack
from runner.report.results.imported import results_of
from runner.report.results.long_form import LongForm, parse_long_form, read_csv
from runner.report.results.melted import melt
from runner.report.results.results import Results
from runner.toml.positions import KeyPath, key_positions, nearest_span, toml_error
from runner.toml.validation import independent_errors, keys_at, reason_of

PACK = "pack.toml"


@dataclass(frozen=True)
class PackFile:
    """A pack and its source text, to which diagnostics refer."""

    source: Source
    pack: Pack

    def problem(self, *keys: str | int, reason: str, hint: str | None = None) -> Diagnostic:
        """Return the diagnostic FICT897 at a key."""
        return _problem(self.source, keys, reason, hint)


def read_pack(folder: Path) -> PackFile:
    """Read the `pack.toml` of a folder. Raises InputError (FICT897) with all errors."""
    path = folder / PACK
    try:
        text = read_document(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(diagnostic("FICT897", path=path, reason=text_reason(error))) from error
    except OSError as error:
        raise InputError(diagnostic("FICT897", path=path, reason=f"it cannot be read ({error})")) from error
    source = Source.of(text, str(path), real_path(path))
    try:
        return PackFile(source, Pack.model_validate(parse_toml(source.text)))
    except tomllib.TOMLDecodeError as error:
        span, reason = toml_error(source.text, error)
        raise InputError(diagnostic("FICT897", source, span, path=source.name, reason=reason)) from None
    except ValidationError as error:
        errors = independent_errors(error.errors(include_url=False))
        raise InputError([_invalid(source, detail) for detail in errors]) from None


def pack_results(file: PackFile) -> Results:
    """Return the results in the table of a pack. Corpora and models are in the order of its `targets` and `models`.

    Raises InputError: FICT898 if the table is missing, FICT897 if the pack names corpora or models that the table
    lacks, and FICT893 or FICT894 if the table cannot be read.
    """
    pack = file.pack
    table = _read_table(file)
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    models = list(dict.fromkeys(row.arch for row in table.rows if row.arch))
    problems = [
        *(_unknown(file, "targets", name, corpora) for name in pack.targets if name not in corpora),
        *([] if pack.results.baseline in corpora else [_unknown(file, "results", pack.results.baseline, corpora)]),
        *(_unknown(file, "results", name, models) for name in pack.results.models if name not in models),
    ]
    if problems:
        raise InputError(problems)
    results = results_of(table, pack.results.baseline, pack.targets)
    model_names = (*pack.results.models, *(name for name in models if name not in pack.results.models))
    run = results.run.model_copy(update={"models": tuple({"name": name} for name in model_names)})
    positions = {name: position for position, name in enumerate((pack.results.baseline, *pack.targets))}
    conditions = sorted(results.conditions, key=lambda condition: positions.get(condition.name, len(positions)))
    return replace(results, run=run, conditions=tuple(conditions))


def _read_table(file: PackFile) -> LongForm:
    pack = file.pack
    path = Path(file.source.name).parent / pack.results.file
    if not path.is_file():
        hint = f"download it from {pack.pack.page}" if pack.pack.page else None
        raise InputError(diagnostic("FICT898", path=path, pack=pack.pack.name, hint=hint))
    source, lines = read_csv(path)
    if pack.results.columns is not None:
        lines = melt(source, lines, pack.results.columns)
    return parse_long_form(source, lines, pack.pack.name)


def _unknown(file: PackFile, section: str, name: str, known: list[str]) -> Diagnostic:
    keys = ("targets", name) if section == "targets" else ("results",)
    hint = did_you_mean(name, known) or f"known names: {', '.join(known[:8])}{' …' if len(known) > 8 else ''}"
    return file.problem(*keys, reason=f"the table of results has no `{name}`", hint=hint)


def _invalid(source: Source, error: ErrorDetails) -> Diagnostic:
    keys: KeyPath = tuple(error["loc"])
    name = ".".join(str(key) for key in keys if not isinstance(key, int)) or "the pack"
    hint = None
    if error["type"] == "extra_forbidden":
        known = keys_at(Pack, keys[:-1])
        nearest_key = nearest(str(keys[-1]), known)
        reason, hint = (
            f"unknown key `{name}`",
            f"the nearest key is `{nearest_key}`" if nearest_key else f"known: {', '.join(known)}",
        )
    elif error["type"] == "missing":
        reason = f"the key `{name}` is missing"
    else:
        reason = f"wrong value for `{name}`: {reason_of(error)}"
    return _problem(source, keys, reason, hint)


def _problem(source: Source, keys: KeyPath, reason: str, hint: str | None) -> Diagnostic:
    span = nearest_span(key_positions(source.text), keys)
    return diagnostic("FICT897", source, span, hint=hint, path=source.name, reason=reason)
