"""A figure of the report."""

from __future__ import annotations

import re
from dataclasses import dataclass

NARROW, BROAD = 380, 680  # pixels: the largest width that fits on a phone, and the largest that can be shrunk to fit


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing: its unstyled `svg`, the `name` of its file without suffix, and its `title`, which may be empty.

    `narrow` is a version for narrow screens, or empty.
    """

    name: str
    title: str
    svg: str
    narrow: str = ""
    titled: bool = False  # whether the drawing contains its title

    @property
    def look(self) -> str:
        """The CSS class for narrow screens: replaced (`wide`), shrunk (`fit`), scrolled (`broad`); empty if it fits."""
        width = re.search(r'\bwidth="([0-9.]+)"', self.svg)
        if self.narrow:
            return "wide"
        if width is None or float(width[1]) <= NARROW:
            return ""
        return "fit" if float(width[1]) <= BROAD else "broad"
