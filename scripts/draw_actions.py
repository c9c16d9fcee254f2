"""Write `docs/actions.md` and its drawings: every action of a rewrite, before and after.

    python scripts/draw_actions.py

A test compares the files with the output of this script.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fictdsl.compiler import CompiledRewrite, compile_text
from fictdsl.draw.svg import svg
from fictdsl.draw.tree import Tree, words
from fictdsl.reference import sentences
from fictdsl.reference.evaluate import matches
from runner.corpus.rewrite import word_changes
from runner.examples.example_files import rewrite_block

DOCS = Path(__file__).parent.parent / "docs"
DRAWINGS = "assets/actions"
MATCH = "V:VERB -[obj]-> O -[amod]-> A\n    V -[obl]-> R -[case]-> P"
HEAD = """# The actions of rewrites

<!-- written by scripts/draw_actions.py -->

Every action of a [rewrite](rewriting.md), before and after, on one sentence. Words that are deleted, new, moved or
changed are marked. All but the actions on `sentence` have this match:

```fict
fict 1

rewrite example {
  about "A verb with an object and a prepositional phrase."
  match {
    V:VERB -[obj]-> O -[amod]-> A
    V -[obl]-> R -[case]-> P
  }
  delete node(P)
}
```
"""
_ROWS = (
    "My DET 2 nmod:poss", "friend NOUN 3 nsubj", "gave VERB 0 root", "a DET 6 det", "red ADJ 6 amod",
    "apple NOUN 3 obj", "to ADP 8 case", "her PRON 3 obl", ". PUNCT 3 punct",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A heading, the name of its drawings, the actions, and a sentence about them."""

    heading: str
    name: str
    actions: str
    about: str


CASES = (
    Case("delete", "delete", "delete node(A)", "The article follows the sound of its new neighbour."),
    Case("delete", "delete-subtree", "delete subtree(R)", "The words of a subtree go together."),
    Case("move", "move", "move subtree(R) before subtree(O)", "Words go before or after other words."),
    Case("move", "move-sentence", "move subtree(O) before sentence", "The first word takes the capital letter."),
    Case("swap", "swap", "swap subtree(O) with subtree(R)", "Each goes where the other's first word was."),
    Case("insert", "insert", 'insert "gladly"[upos = ADV] as advmod of V before node(V)', "A new word needs a head."),
    Case("set", "set", "set R.deprel = iobj\n  set P.form = upper(P.form)", "A column gets another value."),
    Case("reverse", "reverse", "reverse subtree(O)", "The words stand in the opposite order."),
    Case("reverse", "reverse-sentence", "reverse sentence", "So do all words of the sentence, with the full stop."),
    Case(
        "order", "order", "order sentence by length",
        "Dependents that are not `PUNCT` are sorted by the number of their words; with `desc`, the longest come first.",
    ),
    Case(
        "order", "order-head-final", "order sentence by length head-final",
        "Every head follows its dependents, the longest of which come first.",
    ),
    Case("order", "order-chance", "order sentence by chance", "Each head is ordered in one direction or the other."),
    Case("shuffle", "shuffle", "shuffle sentence", "The order depends on the seed and the sentence."),
    Case(
        "shuffle", "shuffle-length", "shuffle sentence by length",
        "All sentences of one length are permuted alike, as numpy does with the seed.",
    ),
    Case("shuffle", "shuffle-window", "shuffle sentence in 3", "Each window of three words is permuted alike."),
    Case("interleave", "interleave", "interleave sentence", "Words at even positions come first, counted from 0."),
)  # fmt: skip


def files() -> dict[str, str]:
    """Return the content of every file, by its path in `docs`."""
    contents = {"actions.md": _page()}
    for case in CASES:
        before, after = trees(case)
        for version, tree in (("before", before), ("after", after)):
            contents[f"{DRAWINGS}/{case.name}-{version}.svg"] = svg(tree, f"{case.actions}, {version}: {tree.text()}")
    return contents


def trees(case: Case) -> tuple[Tree, Tree]:
    """Return the tree before and after the actions of a case, with the changed words marked."""
    block = _block()
    rewrite = _rewrite(case)
    (sentence,) = sentences.read(block)
    bindings = matches(rewrite.matching.module, rewrite.matching.definition, None, sentence)
    rewritten, _ = rewrite_block(rewrite, block, bindings)
    assert rewritten is not None and rewritten.conllu is not None, case
    old_changes, new_changes = word_changes(rewritten)
    return Tree(words(block), old_changes), Tree(words(rewritten.conllu), new_changes)


def _rewrite(case: Case) -> CompiledRewrite:
    match = "" if "sentence" in case.actions and "subtree" not in case.actions else MATCH
    compilation = compile_text(f"fict 1\nrewrite {case.name} {{\n  match {{ {match} }}\n  {case.actions}\n}}")
    assert not compilation.errors, compilation.errors
    return compilation.rewrites[0]


def _block() -> str:
    lines = []
    for number, row in enumerate(_ROWS, start=1):
        form, upos, head, label = row.split(" ")
        misc = "SpaceAfter=No" if number == len(_ROWS) - 1 else "_"
        lemma = "give" if form == "gave" else form.lower()
        lines.append("\t".join([str(number), form, lemma, upos, "_", "_", head, label, "_", misc]))
    return "\n".join(lines)


def _page() -> str:
    return HEAD + "".join(_sections())


def _sections() -> Iterator[str]:
    heading = ""
    for case in CASES:
        if case.heading != heading:
            yield f"\n## {case.heading}\n"
            heading = case.heading
        before, after = (tree.text() for tree in trees(case))
        yield f"\n{case.about}\n\n```text\n{_unindented(case.actions)}\n```\n\n"
        yield f"![Before: {before}]({DRAWINGS}/{case.name}-before.svg)\n\n"
        yield f"![After: {after}]({DRAWINGS}/{case.name}-after.svg)\n"


def _unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.split("\n"))


def main() -> None:
    """Write the files, and remove drawings of earlier versions."""
    contents = files()
    for old in (DOCS / DRAWINGS).glob("*.svg"):
        if f"{DRAWINGS}/{old.name}" not in contents:
            old.unlink()
    for name, text in contents.items():
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    print(f"{len(contents)} files in {DOCS}")


if __name__ == "__main__":
    main()
