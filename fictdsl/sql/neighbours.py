"""A word near another to the columns of the other's row that hold a copy of it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from fictdsl.plan.layout import Neighbour, copy_name
from fictdsl.sql import quote
from fictdsl.sql.context import Row

STEPS: dict[Neighbour, int] = {"n": 1, "n2": 2, "n3": 3}


@dataclass(frozen=True)
class NeighbourRow:
    """The word at a place near the word of another row."""

    row: Row
    place: Neighbour
    by: None = None

    def column(self, name: str) -> exp.Expression:
        """The copy; the id follows from the place."""
        if name == "sid":
            return self.row.column("sid")
        if name != "id":
            return self.row.column(copy_name(self.place, name))
        if self.place in STEPS:
            return exp.Add(this=self.row.column("id"), expression=quote.integer(STEPS[self.place]))
        return self.row.column("head" if self.place == "h" else "h_head")


def neighbour_exists(row: Row, place: Neighbour) -> exp.Expression:
    """True exactly where there is a word at the place."""
    if place in STEPS:
        last = exp.Sub(this=row.column("n"), expression=quote.integer(STEPS[place]))
        return exp.LTE(this=row.column("id"), expression=last)
    return exp.GT(this=NeighbourRow(row, place).column("id"), expression=quote.integer(0))
