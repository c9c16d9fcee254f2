"""Figures as PNG and PDF.

Typst renders them. It is a single package that requires no other packages or system libraries. It keeps text as text
in PDF and has its own fonts, so a figure has the same bytes on every machine.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.report.render.figure import Figure
from runner.report.render.svg import light_document

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
        raise InputError(diagnostic("FICT899")) from error


def render_image(figure: Figure, format_: Format) -> bytes:
    """Return a figure as PNG or PDF, at its size on the HTML page."""
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
