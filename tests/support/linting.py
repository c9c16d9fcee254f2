"""Parse and lint text for tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.diagnostics.text import render_text
from fictdsl.lint.engine import lint_module
from fictdsl.lint.rule_context import CorpusFacts, LintContext, words_by_column
from fictdsl.reference.evaluate import matches
from fictdsl.reference.sentences import Sentence
from fictdsl.source import Source
from fictdsl.syntax.files import to_lower
from fictdsl.syntax.load import Module
from fictdsl.syntax.parse import parse


def module_of(text: str, lists: Mapping[str, tuple[str, ...]] | None = None, **uses: Module) -> Module:
    """Parse a file; `lists` are the entries of list files by path, `uses` the modules of `use "name"`."""
    source = Source.of(text if text.startswith("fict") else f"fict 1\n{text}", "example.fict")
    file, problems = parse(source)
    assert file is not None and not problems, render_text(problems, use_colours=False)
    return Module(source, file, dict(uses), dict(lists or {}))


def codes(module: Module) -> set[str]:
    """Return the codes of the lint diagnostics of a module without errors."""
    diagnostics = lint_module(module)
    errors = [problem for problem in diagnostics if problem.severity is Severity.ERROR]
    assert not errors, render_text(errors, use_colours=False)
    return {problem.code for problem in diagnostics}


def facts_in(context: LintContext, trees: Sequence[Sentence]) -> CorpusFacts:
    """Return the corpus facts of a few trees for one file."""
    words = [word for tree in trees for word in tree.words]
    values: dict[str, Counter[str]] = {name: Counter() for name in ("upos", "xpos", "deprel", "enhanced")}
    for word in words:
        for name in ("upos", "xpos", "deprel"):
            values[name].update(value for value in [getattr(word, name)] if value is not None)
        values["enhanced"].update(label for head, label in word.deps if head != "0" and head.isdecimal())
        for feature, found in word.feats.items():
            values.setdefault(feature, Counter()).update(found)
    columns = {
        "form": {word.form for word in words},
        "form_l": {to_lower(word.form) for word in words},
        "lemma": {word.lemma for word in words},
        "lemma_l": {to_lower(word.lemma) for word in words if word.lemma is not None},
    }
    return CorpusFacts(
        len(trees),
        {name: tuple(sorted(counts, key=lambda value: (-counts[value], value))) for name, counts in values.items()},
        {column: frozenset(words) & columns[column] for column, words in words_by_column(context).items()},
        {
            each.key: sum(bool(matches(each.module, each.definition, each.value, tree)) for tree in trees)
            for each in context.filters
        },
    )
