"""Self-contained HTML pages. Styles and scripts are inlined, and a Content Security Policy forbids requests."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from runner import formatting
from runner.report.render.svg import ASSETS
from runner.tables import Table, grid

PageSection = tuple[str, str, str, str, Table | None]  # id, heading, paragraph, figure, table; empty ones are omitted


def fill(template: str, context: Mapping[str, Any]) -> str:
    """Render a template that extends `base.html`.

    The context must have `title`, `contents` (pairs of id and title) and `items` (JSON, or an empty string).
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters["grouped"] = formatting.count
    environment.filters["displayed"] = grid
    environment.filters["folded"] = folded
    environment.filters["abridged"] = abridged
    style = "".join((ASSETS / name).read_text(encoding="utf-8") for name in ("theme.css", "page.css", "figure.css"))
    script = (ASSETS / "page.js").read_text(encoding="utf-8")
    shared = {"style": style, "style_hash": _csp_hash(style), "script": script, "script_hash": _csp_hash(script)}
    return environment.get_template(template).render(**shared, **context)


def shell(title: str, kind: str, sections: Sequence[PageSection]) -> str:
    """Render a page with these sections. `kind` is shown above its title."""
    contents = [(section[0], section[1]) for section in sections]
    return fill("plain.html", {"title": title, "kind": kind, "sections": sections, "contents": contents, "items": ""})


def folded(items: Sequence[Any], shown_count: int) -> list[Sequence[Any]]:
    """Split a long sequence into its first items and the rest, which the page hides at first."""
    return [items[:shown_count], items[shown_count:]] if len(items) > shown_count + 2 else [items]


def abridged(text: str) -> str:
    """Shorten a SHA-256 in hexadecimal to 12 digits. Other text is unchanged."""
    return text[:12] if re.fullmatch(r"[0-9a-f]{64}", text) else text


def _csp_hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
