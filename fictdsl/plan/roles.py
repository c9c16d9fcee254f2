"""Renumber the nodes of readings by their roles, so that equal parts of several readings become equal values.

Nodes of different readings have the same role if they come from the same position of the source text.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from fictdsl.semantics import ir

Part = TypeVar("Part", ir.Conjunction, ir.Condition)


def readings_by_role(filter_: ir.Filter) -> tuple[ir.Reading, ...]:
    """Return the readings with each node replaced by its role."""
    roles = filter_.roles
    return tuple(
        ir.Reading(
            _renumbered(reading.conjunction, roles),
            tuple(None if node is None else roles[node] for node in reading.bound),
        )
        for reading in filter_.readings
    )


def _renumbered(part: Part, roles: tuple[int, ...]) -> Part:
    match part:
        case ir.Conjunction(nodes=nodes, conditions=conditions):
            renumbered_conditions = tuple(_renumbered(condition, roles) for condition in conditions)
            return ir.Conjunction(tuple(roles[node] for node in nodes), renumbered_conditions)
        case ir.Without(readings=readings):
            return ir.Without(tuple(_renumbered(reading, roles) for reading in readings))
        case ir.Count(readings=readings, counted=counted):
            inner_readings = tuple(_renumbered(reading, roles) for reading in readings)
            return replace(part, readings=inner_readings, counted=tuple(roles[node] for node in counted))
        case ir.SumCompares(terms=terms):
            return replace(
                part, terms=tuple((factor, _renumbered_measure(measure, roles)) for factor, measure in terms)
            )
        case ir.InRows(nodes=nodes):
            return replace(part, nodes=tuple(roles[node] for node in nodes))
    return replace(
        part, **{field.name: roles[getattr(part, field.name)] for field in fields(part) if field.type == "Node"}
    )


def _renumbered_measure(measure: ir.Measure, roles: tuple[int, ...]) -> ir.Measure:
    if isinstance(measure, ir.SubtreeLength):
        return ir.SubtreeLength(roles[measure.node])
    return ir.Distance(*sorted((roles[measure.left], roles[measure.right])))
