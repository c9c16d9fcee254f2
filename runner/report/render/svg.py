"""SVG elements as text: escaped, rounded and deterministic. Colours come from CSS classes."""

from __future__ import annotations

import re
from pathlib import Path

from fictdsl.draw.svg import escaped, number, tag

__all__ = [
    "ASSETS",
    "CHARACTER_WIDTH",
    "box",
    "drawing",
    "escaped",
    "light_document",
    "line",
    "standalone",
    "svg_text",
    "tag",
    "tooltip",
]

ASSETS = Path(__file__).parents[1] / "assets"
CHARACTER_WIDTH = 7.0  # mean width of a character at 12 px, to reserve room for labels


def svg_text(content: str, x: float, y: float, **attributes: str | float | None) -> str:
    """Return a text element with escaped content."""
    return tag("text", escaped(content), x=x, y=y, **attributes)


def tooltip(content: str) -> str:
    """Return a `<title>` element, which browsers show as a tooltip."""
    return tag("title", escaped(content))


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """Return a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, *, radius: float = 2) -> str:
    """Return a rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=radius, class_=class_)


def drawing(body: list[str], width: float, height: float, label: str) -> str:
    """Return an `<svg>` element without its style, for a page that includes the style of figures."""
    content = "\n".join(body)
    return tag(
        "svg",
        "\n" + content + "\n",
        class_="figure",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )


_VARIABLE = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*(?:[^{}]*\{[^{}]*\}\s*)*\}")


def light_document(svg: str) -> str:
    """Return a drawing as a file in light colours without CSS variables, which some renderers do not support."""
    document = standalone(svg)
    colours = dict(reversed(_VARIABLE.findall(document)))  # the first, light value of each name
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda match: colours[match[1]], _DARK.sub("", document))


def standalone(svg: str) -> str:
    """Return a drawing as a standalone file with namespace, style and background."""
    style = (ASSETS / "theme.css").read_text(encoding="utf-8") + (ASSETS / "figure.css").read_text(encoding="utf-8")
    opening, _, rest = svg.partition(">")
    opening = opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    background = tag("rect", width="100%", height="100%", class_="ground")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{opening}><style>{style}</style>{background}{rest}\n'
