"""Contrast of numbers on the heatmap (WCAG AA, 4.5:1) and of the colours of verdicts, in light and in dark."""

import re
from typing import get_args

import pytest

from runner.report.accuracy_tables import CSS_CLASSES, SIGNS
from runner.report.markup import ASSETS
from runner.score.change import Verdict

SHADES = [*(f"a{i}" for i in range(7)), *(f"n{i}" for i in range(1, 7)), "z", *(f"p{i}" for i in range(1, 7))]
LIGHT, DARK = (ASSETS / "theme.css").read_text(encoding="utf-8").split("@media")
PAGE = (ASSETS / "page.css").read_text(encoding="utf-8")
RULES, DARK_RULES = (ASSETS / "figure.css").read_text(encoding="utf-8").split("@media", 1)


def variables(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", css))


def inks(css: str) -> dict[str, str]:
    """Shade → colour of its numbers, where a rule sets one; three digits as six."""
    found = {}
    for selectors, colour in re.findall(r"((?:\.(?:figure text|heat )\.on-\w+,?\s*)+)\{ (?:fill|color): #(\w+);", css):
        six = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
        found |= dict.fromkeys(re.findall(r"on-(\w+)", selectors), f"#{six}")
    return found


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("shade", SHADES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(scheme: str, shade: str) -> None:
    colours = variables(LIGHT) | (variables(DARK) if scheme == "dark" else {})
    own = inks(RULES) | (inks(DARK_RULES) if scheme == "dark" else {})
    assert contrast(own.get(shade, colours["ink"]), colours[shade]) >= 4.5


def test_contrast_by_hand() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert inks(RULES)["n6"] == "#ffffff"


def seen_by(colour: str, matrix: list[list[float]]) -> tuple[float, float, float]:
    """Return CIE L*a*b* (D65) of a colour as a reader with a colour vision deficiency sees it."""
    linear = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in linear]
    r, g, b = (min(1.0, max(0.0, sum(m * v for m, v in zip(row, linear, strict=True)))) for row in matrix)
    x, y, z = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


# Machado, Oliveira and Fernandes 2009, severity 1
VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fell_and_rose_are_told_apart_by_colour_blind_readers(scheme: str, vision: str) -> None:
    colours = variables(LIGHT) | (variables(DARK) if scheme == "dark" else {})
    fell, rose = (seen_by(colours[name], VISIONS[vision]) for name in ("fell", "rose"))
    assert sum((a - b) ** 2 for a, b in zip(fell, rose, strict=True)) ** 0.5 > 25  # ΔE*ab; 2 is just noticeable


def test_held_is_green_and_undecided_grey_everywhere() -> None:
    page = (ASSETS / "page.css").read_text(encoding="utf-8")
    figure = (ASSETS / "figure.css").read_text(encoding="utf-8")
    for scheme in (variables(LIGHT), variables(LIGHT) | variables(DARK)):
        red, green, blue = (int(scheme["held"][i : i + 2], 16) for i in (1, 3, 5))
        assert green > max(red, blue)
        greys = [int(scheme["muted"][i : i + 2], 16) for i in (1, 3, 5)]
        assert max(greys) - min(greys) < 40
    for name, colour in (("fell", "fell"), ("rose", "rose"), ("held", "held"), ("undecided", "muted")):
        assert re.search(rf"\.grid \.{name} {{ color: var\(--{colour}\)", page)
        assert f".thick.{name} {{ stroke: var(--{colour})" in figure
        assert name == "undecided" or f".verdicts .{name} {{ border-left-color: var(--{colour})" in page


def test_every_verdict_has_a_sign_of_its_own() -> None:
    assert list(SIGNS) == list(CSS_CLASSES) == list(get_args(Verdict))
    assert len(set(SIGNS.values())) == len(SIGNS)
