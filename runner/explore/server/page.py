"""The page and its assets, which are files of this package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from fictdsl.draw.svg import STYLE
from runner.explore.queries.conditions import KINDS
from runner.explore.queries.settings import ExplorerSettings

_FOLDER = Path(__file__).parents[1] / "assets"
_REPORT_ASSETS = Path(__file__).parents[2] / "report" / "assets"
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
ASSETS = (
    "explore.css",
    "figure.css",
    "tree.css",
    "state.js",
    "editor.js",
    "examples.js",
    "results.js",
    "tabs.js",
    "runs.js",
    "explore.js",
    "icon.svg",
)


@cache
def asset(name: str) -> tuple[str, str]:
    """Return the content and the media type of an asset."""
    if name == "tree.css":
        text = STYLE
    elif name == "figure.css":
        text = "".join((_REPORT_ASSETS / part).read_text(encoding="utf-8") for part in ("theme.css", "figure.css"))
    else:
        text = (_FOLDER / name).read_text(encoding="utf-8")
    return text, _MEDIA_TYPES[Path(name).suffix]


def page(settings: ExplorerSettings, token: str) -> str:
    """Return the HTML of the page."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined)
    files = [settings.title(index) for index in range(len(settings.library))]
    manifests = [str(path.relative_to(settings.save)) if settings.save else path.name for path in settings.manifests]
    return environment.get_template("page.html").render(
        stores=settings.store_names, files=files, manifests=manifests, kinds=KINDS, token=token, settings=settings
    )
