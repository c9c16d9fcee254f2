"""No text makes an editor's questions fail, and what they say of places lies in the text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fictdsl.source import Span
from runner.lsp.completion import complete
from runner.lsp.documents import findings
from runner.lsp.hover import hover
from runner.lsp.navigation import RefusedError, actions, document_references, rename, symbols
from tests.properties.test_never_crashes import anything, mutated
from tests.support.documents import documents_with


@given(anything | mutated(), st.floats(0, 1), st.floats(0, 1))
def test_any_place_of_any_text_can_be_asked_about(text: str, here: float, there: float) -> None:
    documents = documents_with(text)
    snapshot = documents.snapshot("it")
    size = len(snapshot.document.text)
    for at in (int(here * size), int(there * size)):
        found, _ = complete(snapshot, at)
        spans = [found.span, *document_references(snapshot, at)]
        said = hover(snapshot, at)
        spans += [said.span] if said else []
        try:
            spans += [place.span for place in rename(documents, snapshot, at, "fresh")]
        except RefusedError as refusal:
            assert str(refusal)
        spans += [action.span for action in actions(snapshot, Span(at, at))]
        assert all(0 <= span.start <= span.end <= size for span in spans)
    for finding in findings(snapshot):
        assert finding.message and finding.span.end <= size
    assert all(item.name.text for item, _ in symbols(snapshot))
