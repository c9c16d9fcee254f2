"""A figure of the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing (`<svg>` without style), its file name without suffix, and its caption, which may be empty."""

    name: str
    title: str
    svg: str
