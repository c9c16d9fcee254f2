"""The page, its assets, and the pages on the language and on each message."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from fictdsl.diagnostics.codes import CATALOGUE
from fictdsl.draw.svg import STYLE
from fictdsl.highlight import FictLexer
from fictdsl.installation import shipped
from runner.explore.queries.conditions import KINDS
from runner.explore.queries.settings import ExplorerSettings

_FOLDER = Path(__file__).parents[1] / "assets"
_REPORT_ASSETS = Path(__file__).parents[2] / "report" / "assets"
_MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HELP = ("language", "reference")  # pages of the documentation
_HEADING = re.compile(r"<(h\d)>(.*?)</\1>")
_LINK = re.compile(r"\[([^]]+)\]\(([\w./-]+?)\.md((?:#[\w-]+)?)\)")
ASSETS = (
    "explore.css",
    "figure.css",
    "tree.css",
    "state.js",
    "editor.js",
    "examples.js",
    "marks.js",
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


def _rendered(template: str, **values: object) -> str:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_FOLDER), autoescape=True, undefined=StrictUndefined)
    return environment.get_template(template).render(**values)


def help_page(name: str) -> str | None:
    """Return the page of a message such as FICT518, `language` or `reference` as HTML, or None for another name."""
    from markdown_it import MarkdownIt  # a requirement of rich

    from fictdsl.lint.pages import page as message_page

    if name in HELP:
        text = (shipped("docs") / f"{name}.md").read_text(encoding="utf-8")
    elif name in CATALOGUE:
        text = message_page(name).markdown
    else:
        return None
    text = _LINK.sub(lambda link: f"[{link[1]}]({link[2]}{link[3]})" if link[2] in HELP else link[1], text)
    markdown = MarkdownIt("commonmark", {"html": False, "highlight": _highlighted}).enable("table")
    return _rendered("help.html", title=name, body=_HEADING.sub(_anchored, markdown.render(text)))


def _anchored(heading: re.Match[str]) -> str:
    """Return a heading with the id to which links on a page lead."""
    words = re.findall(r"[\w-]+", re.sub(r"<[^>]*>", "", heading[2]).lower())
    return f'<{heading[1]} id="{"-".join(words)}">{heading[2]}</{heading[1]}>'


def _highlighted(code: str, language: str, _: str) -> str:
    from pygments import highlight
    from pygments.formatters import HtmlFormatter

    return str(highlight(code, FictLexer(), HtmlFormatter(nowrap=True))) if language == "fict" else escape(code)


def page(settings: ExplorerSettings, token: str) -> str:
    """Return the HTML of the page."""
    files = [settings.title(index) for index in range(len(settings.library))]
    values = {"stores": settings.store_names, "files": files, "kinds": KINDS}
    return _rendered("page.html", **values, token=token, settings=settings)
