"""A place in a document into what can be written there, each with what it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fictdsl.glossary import features, language, tags
from fictdsl.semantics import ud
from runner.lsp.complete.context import Context, context
from runner.lsp.complete.names import lists_at, nodes_at, parameter_at, patterns_at
from runner.lsp.complete.static_completions import BLOCK, OFFERS, Proposal, words_of
from runner.lsp.documents.documents import Study
from runner.lsp.documents.paths import paths_for

_COUNTS = ("at least", "at most", "exactly")


def complete(study: Study, offset: int) -> tuple[Context, list[Proposal]]:
    """What can be written at an offset, and in the place of what."""
    found = context(study.page.text, offset)
    if found.kind in _OFFERS:
        return found, list(_OFFERS[found.kind](study, found))
    return found, list(OFFERS[found.kind](found)) if found.kind in OFFERS else []


def _clauses(study: Study, found: Context) -> Iterator[Proposal]:
    yield from _node_names(study, found)
    for pattern in patterns_at(study):
        yield Proposal(pattern.name, "pattern", pattern.detail, _call(pattern.name, pattern.parameters))
    if found.about == "either":
        yield from words_of("or")
    yield from words_of("without", "either", "sentence", "between")
    yield from words_of("lower", "at", snippets=False)
    for quantifier in _COUNTS:
        about = language.KEYWORDS[quantifier.rpartition(" ")[2]]
        yield Proposal(quantifier, "keyword", about, f"{quantifier} ${{1:2}} ${{2:X}} {BLOCK}")


def _call(name: str, parameters: tuple[str, ...]) -> str:
    holes = (f"${{{number}:{parameter}}}" for number, parameter in enumerate(parameters, 1))
    return f"{name}({', '.join(holes)})"


def _node_names(study: Study, found: Context) -> Iterator[Proposal]:
    text = study.page.text
    yield from (Proposal(name, "node", "a node") for name in nodes_at(text, found.span.end, found.span.start))
    yield Proposal("_", "node", language.SIGNS["_"])
    if found.kind == "node":
        yield from words_of("lower", snippets=False)


def _upos(study: Study, found: Context) -> Iterator[Proposal]:
    yield from (Proposal(tag, "tag", about) for tag, about in tags.UPOS.items())
    yield from _parameter(study, found)


def _relations(study: Study, found: Context) -> Iterator[Proposal]:
    enhanced = ud.ENHANCED if found.about == "enhanced" else ()
    subtypes = [*ud.ENGLISH_SUBTYPES, *ud.OTHER_SUBTYPES, *enhanced]
    yield from (Proposal(label, "relation", tags.relation(label) or "") for label in (*ud.RELATIONS, *subtypes))
    yield from _parameter(study, found)


def _parameter(study: Study, found: Context) -> Iterator[Proposal]:
    name = parameter_at(study.page.text, found.span.end)
    if name is not None:
        dollar = "" if found.kind == "parameter" else "$"
        yield Proposal(
            dollar + name, "parameter", "the parameter of this family", f"\\{dollar}{name}" if dollar else None
        )


def _values(study: Study, found: Context) -> Iterator[Proposal]:
    name, _, layer = found.about.partition("[")
    if name == "upos":
        yield from _upos(study, found)
    elif name == "deprel":
        yield from _relations(study, found)
    else:
        for value in ud.FEATURES.get(name, ()):
            about = features.value(name, value) or tags.UPOS.get(value, f"{name}={value}")
            of = features.LAYERS.get(layer.rstrip("]"))
            yield Proposal(value, "value", f"{about}, {of}" if of else about)
        if found.about == "misc.SpaceAfter":
            yield Proposal("No", "value", "no space follows the word")
        yield from _parameter(study, found)


def _collections(study: Study, _: Context) -> Iterator[Proposal]:
    yield from (Proposal(f"@{known.name}", "list", known.detail) for known in lists_at(study))
    yield Proposal("{…}", "sign", "a list written in place", "{$0}")


def _references(study: Study, _: Context) -> Iterator[Proposal]:
    yield from (Proposal(known.name, "list", known.detail) for known in lists_at(study))


def _paths(study: Study, found: Context) -> Iterator[Proposal]:
    yield from (Proposal(path, "file") for path in paths_for(study.module.path, found.about))


_OFFERS: dict[str, Callable[[Study, Context], Iterator[Proposal]]] = {
    "path": _paths,
    "clause": _clauses,
    "node": _node_names,
    "upos": _upos,
    "relation": _relations,
    "value": _values,
    "collection": _collections,
    "reference": _references,
    "parameter": _parameter,
}
