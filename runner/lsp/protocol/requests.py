"""What an editor asks about a document, to the pure functions of this room, and what they say back."""

from __future__ import annotations

from typing import Protocol

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from fictdsl.source import Span
from fictdsl.syntax.printing.format import format_text
from runner.lsp.answers import navigate
from runner.lsp.answers.actions import Action, actions, fixed
from runner.lsp.answers.hover import hover
from runner.lsp.complete.complete import complete
from runner.lsp.documents.documents import Study
from runner.lsp.protocol import convert
from runner.lsp.protocol.session import FictServer

_TRIGGERS = ["[", "(", "{", "=", "|", ",", ":", "@", "$", ".", '"', "/", " "]
_REQUEST_FAILED = -32803  # of LSP 3.17: the request was right, and cannot be done
_WORTH_A_SPACE = frozenset({"upos", "relation", "value", "attribute", "collection", "of", "tag", "target", "lowered"})
_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.fictc"


def answer(server: FictServer) -> None:
    """Answer every kind of request that the server knows."""
    _answer_about_places(server)
    _answer_about_names(server)
    _answer_about_documents(server)


class _Positioned(Protocol):
    """A request about a place in a document."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


def _glanced(ls: FictServer, params: _Positioned) -> tuple[Study, int]:
    study = ls.glance(params.text_document.uri)
    return study, study.page.offset(params.position.line, params.position.character)


def _placed(ls: FictServer, params: _Positioned) -> tuple[Study, int]:
    study = ls.study(params.text_document.uri)
    return study, study.page.offset(params.position.line, params.position.character)


def _answer_about_places(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=_TRIGGERS))
    def completion(ls: FictServer, params: types.CompletionParams) -> list[types.CompletionItem]:
        study, offset = _glanced(ls, params)
        found, proposals = complete(study, offset)
        if params.context and params.context.trigger_character == " " and found.kind not in _WORTH_A_SPACE:
            return []
        client = ls.client_capabilities.text_document
        item = client.completion.completion_item if client and client.completion else None
        snippets = bool(item and item.snippet_support)
        span = convert.range_of(study.page, found.span)
        return [convert.completion_of(each, span, rank, snippets) for rank, each in enumerate(proposals)]

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(ls: FictServer, params: types.HoverParams) -> types.Hover | None:
        study, offset = _glanced(ls, params)
        found = hover(study, offset)
        if found is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
        return types.Hover(content, convert.range_of(study.page, found.span))


def _answer_about_names(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(ls: FictServer, params: types.DefinitionParams) -> types.Location | None:
        study, offset = _placed(ls, params)
        found = navigate.definition(ls.desk, study, offset)
        return None if found is None else convert.location_of(found)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def references(ls: FictServer, params: types.ReferenceParams) -> list[types.Location]:
        study, offset = _placed(ls, params)
        declared = navigate.definition(ls.desk, study, offset)
        found = navigate.references(ls.desk, study, offset)
        wanted = [place for place in found if params.context.include_declaration or place != declared]
        return [convert.location_of(place) for place in wanted]

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(ls: FictServer, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        study, offset = _glanced(ls, params)
        spans = navigate.within(study, offset)
        return [types.DocumentHighlight(convert.range_of(study.page, span)) for span in spans]

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(ls: FictServer, params: types.PrepareRenameParams) -> types.Range:
        study, offset = _placed(ls, params)
        try:
            return convert.range_of(study.page, navigate.name_at(study, offset).span)
        except navigate.RefusedError as error:
            raise JsonRpcException(str(error), _REQUEST_FAILED) from None

    @server.feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))
    def rename(ls: FictServer, params: types.RenameParams) -> types.WorkspaceEdit:
        study, offset = _placed(ls, params)
        try:
            places = navigate.rename(ls.desk, study, offset, params.new_name)
        except navigate.RefusedError as error:
            raise JsonRpcException(str(error), _REQUEST_FAILED) from None
        return convert.edits_of([(place, params.new_name) for place in places])


def _answer_about_documents(server: FictServer) -> None:
    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(ls: FictServer, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        study = ls.finished(params.text_document.uri)
        return [convert.symbol_of(study.page, item, about) for item, about in navigate.symbols(study)]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatting(ls: FictServer, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        study = ls.study(params.text_document.uri)
        text = format_text(study.page.written, study.module.source.name).text
        return None if text is None else convert.replaced(study, text)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions([types.CodeActionKind.QuickFix.value, _FIX_ALL])
    )
    def code_actions(ls: FictServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        if ls.is_large and not ls.desk.is_known(params.text_document.uri):
            return []  # the editor asks again when the diagnostics have come
        study = ls.study(params.text_document.uri)
        start, end = params.range.start, params.range.end
        span = Span(study.page.offset(start.line, start.character), study.page.offset(end.line, end.character))
        wanted = params.context.only or [types.CodeActionKind.QuickFix.value]
        found = []
        if any(types.CodeActionKind.QuickFix.value.startswith(kind) for kind in wanted):
            found += [_quick_fix(ls, study, action) for action in actions(study, span)]
        if any(_FIX_ALL.startswith(kind) for kind in wanted if kind.startswith("source")):
            edits = convert.replaced(study, fixed(ls.desk, study))
            if edits:
                changes = types.WorkspaceEdit({study.key: edits})
                found.append(types.CodeAction("Make every fix that is safe", _FIX_ALL, edit=changes))
        return found


def _quick_fix(ls: FictServer, study: Study, action: Action) -> types.CodeAction:
    return types.CodeAction(
        title=action.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[convert.diagnostic_of(ls.desk, study, action.finding)],
        is_preferred=action.preferred or None,
        edit=convert.edits_of([(navigate.Place(study.page, study.key, action.span), action.replacement)]),
    )
