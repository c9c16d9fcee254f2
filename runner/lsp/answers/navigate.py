"""A name in a document into where it is defined, where else it stands, and what a new name for it would change."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.vocabulary import RESERVED
from runner.lsp.documents.documents import Desk, Study
from runner.lsp.documents.occurrences import Occurrence, at
from runner.lsp.documents.page import Page

_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_FILTER_NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")


class RefusedError(Exception):
    """A name cannot be changed; the message says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a document, which the editor calls `key`."""

    page: Page
    key: str
    span: Span


def definition(desk: Desk, study: Study, offset: int) -> Place | None:
    """Where what is named at an offset is introduced."""
    named = at(study.occurrences, offset)
    if named is None:
        return None
    if named.path is None or named.path == study.path:
        return Place(study.page, study.key, named.place)
    source = Source(str(named.path), "", named.path) if named.home is None else named.home.source
    return Place(desk.page_of(source), desk.key_for(named.path), named.place)


def references(desk: Desk, study: Study, offset: int) -> list[Place]:
    """Every place, in the project, that means what is named at an offset."""
    named = at(study.occurrences, offset)
    return [] if named is None else _places(_studies(desk, study, named), named)


def within(study: Study, offset: int) -> list[Span]:
    """The places in this document alone."""
    named = at(study.occurrences, offset)
    return [] if named is None else [place.span for place in _places([study], named)]


def name_at(study: Study, offset: int) -> Occurrence:
    """The name at an offset that can be given another one. Raises RefusedError."""
    named = at(study.occurrences, offset)
    if named is None or named.kind == "file":
        raise RefusedError("there is no name here that can be changed, or the item around it has an error")
    return named


def rename(desk: Desk, study: Study, offset: int, new: str) -> list[Place]:
    """The places that say `new` instead, so that everything means what it did. Raises RefusedError."""
    named = name_at(study, offset)
    _check_spelling(named, new)
    studies = _studies(desk, study, named)
    for other in studies:
        if any(problem.severity is Severity.ERROR and problem.code < "FICT2" for problem in other.loaded):
            raise RefusedError(f"{other.module.source.name} has syntax errors, so its names are not all known")
        _check_free(other, named, new)
    return _places(studies, named)


def _studies(desk: Desk, study: Study, named: Occurrence) -> list[Study]:
    """The documents in which a name can stand: for lists and patterns, those of the project that mention it."""
    if named.kind not in ("list", "pattern") or named.path is None:
        return [study]
    others = (desk.study_file(path) for path in desk.project(study) if path != study.path)
    mention = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(named.name)}(?![A-Za-z0-9_])")
    return [study, *(other for other in others if other is not None and mention.search(other.page.text))]


def _places(studies: list[Study], named: Occurrence) -> list[Place]:
    """Where a name stands in some documents, in their order."""
    found: list[Place] = []
    for study in studies:
        spans = {one.span for one in study.occurrences if one.key == named.key}
        found += [Place(study.page, study.key, span) for span in sorted(spans)]
    return found


def _check_spelling(named: Occurrence, new: str) -> None:
    if named.kind == "filter":
        if not _FILTER_NAME.fullmatch(new):
            raise RefusedError(
                f"`{new}` is no name of a filter: lower-case letters, digits and hyphens, as in `det-noun`"
            )
    elif not _NAME.fullmatch(new):
        raise RefusedError(f"`{new}` is no name of a {named.kind}: a letter, then letters, digits and `_`")
    if new in RESERVED:
        raise RefusedError(f"`{new}` is a reserved word")


def _check_free(study: Study, named: Occurrence, new: str) -> None:
    if new == named.name:
        return
    taken = next((one for one in study.occurrences if one.name == new and _would_clash(one, named)), None)
    visible = study.resolution.visible(study.module)
    seen = {*visible.lists} if named.kind == "list" else {*visible.patterns} if named.kind == "pattern" else set()
    if taken is not None or (new in seen and any(one.key == named.key for one in study.occurrences)):
        raise RefusedError(f"{study.module.source.name} has a {named.kind} `{new}` already")


def _would_clash(one: Occurrence, named: Occurrence) -> bool:
    if one.kind != named.kind:
        return False
    if named.kind in ("node", "parameter"):
        return one.item is named.item
    return one.path == named.path or named.kind != "filter"


def symbols(study: Study) -> list[tuple[nodes.ListDef | nodes.PatternDef | nodes.FilterDef, str]]:
    """The items of a document with a name, and what to say beside it."""
    found: list[tuple[nodes.ListDef | nodes.PatternDef | nodes.FilterDef, str]] = []
    for item in study.module.file.items:
        match item:
            case nodes.FilterDef(metadata=metadata):
                about = [
                    entry.text.text for entry in metadata if isinstance(entry, nodes.Text) and entry.kind == "about"
                ]
                found.append((item, about[0] if about else ""))
            case nodes.PatternDef(parameters=parameters):
                found.append((item, f"({', '.join(parameter.text for parameter in parameters)})"))
            case nodes.ListDef():
                found.append((item, ""))
            case nodes.Use():
                pass
    return found
