"""Figures as PNG and PDF: their sizes, their text, and that something is drawn."""

from __future__ import annotations

import io
import re
import zlib

import numpy as np
import pytest
from PIL import Image

from runner.report.figures import DRAWERS
from runner.report.markup import light_document, render_image

pytest.importorskip("typst")


@pytest.fixture(scope="module")
def figures(analysis):
    return [figure for _, draw in DRAWERS for figure in draw(analysis)]


def size(svg: str) -> tuple[float, float]:
    match = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert match is not None
    return float(match[1]), float(match[2])


def characters(pdf: bytes) -> set[str]:
    """Return the characters that the PDF's fonts map glyphs to, so that its text can be searched."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.S)
    mapped = set()
    for stream in streams:
        try:
            text = zlib.decompress(stream)
        except zlib.error:
            continue
        if b"beginbfchar" in text:
            for code in re.findall(rb"<[0-9A-Fa-f]+>\s+<([0-9A-Fa-f]+)>", text):
                mapped |= set(bytes.fromhex(code.decode()).decode("utf-16-be"))
    return mapped


def test_every_figure_is_drawn_in_light_colours(figures) -> None:
    assert len(figures) > 3
    for figure in figures:
        text = light_document(figure.svg)
        assert "var(" not in text
        assert "prefers-color-scheme" not in text
        assert ".ground { fill: #ffffff; }" in text


def test_png_has_two_pixels_for_each_of_the_page_and_is_not_blank(figures) -> None:
    for figure in figures:
        width, height = size(figure.svg)
        picture = Image.open(io.BytesIO(render_image(figure, "png"))).convert("RGB")
        assert picture.size == pytest.approx((2 * width, 2 * height), abs=1)
        pixels = np.asarray(picture)
        ink = (pixels != 255).any(axis=2)
        assert 0.002 < ink.mean() < 0.9
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        assert rows[-1] - rows[0] > 0.5 * picture.height
        assert columns[-1] - columns[0] > 0.5 * picture.width


def test_pdf_has_the_size_of_the_page_and_its_text(figures) -> None:
    for figure in figures:
        content = render_image(figure, "pdf")
        assert content.startswith(b"%PDF-")
        box = re.search(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", content)
        assert box is not None
        assert (float(box[1]), float(box[2])) == pytest.approx([0.75 * side for side in size(figure.svg)], abs=0.5)
        words = re.findall(r"<text[^>]*>([^<]+)</text>", figure.svg)
        wanted = {char for word in words for char in word if char.isalnum() and char.isascii()}
        assert len(wanted) > 8
        assert wanted <= characters(content)


def test_equal_figures_have_equal_bytes(figures) -> None:
    for form in ("png", "pdf"):
        assert render_image(figures[0], form) == render_image(figures[0], form)
