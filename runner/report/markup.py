"""SVG elements, images of figures, and self-contained HTML pages.

Typst renders PNG and PDF. It requires no other packages or system libraries, keeps text as text in PDF and has its own
fonts, so a figure has the same bytes on every machine.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from fictdsl.draw.svg import escaped, number, tag
from runner import formatting
from runner.errors import InputError
from runner.report.section import Figure
from runner.tables import Table, grid

__all__ = ["escaped", "tag"]  # of `fictdsl.draw.svg`, for figures

ASSETS = Path(__file__).parent / "assets"
CHARACTER_WIDTH = 7.0  # mean width of a character at 12 px, to reserve room for labels


def svg_text(content: str, x: float, y: float, **attributes: str | float | None) -> str:
    return tag("text", escaped(content), x=x, y=y, **attributes)


def tooltip(content: str) -> str:
    return tag("title", escaped(content))


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, *, radius: float = 2) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, rx=radius, class_=class_)


def drawing(body: list[str], width: float, height: float, label: str, *, role: str = "img") -> str:
    content = "\n".join(["", *body, ""])
    view = f"0 0 {number(width)} {number(height)}"
    size: dict[str, str | float | None] = {"viewBox": view, "width": width, "height": height}
    return tag("svg", content, class_="figure", **size, role=role, aria_label=label)


_VARIABLE = re.compile(r"--([a-z0-9-]+):\s*([^;]+);")
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{\s*(?:[^{}]*\{[^{}]*\}\s*)*\}")


def light_document(svg: str) -> str:
    """Return a drawing as a file in light colours without CSS variables, which some renderers do not support."""
    document = standalone(svg)
    colours = dict(reversed(_VARIABLE.findall(document)))  # the first, light value of each name
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda match: colours[match[1]], _DARK.sub("", document))


def standalone(svg: str) -> str:
    style = (ASSETS / "theme.css").read_text(encoding="utf-8") + (ASSETS / "figure.css").read_text(encoding="utf-8")
    opening, _, rest = svg.partition(">")
    opening = opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    background = tag("rect", width="100%", height="100%", class_="ground")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{opening}><style>{style}</style>{background}{rest}\n'


Format: TypeAlias = Literal["png", "pdf"]

POINTS_PER_PIXEL = 0.75  # typographic points per pixel
RESOLUTION = 192  # pixels of PNG per inch: two for each pixel of the page
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_TEMPLATE = """#set document(title: sys.inputs.title, date: none)
#set page(width: {width}pt, height: {height}pt, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.title)
"""


def require_typst() -> None:
    """Raise InputError (FICT899) if the package that renders figures is missing."""
    try:
        import typst  # noqa: F401
    except ImportError as error:
        raise InputError.of("FICT899") from error


def render_image(figure: Figure, format_: Format) -> bytes:
    import typst

    svg = light_document(figure.svg)
    size = _SIZE.search(svg)
    assert size is not None
    width, height = (float(side) * POINTS_PER_PIXEL for side in size.groups())
    source = _TEMPLATE.format(width=f"{width:g}", height=f"{height:g}").encode()
    inputs = {"svg": svg, "title": figure.title}
    content = typst.compile(source, format=format_, ppi=RESOLUTION, sys_inputs=inputs, ignore_system_fonts=True)
    assert isinstance(content, bytes)
    return content


PageSection = tuple[str, str, str, str, Table | None]  # id, heading, paragraph, figure, table; empty ones are omitted


def fill(template: str, context: Mapping[str, Any]) -> str:
    """Render a template that extends `base.html`, with `title`, `contents` (ids and titles) and `items` (JSON)."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters |= {"grouped": formatting.count, "displayed": grid, "folded": folded, "abridged": abridged}
    style = "".join((ASSETS / name).read_text(encoding="utf-8") for name in ("theme.css", "page.css", "figure.css"))
    script = (ASSETS / "page.js").read_text(encoding="utf-8")
    shared = {"style": style, "style_hash": _csp_hash(style), "script": script, "script_hash": _csp_hash(script)}
    return environment.get_template(template).render(**shared, **context)


def shell(title: str, kind: str, sections: Sequence[PageSection]) -> str:
    contents = [(section[0], section[1]) for section in sections]
    return fill("plain.html", {"title": title, "kind": kind, "sections": sections, "contents": contents, "items": ""})


def folded(items: Sequence[Any], shown_count: int) -> list[Sequence[Any]]:
    return [items[:shown_count], items[shown_count:]] if len(items) > shown_count + 2 else [items]


def abridged(text: str) -> str:
    return text[:12] if re.fullmatch(r"[0-9a-f]{64}", text) else text


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
