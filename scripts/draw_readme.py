"""Draw the pictures of the README: a match of a filter in generated English, and the head of the demo's report.

    python scripts/draw_readme.py runs/demo/report.html

Needs Chromium, and playwright of the extra `dev`; `make pictures` makes the report first.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent.parent / "docs" / "assets" / "readme"
FILTER = "fict15/agr-pp-mod"
VIEWPORT = {"width": 1180, "height": 895}
COLOURS = 128  # of the photograph, which makes its file less than half as large


def draw_match(output: Path) -> None:
    """Write the arc diagram of one match, with the commands that a user would give."""
    with tempfile.TemporaryDirectory() as folder:
        sample = f"{folder}/sample"
        _fictc("sample", "--sentences", "2000", "--pairs", "0", "--output", sample)
        shown = ("--corpus", f"{sample}/train.conllu", "--sample", "1", "--seed", "4")
        _fictc("show", FILTER, *shown, "--format", "svg", "--output", str(output))


def _fictc(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "fictc", *words], check=True)


def photograph(report: Path, output: Path) -> None:
    """Write what a browser shows of a report before it is scrolled."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page(viewport=VIEWPORT, color_scheme="light")
        page.goto(report.resolve().as_uri())
        page.screenshot(path=output)
        chromium.close()
    with Image.open(output) as picture:
        picture.quantize(COLOURS).save(output, optimize=True)


if __name__ == "__main__":
    draw_match(PICTURES / "match.svg")
    photograph(Path(sys.argv[1]), PICTURES / "report.png")
