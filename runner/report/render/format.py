"""Numbers to the way the page writes them: percent, points, intervals, p-values, counts."""

from __future__ import annotations

from collections.abc import Sequence

from runner.score.statistics.inference import Difference

MISSING = "–"
MINUS = "−"
LONG = 1e15  # from here on a number is written with its power of ten


def percent(value: float | None, digits: int = 1) -> str:
    """0.8634 → `86.3`."""
    return MISSING if value is None else f"{100 * value:.{digits}f}"


def points(value: float | None) -> str:
    """−0.302 → `−30.2`, 0.004 → `+0.4`, and nothing below a twentieth of a point has a sign."""
    if value is None:
        return MISSING
    return signed(100 * value, 1)


def signed(value: float | None, digits: int = 2) -> str:
    """A number with its sign, unless it rounds to zero."""
    if value is None:
        return MISSING
    text = f"{abs(value):.{digits}f}" if abs(value) < LONG else f"{abs(value):.3g}"
    if float(text) == 0:
        return text
    return ("+" if value > 0 else MINUS) + text


def number(value: float | None, digits: int = 2) -> str:
    """A number with a true minus; large ones with fewer digits."""
    if value is None:
        return MISSING
    shown = f"{abs(value):,.{digits if abs(value) < 1000 else 0}f}" if abs(value) < LONG else f"{abs(value):.3g}"
    return (MINUS if value < 0 and float(shown.replace(",", "")) != 0 else "") + shown


def count(value: int | None) -> str:
    """16000 → `16,000`."""
    return MISSING if value is None else f"{value:,}"


def p_value(value: float | None) -> str:
    """Three decimals, `<0.001` below."""
    if value is None:
        return MISSING
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def interval(difference: Difference) -> str:
    """`[−32.3, −28.0]` in points, or why there is none."""
    if difference.low is None or difference.high is None:
        return "no interval"
    return f"[{points(difference.low)}, {points(difference.high)}]"


def both(value: tuple[float, float] | None) -> str:
    """A bootstrap interval in points."""
    return MISSING if value is None else f"[{points(value[0])}, {points(value[1])}]"


def share(value: float) -> str:
    """0.95 → `95 %`."""
    return f"{100 * value:g} %"


def listed(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def plural(n: int, word: str, many: str | None = None) -> str:
    """`1 seed`, `3 seeds`."""
    return f"{n:,} {word if n == 1 else many or word + 's'}"


def some(things: Sequence[str], most: int = 4) -> str:
    """`a; b; c; d; 3 more`."""
    return "; ".join(things if len(things) <= most else [*things[:most], f"{count(len(things) - most)} more"])
