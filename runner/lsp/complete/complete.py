"""Completions at a position of a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fictdsl.glossary import terms
from fictdsl.semantics import ud
from fictdsl.semantics.check_rewrites import INFLECTED_TAGS
from runner.lsp.complete.context import Context, context
from runner.lsp.complete.names import nodes_at, parameter_at, visible_lists, visible_patterns
from runner.lsp.complete.static_completions import BLOCK, STATIC_COMPLETIONS, Completion, keywords, measures
from runner.lsp.documents.documents import Snapshot
from runner.lsp.documents.paths import paths_for

_QUANTIFIERS = ("at least", "at most", "exactly")


def complete(snapshot: Snapshot, offset: int) -> tuple[Context, list[Completion]]:
    """Return the context at an offset, and its completions, which replace the span of the context."""
    cursor = context(snapshot.document.text, offset)
    if cursor.kind in _COMPLETERS:
        return cursor, list(_COMPLETERS[cursor.kind](snapshot, cursor))
    return cursor, list(STATIC_COMPLETIONS[cursor.kind](cursor)) if cursor.kind in STATIC_COMPLETIONS else []


def _clauses(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from _node_names(snapshot, cursor)
    for pattern in visible_patterns(snapshot):
        yield Completion(pattern.name, "pattern", pattern.detail, _call_snippet(pattern.name, pattern.parameters))
    if cursor.subject == "either":
        yield from keywords("or")
    yield from keywords("without", "either", "maybe", "sentence", "between", "crossing")
    yield from keywords("lower", "at", snippets=False)
    yield from (replace(measure, snippet=f"{measure.snippet} > ${{9:5}}") for measure in measures())
    for quantifier in _QUANTIFIERS:
        about = terms.KEYWORDS[quantifier.rpartition(" ")[2]]
        yield Completion(quantifier, "keyword", about, f"{quantifier} ${{1:2}} ${{2:X}} {BLOCK}")


def _call_snippet(name: str, parameters: tuple[str, ...]) -> str:
    placeholders = (f"${{{index}:{parameter}}}" for index, parameter in enumerate(parameters, 1))
    return f"{name}({', '.join(placeholders)})"


def _node_names(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    text = snapshot.document.text
    yield from (Completion(name, "node", "a node") for name in nodes_at(text, cursor.span.end, cursor.span.start))
    yield Completion("_", "node", terms.SIGNS["_"])
    if cursor.kind == "node":
        yield from keywords("lower", snippets=False)


def _upos(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from (Completion(tag, "tag", about) for tag, about in terms.UPOS.items())
    yield from _parameter_completions(snapshot, cursor)


def _relations(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    enhanced = ud.ENHANCED if cursor.subject == "enhanced" else ()
    subtypes = [*ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, *enhanced]
    yield from (
        Completion(label, "relation", terms.describe_relation(label) or "") for label in (*ud.RELATIONS, *subtypes)
    )
    yield from _parameter_completions(snapshot, cursor)


def _parameter_completions(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    name = parameter_at(snapshot.document.text, cursor.span.end)
    if name is not None:
        dollar = "" if cursor.kind == "parameter" else "$"
        yield Completion(
            dollar + name, "parameter", "the parameter of this family", f"\\{dollar}{name}" if dollar else None
        )


def _values(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    name, _, layer = cursor.subject.partition("[")
    if name == "upos":
        yield from _upos(snapshot, cursor)
    elif name == "deprel":
        yield from _relations(snapshot, cursor)
    elif name == "inflect":
        yield from (Completion(tag, "tag", terms.PENN[tag]) for tag in INFLECTED_TAGS)
    else:
        if name == "xpos":
            yield from (Completion(tag, "tag", about) for tag, about in terms.PENN.items())
        for value in ud.FEATURES.get(name, ()):
            about = terms.describe_value(name, value) or terms.UPOS.get(value, f"{name}={value}")
            layer_meaning = terms.LAYERS.get(layer.rstrip("]"))
            yield Completion(value, "value", f"{about}, {layer_meaning}" if layer_meaning else about)
        if cursor.subject == "misc.SpaceAfter":
            yield Completion("No", "value", "no space follows the word")
        yield from _parameter_completions(snapshot, cursor)


def _collections(snapshot: Snapshot, _: Context) -> Iterator[Completion]:
    yield from (Completion(f"@{item.name}", "list", item.detail) for item in visible_lists(snapshot))
    yield Completion("{…}", "sign", "a list written in place", "{$0}")


def _references(snapshot: Snapshot, _: Context) -> Iterator[Completion]:
    yield from (Completion(item.name, "list", item.detail) for item in visible_lists(snapshot))


def _paths(snapshot: Snapshot, cursor: Context) -> Iterator[Completion]:
    yield from (Completion(path, "file") for path in paths_for(snapshot.module.path, cursor.subject))


_COMPLETERS: dict[str, Callable[[Snapshot, Context], Iterator[Completion]]] = {
    "path": _paths,
    "clause": _clauses,
    "node": _node_names,
    "upos": _upos,
    "relation": _relations,
    "value": _values,
    "collection": _collections,
    "reference": _references,
    "parameter": _parameter_completions,
}
