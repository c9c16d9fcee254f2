"""CSS classes of accuracies and changes."""

from __future__ import annotations

from bisect import bisect_right

ACCURACY_EDGES = (40, 50, 60, 70, 80, 90)  # percent
DELTA_EDGES = (1, 3, 6, 10, 15, 25)  # points


def accuracy_class(value: float) -> str:
    """Return the CSS class of an accuracy: 0.863 → `a5`, the number of edges (in percent) that it reaches."""
    return f"a{bisect_right(ACCURACY_EDGES, 100 * value)}"


def delta_class(value: float) -> str:
    """Return the CSS class of a delta: −0.302 → `n6`, 0.004 → `z`, 0.04 → `p2`."""
    step = bisect_right(DELTA_EDGES, abs(100 * value))
    return "z" if step == 0 else f"{'p' if value > 0 else 'n'}{step}"


def shades(shade: str, *, pale: bool) -> tuple[str, str]:
    """Return the CSS classes of a cell and of its number. Changes that are not targeted are pale."""
    return (f"{shade} pale", "") if pale else (shade, f"on-{shade}")
