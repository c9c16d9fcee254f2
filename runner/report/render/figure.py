"""A figure of the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing: its unstyled `svg`, the `name` of its file without suffix, and its `title`, which may be empty."""

    name: str
    title: str
    svg: str
    titled: bool = False  # whether the drawing contains its title
