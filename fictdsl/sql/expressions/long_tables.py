"""Attributes whose values are rows of a table: MISC entries, comments, and the computed strings of words."""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

from sqlglot import exp

from fictdsl.semantics import ir
from fictdsl.sql import fragments

LongAttribute: TypeAlias = ir.Misc | ir.Computed | ir.Meta


def is_long(attribute: ir.Strings | ir.Numbers) -> TypeGuard[LongAttribute]:
    """Return whether the values of an attribute are rows of a table of their own."""
    return isinstance(attribute, ir.Misc | ir.Computed | ir.Meta)


def table_of(attribute: LongAttribute) -> str:
    """Return the table with a row for each value, in its column `value`."""
    match attribute:
        case ir.Computed(name=name):
            return name
        case ir.Misc():
            return "misc"
    return "meta"


def conditions_of(attribute: LongAttribute, alias: str) -> list[exp.Expression]:
    """Return the conditions that select the attribute's rows of the table."""
    if isinstance(attribute, ir.Computed):
        return []
    return [exp.EQ(this=fragments.column(alias, "key"), expression=fragments.string(attribute.key))]
