"""Read the files of a project: resolve paths, decode text, cache contents, and read word lists."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import Literal, TypeAlias, TypeVar, cast

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Label, has_errors
from fictdsl.diagnostics.suggest import nearest
from fictdsl.source import Source, Span, looks_like_utf16
from fictdsl.syntax import nodes
from fictdsl.syntax.walk import find
from fictdsl.words import counted

_FORBIDDEN = re.compile("[\0\ud800-\udfff]|\r(?!\n)")
_MAX_DIAGNOSTICS = 10  # diagnostics reported per file: a file of NULs would have thousands


def decode(data: bytes, name: str) -> tuple[Source | None, list[Diagnostic]]:
    """Decode UTF-8, without a byte order mark, to NFC; None and FICT104 if it is not UTF-8 or looks like UTF-16."""
    if looks_like_utf16(data):
        return None, [diagnostic("FICT104", Source(name, ""), file=f"`{name}`", reason="it looks like UTF-16")]
    try:
        return Source.of(data.removeprefix(b"\xef\xbb\xbf").decode("utf-8"), name), []
    except UnicodeDecodeError as error:
        data = error.object
        valid_prefix = unicodedata.normalize("NFC", data[: error.start].decode("utf-8"))
        source = Source(name, valid_prefix + data[error.start :].decode("utf-8", "replace"))
        span = Span(len(valid_prefix), len(valid_prefix) + 1)
        reason = f"the byte {data[error.start]:#04x} is not valid UTF-8"
        return None, [diagnostic("FICT104", source, span, file=f"`{name}`", reason=reason)]


def forbidden_character_diagnostics(source: Source) -> list[Diagnostic]:
    diagnostics = []
    for match in _FORBIDDEN.finditer(source.text):
        span = Span(match.start(), match.end())
        if match[0] == "\r":
            diagnostics.append(diagnostic("FICT105", source, span, hint="save the file with LF or CRLF line endings"))
        else:
            character = "a NUL character" if match[0] == "\0" else f"a lone surrogate, U+{ord(match[0]):04X},"
            diagnostics.append(diagnostic("FICT103", source, span, character=character))
        if len(diagnostics) == _MAX_DIAGNOSTICS:
            break
    return diagnostics


def blank_forbidden(text: str) -> str:
    return _FORBIDDEN.sub(" ", text)


MAX_FILES = 64  # of each kind: `.fict` files and word lists
MAX_FICT_BYTES = 1_000_000
MAX_LIST_BYTES = 8_000_000
_ROOT_MARKERS = ("pyproject.toml", "fictc.toml")

_MAX_LISTED = 2_000  # directory entries considered for a suggestion


@dataclass(frozen=True, slots=True)
class FileReference:
    """A reference to a file, for diagnostics: the source and span that they point at, and the path to display."""

    source: Source | None
    span: Span | None
    display_name: str

    def problem(self, code: str, hint: str | None = None, **parameters: object) -> Diagnostic:
        return diagnostic(code, self.source, self.span, hint=hint, labels=(), fix=None, **parameters)


@dataclass(slots=True)
class Folder:
    """The folder that relative paths start from, and the project root that they must stay in, as real paths."""

    path: Path
    root: Path = field(init=False)
    _real_paths: dict[str, Path] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.path = Path(os.path.realpath(self.path))
        self.root = project_root(self.path)

    def find(self, written_path: str, reference: FileReference) -> Path | Diagnostic:
        """Resolve a path written in this folder. Return a diagnostic if it is absolute or leaves the project."""
        if PurePath(written_path).is_absolute():
            return reference.problem("FICT147", "write it relative to the folder of this file", file=written_path)
        real_path = self._real_paths.get(written_path)
        if real_path is None:
            real_path = self._real_paths[written_path] = Path(os.path.realpath(self.path / written_path))
        if not real_path.is_relative_to(self.root):
            hint = "the project is the nearest parent folder with `pyproject.toml` or `fictc.toml`, else this folder"
            return reference.problem("FICT141", hint, file=written_path)
        return real_path


def project_root(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        if any(os.path.isfile(candidate / marker) for marker in _ROOT_MARKERS):  # noqa: PTH113 - false if not permitted
            return candidate
    return folder


def read_bytes(path: Path, limit: int, reference: FileReference) -> bytes | Diagnostic:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return reference.problem("FICT142", file=reference.display_name)
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        return reference.problem("FICT140", _missing_file_hint(path), file=reference.display_name)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return reference.problem("FICT146", file=reference.display_name, reason=reason)
    return check_size(data, limit, reference)


def check_size(data: bytes, limit: int, reference: FileReference) -> bytes | Diagnostic:
    """Return the bytes, or FICT143 if there are more than `limit`."""
    if len(data) > limit:
        return reference.problem("FICT143", file=reference.display_name, limit=f"{limit // 1_000_000} MB")
    return data


def _missing_file_hint(path: Path) -> str | None:
    try:
        with os.scandir(path.parent) as entries:
            kinds = {entry.name: "folder" if entry.is_dir() else "file" for entry in islice(entries, _MAX_LISTED)}
    except (OSError, ValueError):
        return "its folder does not exist"
    suggestion = nearest(path.name, sorted(kinds))
    return f"the most similar {kinds[suggestion]} name in its folder is `{suggestion}`" if suggestion else None


Content = TypeVar("Content")
Kind: TypeAlias = Literal["filters", "list", "table"]
Reader = Callable[[Source], tuple[Content, list[Diagnostic]]]


@dataclass(slots=True)
class FileCache:
    """The parsed contents of files. A file is read again if its modification time, size or inode has changed.

    `unsaved` maps real paths to the texts of unsaved editor buffers, which replace the files on disk. With
    `trees_on_disk`, syntax trees are also cached in the user's cache folder, so that Lark need not be imported.
    """

    unsaved: Mapping[Path, str] = field(default_factory=dict)
    trees_on_disk: bool = False
    _folders: dict[Path, Folder] = field(default_factory=dict)
    _contents: dict[tuple[Path, str, Kind], tuple[object, object]] = field(default_factory=dict)  # stamp, result

    def folder(self, path: Path) -> Folder:
        if path not in self._folders:
            self._folders[path] = Folder(path)
        return self._folders[path]

    def content(
        self,
        real_path: Path,
        reference: FileReference,
        display_name: str,
        kind: Kind,
        reader: Reader[Content],
    ) -> tuple[Content | None, list[Diagnostic]]:
        """Return what a reader makes of a file, None if it has no text, and diagnostics under `display_name`."""
        stamp = self._current_stamp(real_path)
        cached = self._contents.get((real_path, display_name, kind))
        if cached is not None and cached[0] == stamp:
            return cast("tuple[Content | None, list[Diagnostic]]", cached[1])
        data = self.read(real_path, MAX_FICT_BYTES if kind == "filters" else MAX_LIST_BYTES, reference)
        if isinstance(data, Diagnostic):
            return None, [data]  # not cached, since it points at the reference
        result = _read_content(data, real_path, display_name, reader)
        self._contents[real_path, display_name, kind] = stamp, result
        return result

    def copy(self, unsaved: Mapping[Path, str]) -> FileCache:
        """Return a cache with the same contents, for other unsaved texts. Later changes of the two are separate."""
        return FileCache(unsaved, self.trees_on_disk, _contents=dict(self._contents))

    def is_current(self) -> bool:
        return all(stamp == self._current_stamp(real_path) for (real_path, _, _), (stamp, _) in self._contents.items())

    def _current_stamp(self, real_path: Path) -> object:
        return self.unsaved[real_path] if real_path in self.unsaved else _stamp(real_path)

    def read(self, path: Path, limit: int, reference: FileReference) -> bytes | Diagnostic:
        text = self.unsaved.get(Path(os.path.realpath(path))) if self.unsaved else None
        if text is None:
            return read_bytes(path, limit, reference)
        return check_size(text.encode("utf-8", "replace"), limit, reference)


def _read_content(
    data: bytes, real_path: Path, display_name: str, reader: Reader[Content]
) -> tuple[Content | None, list[Diagnostic]]:
    source, problems = decode(data, display_name)
    if source is None:
        return None, problems
    content, read_problems = reader(Source(source.name, source.text, real_path))
    return content, [*problems, *read_problems]


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - called thousands of times, and Path.stat is slower
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


TAB = "\t"  # separates the columns of a row
_MAX_REPEATED = 10  # warnings per word list
_MAX_RAGGED = 10  # errors per word list


@dataclass(frozen=True, slots=True)
class ListOverride:
    """A list that replaces the declared lists of the same name.

    `file` is the path as written, or "" if the words do not come from a file. `sha256` (hex) is the digest of the
    file's bytes, or of the words, one per line. `lower` is True if lowercasing changed the entries.
    """

    name: str
    entries: tuple[str, ...]
    file: str
    sha256: str
    lower: bool = False

    @property
    def record(self) -> dict[str, object]:
        return {"file": self.file, "sha256": self.sha256, "words": len(self.entries), "lower": self.lower}

    def __str__(self) -> str:
        """Describe the list: `sv_nouns: 729 words of lists/sv_nouns.txt in lower case, sha256 ecd7142e…`."""
        source = f" of {self.file}" if self.file else ""
        case = " in lower case" if self.lower else ""
        return f"{self.name}: {counted(len(self.entries), 'word')}{source}{case}, sha256 {self.sha256}"


ListOverrides: TypeAlias = Mapping[str, ListOverride]
NO_OVERRIDES: ListOverrides = MappingProxyType({})


def read_list(name: str, path: Path, file: str) -> tuple[ListOverride | None, list[Diagnostic]]:
    """Read the file that overrides a list; None if it has errors. `file` is the path as written."""
    data = read_bytes(path, MAX_LIST_BYTES, FileReference(Source(file, ""), None, file))
    if isinstance(data, Diagnostic):
        return None, [data]
    source, problems = decode(data, file)
    if source is None:
        return None, problems
    entries, entry_problems = read_entries(source)
    problems = [*problems, *entry_problems]
    if has_errors(problems):
        return None, problems
    return ListOverride(name, entries, file, hashlib.sha256(data).hexdigest()), problems


def list_from_words(name: str, words: Iterable[str]) -> ListOverride:
    trimmed = (unicodedata.normalize("NFC", word).strip() for word in words)
    entries = tuple(dict.fromkeys(word for word in trimmed if word))
    return ListOverride(
        name, entries, "", hashlib.sha256("".join(f"{word}\n" for word in entries).encode()).hexdigest()
    )


def lowercase_where_compared(overrides: ListOverrides, files: Iterable[nodes.File]) -> dict[str, ListOverride]:
    """Return the overrides, with the columns in lower case that the files compare in lower case only.

    Published lists contain capitalized names, which never equal a lowercased value.
    """
    lowercase_only: dict[str, dict[int, bool]] = {}  # list → column → whether all tests of it are in lower case
    for membership in _memberships(files):
        if isinstance(membership.values, nodes.ListRef):
            columns = lowercase_only.setdefault(membership.values.name, {})
            for column, attribute in enumerate(_attributes_of(membership)):
                columns[column] = columns.get(column, True) and attribute.lower
    return {name: _lowercased(override, lowercase_only.get(name, {})) for name, override in overrides.items()}


def single_word_lists(files: Iterable[nodes.File]) -> set[str]:
    members: Iterator[nodes.Member] = find(tuple(files), nodes.Member)
    return {member.values.name for member in members if isinstance(member.values, nodes.ListRef)}


def to_lower(text: str) -> str:
    """Convert a text to lower case as the language defines it: Python's `str.lower`, then NFC."""
    return unicodedata.normalize("NFC", text.lower())


