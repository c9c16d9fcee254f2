"""SQL for the copied columns of a word's neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from fictdsl.plan.neighbours import OFFSETS
from fictdsl.schema import Neighbour, copy_name
from fictdsl.sql import fragments
from fictdsl.sql.context import Row


@dataclass(frozen=True)
class NeighbourRow:
    """A neighbour of the word of another row, read from that row's copied columns."""

    row: Row
    neighbour: Neighbour
    sort_column: None = None

    def column(self, name: str) -> exp.Expression:
        """Return a column of the neighbour. `sid` and `id` have no copies and are derived from the row."""
        if name == "sid":
            return self.row.column("sid")
        if name != "id":
            return self.row.column(copy_name(self.neighbour, name))
        if self.neighbour in OFFSETS:
            return exp.Add(this=self.row.column("id"), expression=fragments.integer(OFFSETS[self.neighbour]))
        return self.row.column("head" if self.neighbour == "h" else "h_head")


def neighbour_exists(row: Row, neighbour: Neighbour) -> exp.Expression:
    """Return SQL that is true if and only if the word of `row` has this neighbour."""
    if neighbour in OFFSETS:
        last_id = exp.Sub(this=row.column("n"), expression=fragments.integer(OFFSETS[neighbour]))
        return exp.LTE(this=row.column("id"), expression=last_id)
    return exp.GT(this=NeighbourRow(row, neighbour).column("id"), expression=fragments.integer(0))
