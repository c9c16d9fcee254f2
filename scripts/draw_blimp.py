"""Write `docs/assets/blimp`: a tree for each paradigm of BLiMP, with the nodes that its filter binds.

    python scripts/draw_blimp.py

The tree is the example with the comment `# blimp::uid = PARADIGM`. A test compares the files with the output.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fictdsl.compiler import compile_file
from fictdsl.draw.svg import svg
from fictdsl.draw.tree import Tree, labels, words
from fictdsl.installation import shipped
from fictdsl.reference.evaluate import matches
from runner.examples.example_files import Example, read_examples

ROOT = Path(__file__).parent.parent
DRAWINGS = ROOT / "docs" / "assets" / "blimp"


def drawings() -> dict[str, str]:
    """Return the drawing of each paradigm."""
    drawn: dict[str, str] = {}
    for example in _examples():
        for paradigm in example.sentence.meta.get("blimp::uid", ()):
            assert paradigm not in drawn, f"{paradigm} is drawn twice"
            tree = _tree(example)
            drawn[paradigm] = svg(tree, f"{paradigm}: {tree.text()}")
    return drawn


def _examples() -> Iterator[Example]:
    for path in sorted((shipped("filters") / "blimp").glob("*.fict")):
        yield from read_examples(path, compile_file(path).filters)


def _tree(example: Example) -> Tree:
    compiled = example.filter
    found = matches(compiled.module, compiled.definition, compiled.value, example.sentence)
    return Tree(words(example.block), labels(dict(sorted(min(found, key=sorted)))))


def main() -> None:
    """Write the files, and remove those of paradigms without an example."""
    drawn = drawings()
    DRAWINGS.mkdir(parents=True, exist_ok=True)
    for old in DRAWINGS.glob("*.svg"):
        if old.stem not in drawn:
            old.unlink()
    for paradigm, text in drawn.items():
        (DRAWINGS / f"{paradigm}.svg").write_text(text, encoding="utf-8")
    print(f"{len(drawn)} files in {DRAWINGS}")


if __name__ == "__main__":
    main()
