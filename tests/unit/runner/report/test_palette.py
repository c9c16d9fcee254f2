"""Numbers stay legible on every shade of the heatmap, in light and in dark (WCAG AA, 4.5:1)."""

import re

import pytest

from runner.report.render.svg import ASSETS

SHADES = [*(f"a{i}" for i in range(7)), *(f"n{i}" for i in range(1, 7)), "z", *(f"p{i}" for i in range(1, 7))]
LIGHT, DARK = (ASSETS / "theme.css").read_text(encoding="utf-8").split("@media")
RULES, DARK_RULES = (ASSETS / "figure.css").read_text(encoding="utf-8").split("@media", 1)


def variables(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", css))


def inks(css: str) -> dict[str, str]:
    """Shade → colour of its numbers, where a rule sets one; three digits as six."""
    found = {}
    for selectors, colour in re.findall(r"((?:\.figure text\.on-\w+,?\s*)+)\{ fill: #(\w+);", css):
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
