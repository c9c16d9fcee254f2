"""Project settings, from the nearest `fictc.toml` or the table `[tool.fictc]` in `pyproject.toml`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint.engine import first_unknown
from fictdsl.source import Source, Span
from runner.errors import InputError
from runner.readers import parse_toml, read_document, real_path, text_reason
from runner.toml_text import KeyPath, key_hint, key_positions, nearest_span, toml_error

FILE, SHARED_FILE, TABLE = "fictc.toml", "pyproject.toml", ("tool", "fictc")


@dataclass(frozen=True, slots=True)
class Kind:
    text: str
    default: object
    is_valid: Callable[[object], bool]


_STRINGS = Kind(
    "a list of strings", [], lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value)
)
_FLAG = Kind("true or false", False, lambda value: isinstance(value, bool))
_PATH = Kind("a path", None, lambda value: isinstance(value, str) and bool(value))
KEYS: dict[str, dict[str, Kind]] = {
    "lint": dict.fromkeys(("select", "ignore", "exclude"), _STRINGS)
    | {"strict": _FLAG, "baseline": _PATH, "corpus": _PATH},
}
_SELECTOR_KEYS = ("select", "ignore")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a project and their locations in the file; `source` is None if no file has settings."""

    source: Source | None = None
    values: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    spans: Mapping[tuple[str, str], Span] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        return Path() if self.source is None or self.source.path is None else self.source.path.parent

    def value(self, section: str, key: str) -> object:
        return self.values.get((section, key), KEYS[section][key].default)

    def strings(self, section: str, key: str) -> tuple[str, ...]:
        return tuple(cast("list[str]", self.value(section, key)))

    def flag(self, section: str, key: str) -> bool:
        return bool(self.value(section, key))

    def path(self, section: str, key: str) -> Path | None:
        value = self.value(section, key)
        return None if value is None else self.folder / str(value)

    def origin(self, section: str, key: str) -> str:
        span = self.spans.get((section, key))
        if span is None or self.source is None:
            return "default"
        return f"{self.source.name}:{self.source.position(span.start)[0]}"


def load(start: Path, file: Path | None = None) -> Settings:
    """Load the settings in `file`, or in the nearest file with settings upwards. Raises InputError for all mistakes."""
    if file is not None:
        return _read(file, file)
    resolved = real_path(start)
    for folder in (resolved, *resolved.parents):
        for name in (FILE, SHARED_FILE):
            path = folder / name
            if path.is_file():
                cwd = Path.cwd()
                settings = _read(path, path.relative_to(cwd) if path.is_relative_to(cwd) else path)
                if settings.source is not None:
                    return settings
    return Settings()


def _read(path: Path, shown_path: Path) -> Settings:
    try:
        text = read_document(path).decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError.of("FICT620", path=shown_path, reason=reason) from None
    except UnicodeDecodeError as error:
        raise InputError.of("FICT620", path=shown_path, reason=text_reason(error)) from None
    prefix = TABLE if path.name == SHARED_FILE else ()
    if prefix and prefix[-1] not in text:
        return Settings()
    source = Source.of(text, str(shown_path), path)
    try:
        content: Any = _parse(source.text)
    except tomllib.TOMLDecodeError as error:
        span, reason = toml_error(source.text, error)
        raise InputError.of("FICT621", source, span, reason=reason) from None
    for key in prefix:
        content = content.get(key) if isinstance(content, dict) else None
    return Settings() if content in (None, {}) else _validated(source, content, prefix)


@lru_cache(maxsize=8)  # the language server reads the settings again for each request
def _parse(text: str) -> Mapping[str, Any]:
    return parse_toml(text)


def _validated(source: Source, content: Any, prefix: tuple[str, ...]) -> Settings:
    key_spans = key_positions(source.text)
    problems: list[Diagnostic] = []
    values: dict[tuple[str, str], Any] = {}
    spans: dict[tuple[str, str], Span] = {}
    for key_path, code, hint, parameters in _problems(content):
        span = nearest_span(key_spans, (*prefix, *key_path))
        problems.append(diagnostic(code, source, span, hint=hint, labels=(), fix=None, **parameters))
    if problems:
        raise InputError(problems)
    for section, table in content.items():
        for key, value in table.items():
            values[section, key] = value
            spans[section, key] = nearest_span(key_spans, (*prefix, section, key))
    return Settings(source, values, spans)


Problem = tuple[KeyPath, str, str | None, dict[str, str]]  # path of the key, code, hint, parameters


def _problems(content: Any) -> Iterator[Problem]:
    if not isinstance(content, dict):
        yield (), "FICT623", None, {"key": ".".join(TABLE), "reason": "it should be a table"}
        return
    for section, table in content.items():
        if section not in KEYS:
            yield (section,), "FICT622", key_hint(section, KEYS), {"key": section, "where": "the settings"}
        elif not isinstance(table, dict):
            yield (section,), "FICT623", None, {"key": section, "reason": "it should be a table"}
        else:
            for key, value in table.items():
                yield from _key_problems(section, key, value)


def _key_problems(section: str, key: str, value: object) -> Iterator[Problem]:
    kind, shown = KEYS[section].get(key), json.dumps(value, ensure_ascii=False, default=str)
    if kind is None:
        yield (section, key), "FICT622", key_hint(key, KEYS[section]), {"key": key, "where": f"[{section}]"}
    elif not kind.is_valid(value):
        yield (section, key), "FICT623", None, {"key": key, "reason": f"it should be {kind.text}, found {shown}"}
    elif section == "lint" and key in _SELECTOR_KEYS and (unknown := first_unknown(cast("list[str]", value))):
        selector, hint = unknown
        yield (section, key), "FICT624", hint, {"found": selector}
