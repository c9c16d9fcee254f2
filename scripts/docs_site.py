"""MkDocs hooks that generate pages: filters with their trees, messages, the README.

mkdocs serve            # or `mkdocs build`; needs the extra `docs`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from fictdsl.compiler import compile_file
from fictdsl.diagnostics.codes import CATALOGUE, FAMILIES
from fictdsl.draw.svg import STYLE, drawing, escaped, marked
from fictdsl.draw.tree import Tree, labels, words
from fictdsl.english.describe import describe, describe_rewrite
from fictdsl.installation import shipped
from fictdsl.lint.pages import page
from fictdsl.reference.evaluate import Evaluator
from fictdsl.terminal_text import safe
from runner.examples.example_files import Example, read_examples

ROOT = Path(__file__).parent.parent
OPEN_EXAMPLES = 2  # number of examples of each kind that are open when a page loads


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the generated pages to the navigation."""
    folders = groupby(_filter_files(), lambda path: path.parent.name)
    library: list[Any] = ["library/index.md"]
    library += [{folder: [_uri(path) for path in paths]} for folder, paths in folders]
    config.nav += [{"Filter library": library}, {"Messages": "messages/index.md"}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for uri, text in pages():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace links to the filter library with its pages of the site."""
    markdown = re.sub(r"\]\(\.\./((?:\.\./)*)filters/README\.md", r"](\1library/index.md", markdown)
    return re.sub(r"\]\(\.\./((?:\.\./)*)filters/([\w-]+/[\w-]+)\.fict\)", r"](\1library/\2.md)", markdown)


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown of each generated page."""
    yield "index.md", _readme()
    yield "assets/tree.css", STYLE
    yield "library/index.md", _library()
    for path in _filter_files():
        yield _uri(path), _filter_page(path)
    yield "messages/index.md", _messages()
    for code in CATALOGUE:
        yield f"messages/{code}.md", _message(code)


def _readme() -> str:
    text = (ROOT / "README.md").read_text("utf-8")
    text = text.replace("](docs/", "](").replace("](filters/README.md", "](library/index.md")
    return re.sub(r"^- \[ARCHITECTURE\.md\].*\n", "", text, flags=re.MULTILINE)


# --- the filter library


def _filter_files() -> list[Path]:
    return sorted(path for path in shipped("filters").rglob("*.fict") if path.parent.name != "words")


def _uri(path: Path) -> str:
    return f"library/{path.parent.name}/{path.stem}.md"


def _library() -> str:
    text = (shipped("filters") / "README.md").read_text("utf-8")
    text = re.sub(r"\[([^]]+)\]\((words/|blimp/precision)[^)]+\)", r"\1", text).replace("](../docs/", "](../")
    return re.sub(r"\]\(([\w-]+/[\w-]+)\.fict\)", r"](\1.md)", text)


def _filter_page(path: Path) -> str:
    compilation = compile_file(path)
    filters = [*compilation.filters, *(rewrite.matching for rewrite in compilation.rewrites)]
    metadata = filters[0].metadata
    title = path.stem if len(filters) > 1 else filters[0].name
    parts = [f"# {title}", metadata.about or ""]
    properties = {"Source": metadata.source, "Targets": ", ".join(metadata.targets)}
    parts += [f"**{name}.** {text}" for name, text in properties.items() if text]
    parts += ["\n".join(f"- {note}" for note in metadata.notes)]
    parts += [f"```fict\n{path.read_text('utf-8').rstrip()}\n```", "## In plain English"]
    english = [describe(filters[0])] if compilation.filters else map(describe_rewrite, compilation.rewrites)
    parts += ["\n".join(f"    {line}" for line in lines) for lines in english]
    parts += _examples(read_examples(path, compilation.filters, compilation.rewrites))
    return "\n\n".join(part for part in parts if part) + "\n"


def _examples(examples: Sequence[Example]) -> Iterator[str]:
    for positive, title in ((True, "Sentences that match"), (False, "Sentences that do not match")):
        selected = [example for example in examples if example.positive is positive]
        if selected:
            yield f"## {title}"
            for index, example in enumerate(selected):
                yield _example_html(example, opened=index < OPEN_EXAMPLES)


def _example_html(example: Example, *, opened: bool) -> str:
    compiled = example.filter
    matches = Evaluator(compiled.module, compiled.definition, compiled.value).matches(example.sentence)
    binding = dict(min(matches, key=sorted)) if matches else {}
    block = re.split(r"\n\s*\n", example.path.read_text("utf-8"))[example.index]
    tree = Tree(words(block), labels(binding))
    name = f" <small>{compiled.name}</small>" if compiled.value is not None else ""
    summary = f"<details{' open' if opened else ''}><summary>{marked(tree)}{name}</summary>"
    result = f"<p>→ {escaped(safe(example.text))}</p>" if example.text else ""
    return f'{summary}<div class="fict-drawing">{_on_one_line(drawing(tree))}</div>{result}</details>'


def _on_one_line(markup: str) -> str:
    """Return markup on one line, so that Markdown treats it as one block."""
    return re.sub(r"\n\s*", "", markup)


# --- messages


def _codes(digit: str) -> list[str]:
    return [code for code in sorted(CATALOGUE) if code[4] == digit]


def _messages() -> str:
    parts = ["# Messages", "All messages of fictc, by code. `fictc rule CODE` prints these pages in the terminal."]
    for digit, title in FAMILIES.items():
        rows = [
            f"| [{code}]({code}.md) | {CATALOGUE[code].name} | {CATALOGUE[code].severity.value} |"
            for code in _codes(digit)
        ]
        parts += [f"## {title}", "\n".join(["| code | name | |", "|---|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def _message(code: str) -> str:
    return page(code).markdown
