"""Resolve paths of a manifest: `${data}` and `${filters}`, globs, and the folders that a run may read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from fictdsl.installation import shipped
from fictdsl.syntax.files import project_root
from runner.corpus.corpus_files import CONLLU_SUFFIXES, is_hidden, source_labels
from runner.manifest.text import ManifestText
from runner.readers import real_path
from runner.toml_text import strings

_ALLOW_HINT = "move it into the project, or allow its folder with --allow PATH"


@dataclass(frozen=True)
class Roots:
    """The folders at which relative paths start, and the folders that a run may read. Links are resolved."""

    folder: Path
    data: Path | None = None
    allowed: tuple[Path, ...] = ()

    @classmethod
    def of(cls, folder: Path, data: Path | None = None, allowed: tuple[Path, ...] = ()) -> Roots:
        manifest_folder = real_path(folder)
        extra_folders = tuple(real_path(path) for path in (*allowed, *([data] if data else ())))
        readable = (project_root(manifest_folder), real_path(shipped("filters")), *extra_folders)
        return cls(manifest_folder, real_path(data) if data else None, readable)

    def expand(self, text: str) -> Path:
        """Replace `${data}` and `${filters}` in a path. `data` must be set if `text` uses it."""
        if text.startswith("${data}"):
            assert self.data is not None
            return self.data / text.removeprefix("${data}").lstrip("/")
        if text.startswith("${filters}"):
            return shipped("filters") / text.removeprefix("${filters}").lstrip("/")
        return self.folder / text

    def allows(self, path: Path) -> bool:
        resolved_path = real_path(path)
        return any(resolved_path.is_relative_to(root) for root in self.allowed)


@dataclass(frozen=True)
class ManifestPaths:
    """The paths of a manifest. One that is missing or not allowed is left out, and `problems` gets a diagnostic."""

    draft: ManifestText
    roots: Roots
    problems: list[Diagnostic]

    def existing(self, text: str, kind: str, *key_path: str | int) -> list[Path]:
        def refused(code: str, hint: str | None = None, **parameters: Any) -> list[Path]:
            self.problems.append(self.draft.problem(code, *key_path, hint=hint, **parameters))
            return []

        key = next(str(part) for part in reversed(key_path) if isinstance(part, str))
        if not text.strip():
            return refused("FICT604", key=key, reason=f"the path of a {kind} is empty")
        if text.startswith("${data}") and self.roots.data is None:
            return refused("FICT609", hint="add `--data PATH` to the command, with the folder of the data")
        try:
            paths = _expand_glob(self.roots, text)
        except (ValueError, NotImplementedError) as error:  # an invalid pattern, such as `**` inside a name
            return refused("FICT604", key=key, reason=str(error).lower())
        if not paths:
            return refused("FICT607", kind=kind, path=text, hint=_missing_hint(self.roots, text))
        if not all(map(self.roots.allows, paths)):
            return refused("FICT608", path=text, hint=_ALLOW_HINT)
        for path in paths:
            for entry in (path, *(sorted(path.iterdir()) if path.is_dir() else ())):
                if entry.exists() and not entry.is_file() and not entry.is_dir():
                    return refused("FICT604", key=key, reason=f"{entry} is neither a regular file nor a folder")
        return paths

    def single(self, text: str, kind: str, *key_path: str | int) -> Path | None:
        paths = self.existing(text, kind, *key_path)
        if len(paths) > 1:
            names = ", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else "")
            reason = f"expected one {kind}, but `{text}` matches {len(paths)}: {names}"
            self.problems.append(self.draft.problem("FICT604", *key_path, key=str(key_path[-1]), reason=reason))
        return paths[0] if len(paths) == 1 else None

    def conllu(self, text: str, kind: str, *key_path: str | int) -> list[Path]:
        paths = self.existing(text, kind, *key_path)
        files = conllu_files(paths)
        if paths and not files:
            hint = "it is a folder without any *.conllu"
            if (paths[0] / "store.json").is_file():
                hint = "it is a store: `fictc export --format conllu` writes its trees"
            self.problems.append(self.draft.problem("FICT607", *key_path, kind=kind, path=text, hint=hint))
        if outside := [file for file in files if not self.roots.allows(file)]:  # links in a folder
            self.problems.append(self.draft.problem("FICT608", *key_path, path=outside[0], hint=_ALLOW_HINT))
        return [] if outside else files

    def labelled(self, raw: Any, kind: str, *key_path: str | int) -> tuple[tuple[str, Path], ...]:
        found = [path for index, text in strings(raw) for path in self.conllu(text, kind, *key_path, index)]
        paths = list(dict.fromkeys(found))
        return tuple(zip(source_labels(paths), paths, strict=True))


def _expand_glob(roots: Roots, text: str) -> list[Path]:
    """Return the paths that match a glob, or the path itself, as in a shell. Hidden files must be named."""
    path, parts = roots.expand(text), PurePath(text).parts
    first = next((index for index, part in enumerate(parts) if _is_pattern(part)), None)
    matches: list[Path] = []
    if first is not None:
        folder, pattern = roots.expand(str(PurePath(*parts[:first]))), PurePath(*parts[first:])
        matches = sorted(folder.glob(str(pattern))) if folder.is_dir() else []
        if not is_hidden(pattern):
            matches = [match for match in matches if not is_hidden(match.relative_to(folder))]
    return matches or ([path] if path.exists() else [])


def _is_pattern(part: str) -> bool:
    return any(char in part for char in "*?[")


def conllu_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files among the paths, and the CoNLL-U files of folders, without hidden ones and copies of editors."""
    files: list[Path] = []
    for path in paths:
        inner = sorted(path.iterdir()) if path.is_dir() else ()
        conllu = (file for file in inner if file.name.endswith(CONLLU_SUFFIXES))
        files += [file for file in conllu if not is_hidden(PurePath(file.name))] if path.is_dir() else [path]
    return files


def _missing_hint(roots: Roots, text: str) -> str | None:
    if any(map(_is_pattern, PurePath(text).parts[:-1])):
        return None
    path = roots.expand(text)
    folder = path.parent
    if not folder.is_dir():
        return f"the folder {folder.name} does not exist"
    nearest_name = nearest(path.name, [entry.name for entry in folder.iterdir()])
    return f"the nearest name there is {nearest_name}" if nearest_name else None