def _memberships(files: Iterable[nodes.File]) -> Iterator[nodes.Member | nodes.TupleMember]:
    return find(tuple(files), nodes.Member, nodes.TupleMember)


def _attributes_of(membership: nodes.Member | nodes.TupleMember) -> list[nodes.Attribute]:
    if isinstance(membership, nodes.Member):
        return [membership.attribute]
    return [node_attribute.attribute for node_attribute in membership.attributes]


def _lowercased(override: ListOverride, lowercase_only: Mapping[int, bool]) -> ListOverride:
    if not any(lowercase_only.values()):
        return override
    rows = (enumerate(entry.split(TAB)) for entry in override.entries)
    entries = tuple(
        dict.fromkeys(
            TAB.join(to_lower(text) if lowercase_only.get(column) else text for column, text in row) for row in rows
        )
    )
    return override if entries == override.entries else replace(override, entries=entries, lower=True)


def read_entries(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    line_starts, problems = _read_lines(source)
    return tuple(line_starts), problems


def read_rows(source: Source) -> tuple[tuple[str, ...], list[Diagnostic]]:
    """Return the distinct rows as trimmed values joined by tabs. Rows with other columns than the first: FICT150."""
    line_starts, problems = _read_lines(source)
    rows: dict[str, int] = {}
    for entry, start in line_starts.items():
        rows.setdefault(trimmed_row(entry), start)
    first_row = next(iter(rows), "")
    ragged_rows = [row for row in rows if row.count(TAB) != first_row.count(TAB)]
    for row in ragged_rows[:_MAX_RAGGED]:
        span = _entry_span(source.text, rows[row])
        problems.append(
            diagnostic("FICT150", source, span, found=str(1 + row.count(TAB)), expected=str(1 + first_row.count(TAB)))
        )
    return tuple(rows), problems


def trimmed_row(entry: str) -> str:
    return TAB.join(value.strip() for value in entry.split(TAB))


def _read_lines(source: Source) -> tuple[dict[str, int], list[Diagnostic]]:
    line_starts: dict[str, int] = {}  # not spans, since computing each span would dominate the run time
    problems = forbidden_character_diagnostics(source)
    repetition_count = 0
    start = 0
    for line in source.text.split("\n"):
        entry = line.strip()
        if entry and not line.startswith("#"):
            entry = entry[1:] if entry.startswith("\\#") else entry
            if line_starts.setdefault(entry, start) != start:
                repetition_count += 1
                if repetition_count <= _MAX_REPEATED:
                    label = Label(_entry_span(source.text, line_starts[entry]), "first here")
                    span = _entry_span(source.text, start)
                    problems.append(diagnostic("FICT148", source, span, labels=(label,), entry=entry))
        start += len(line) + 1
    return line_starts, problems


def column_counts_of(entries: Iterable[str]) -> set[int]:
    return {1 + entry.count(TAB) for entry in entries}


def _entry_span(text: str, start: int) -> Span:
    end = text.find("\n", start)
    line = text[start : end if end >= 0 else None]
    entry_start = start + len(line) - len(line.lstrip())
    return Span(entry_start, entry_start + len(line.strip()))
