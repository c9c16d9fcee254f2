"""Row labels that stay in place on a page while a figure is scrolled sideways."""

from __future__ import annotations

from collections.abc import Sequence

from runner.report.render.svg import box, tag


def frozen(labels: Sequence[str], width: float, top: float, bottom: float) -> str:
    """Return labels on an opaque background from the left edge to `width`. The group is drawn after the cells.

    The script of the page moves the group with the scroll bar. In files, the labels are in their normal places.
    """
    return tag("g", box(0, top, width, bottom - top, "ground", radius=0), *labels, class_="frozen")
