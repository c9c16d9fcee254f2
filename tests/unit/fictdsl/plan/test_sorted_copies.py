"""A sorted copy is read where its rows are fewer and it has all that is asked."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fictdsl.schema import PLAIN, Layout, SortedCopy
from tests.unit.fictdsl.semantics.test_lower import lowered

MANY = ", ".join(f"w{n}" for n in range(90))
COUNTS = {
    ("form_l", "only"): 10_000, ("form_l", "the"): 1_900_000, ("feat_Reflex", "Yes"): 5_000,
    **{("form_l", f"w{n}"): 5 for n in range(90)}, ("deprel", "nsubj"): 700_000, ("deprel", "expl"): 1_000,
}  # fmt: skip
COLUMNS = frozenset({"sid", "id", "head", "form", "form_l", "upos", "deprel", "n_upos"})


@dataclass(frozen=True)
class Known:
    def count(self, column: str, value: str) -> int | None:
        return COUNTS.get((column, value))


LAYOUT = Layout(
    frozenset({"n_upos", "h_upos"}),
    (
        SortedCopy("tokens_by_form_l", "form_l", COLUMNS),
        SortedCopy("tokens_by_feat_Reflex", "feat_Reflex", COLUMNS | {"feat_Reflex"}),
    ),
    words=10_000_000,
    counts=Known(),
)


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("A[lower(form) = only]", "tokens_by_form_l"),
        ("A[lower(form) in {only, the}]", "tokens_by_form_l"),
        ("A[form = Only]", "tokens_by_form_l"),
        ("A[form = Ohneä]", "tokens"),
        (f"A[lower(form) in {{{MANY}}}]", "tokens_by_form_l"),  # most of it is read, yet equal values stand together
        (f"A[deprel = nsubj, lower(form) in {{{MANY}}}]", "tokens"),
        ("A[deprel = nsubj, lower(form) = only]", "tokens_by_form_l"),
        ("A[deprel = nsubj, lower(form) = the]", "tokens"),  # the table itself is sorted by relation
        ("A[deprel = expl, Reflex = Yes]", "tokens"),
        ("A[lower(form) = only, Reflex = Yes]", "tokens_by_feat_Reflex"),  # the fewest rows
        ("A[Reflex = Yes]", "tokens_by_feat_Reflex"),
        ("A:PRON[Reflex = Yes] < B:VERB", "tokens_by_feat_Reflex"),
        ("A[lower(form) = only] < B:VERB", "tokens_by_form_l"),
        ("H:VERB -> A[lower(form) = only]", "tokens"),  # the copy lacks a column
        ("A[lower(form) = only, lemma = only]", "tokens"),
        ("A[lower(form) = unknown]", "tokens"),
        ("A[not lower(form) = only]", "tokens"),  # so do words without a form, which are not in the copy
        ("A[lower(form) = only or upos = NOUN]", "tokens"),
        ("A:NOUN", "tokens"),
    ],
)
def test_which_table_is_read(text: str, table: str) -> None:
    statement = lowered(text).statement(layout=LAYOUT).text
    assert f'FROM "{table}"' in statement
    assert statement.count('"tokens') == 1


def test_a_long_list_passes_over_rows_in_a_sorted_copy_only() -> None:
    listed, joined = "IN ('only', 'the')", "= ANY(['only', 'the'])"
    sorted_by, table = (
        lowered("A[lower(form) in {only, the}]").statement(layout=each).text for each in (LAYOUT, PLAIN)
    )
    assert listed in sorted_by
    assert joined in sorted_by
    assert listed not in table
    assert joined in table


def test_phrases_are_looked_for_in_a_sorted_copy() -> None:
    statement = lowered('A[lower(phrase) in {"at all", ever}]').statement(layout=LAYOUT).text
    assert '"tokens"' not in statement
    assert '"tokens_by_form_l"' in statement
