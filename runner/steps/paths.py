"""Paths of a manifest to files: `${data}` and `${filters}`, globs, and the folders a run may read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.shipped import shipped
from runner.manifest.load import Draft
from runner.readers import real_path


@dataclass(frozen=True)
class Roots:
    """What paths are relative to and may lead into; all resolved."""

    folder: Path
    data: Path | None = None
    allowed: tuple[Path, ...] = ()

    @classmethod
    def of(cls, folder: Path, data: Path | None = None, allowed: tuple[Path, ...] = ()) -> Roots:
        """Roots of a manifest in `folder`: its project, the shipped filters, --data and every --allow."""
        home = real_path(folder)
        project = next((p for p in (home, *home.parents) if _is_project(p)), home)
        extra = tuple(real_path(path) for path in allowed) + ((real_path(data),) if data else ())
        return cls(home, real_path(data) if data else None, (project, real_path(shipped("filters")), *extra))

    def expand(self, text: str) -> Path:
        """The path that `text` names; `${data}` must have been given."""
        if text.startswith("${data}"):
            assert self.data is not None
            return self.data / text.removeprefix("${data}").lstrip("/")
        if text.startswith("${filters}"):
            return shipped("filters") / text.removeprefix("${filters}").lstrip("/")
        return self.folder / text

    def holds(self, path: Path) -> bool:
        """Whether a path, links followed, lies in an allowed folder."""
        real = real_path(path)
        return any(real.is_relative_to(root) for root in self.allowed)


def _is_project(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file() or (folder / "fictc.toml").is_file()


def files_at(
    draft: Draft, roots: Roots, text: str, kind: str, where: tuple[str | int, ...]
) -> tuple[list[Path], list[Diagnostic]]:
    """The existing files or folders that a manifest path names (sorted where it is a glob), or what is wrong.

    What is neither is refused, also directly in a folder: a pipe would be waited for, a device would never end.
    """
    key = next(str(step) for step in reversed(where) if isinstance(step, str))
    if not text.strip():
        return [], [draft.problem("FICT604", *where, key=key, reason=f"the path of a {kind} is empty")]
    if text.startswith("${data}") and roots.data is None:
        return [], [draft.problem("FICT609", *where, hint="name the folder: fictc run … --data PATH")]
    path = roots.expand(text)
    try:
        found = _existing(path)
    except (ValueError, NotImplementedError) as error:  # `**` within a name
        return [], [draft.problem("FICT604", *where, key=key, reason=str(error).lower())]
    if not found:
        return [], [draft.problem("FICT607", *where, kind=kind, path=text, hint=_nearest(path))]
    outside = [item for item in found if not roots.holds(item)]
    if outside:
        hint = "move it into the project, or allow its folder with --allow PATH"
        return [], [draft.problem("FICT608", *where, path=text, hint=hint)]
    if (irregular := _irregular(found)) is not None:
        reason = f"{irregular} is neither a regular file nor a folder"
        return [], [draft.problem("FICT604", *where, key=key, reason=reason)]
    return found, []


def _existing(path: Path) -> list[Path]:
    if any(char in path.name for char in "*?["):
        return sorted(path.parent.glob(path.name)) if path.parent.is_dir() else []
    return [path] if path.exists() else []


def _irregular(paths: Iterable[Path]) -> Path | None:
    """Return the first pipe, device or socket among some paths and what is directly in those that are folders."""
    items = (item for path in paths for item in (path, *(sorted(path.iterdir()) if path.is_dir() else ())))
    return next((item for item in items if item.exists() and not item.is_file() and not item.is_dir()), None)


def one_at(
    draft: Draft, roots: Roots, text: str, kind: str, where: tuple[str | int, ...]
) -> tuple[Path | None, list[Diagnostic]]:
    """The one file or folder that a manifest path names, or what is wrong: a pattern may match several."""
    found, wrong = files_at(draft, roots, text, kind, where)
    if len(found) > 1:
        names = ", ".join(path.name for path in found[:3]) + (", …" if len(found) > 3 else "")
        reason = f"one {kind} is wanted, and `{text}` matches {len(found)}: {names}"
        return None, [draft.problem("FICT604", *where, key=str(where[-1]), reason=reason)]
    return (found[0] if found else None), wrong


def conllu_at(
    draft: Draft, roots: Roots, text: str, kind: str, where: tuple[str | int, ...]
) -> tuple[list[Path], list[Diagnostic]]:
    """The files that a manifest path names, folders as the files of CoNLL-U in them, or what is wrong."""
    found, wrong = files_at(draft, roots, text, kind, where)
    files = conllu_files(found)
    if found and not files:
        hint = "it is a folder without any *.conllu"
        if (found[0] / "store.json").is_file():
            hint = "it is a store: `fictc export --format conllu` writes its trees"
        return [], [draft.problem("FICT607", *where, kind=kind, path=text, hint=hint)]
    return files, wrong


def conllu_files(paths: Iterable[Path]) -> list[Path]:
    """The files themselves, and those in the folders among them."""
    return [file for path in paths for file in (sorted(path.glob("*.conllu*")) if path.is_dir() else [path])]


def _nearest(path: Path) -> str | None:
    folder = path.parent
    if not folder.is_dir():
        return f"the folder {folder.name} does not exist"
    near = difflib.get_close_matches(path.name, [item.name for item in folder.iterdir()], 1)
    return f"the nearest name there is {near[0]}" if near else None
