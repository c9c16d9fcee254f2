"""What a lint rule is given: a module without errors, what its names mean, and the means to report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.edit import Editor
from fictdsl.lint.logic.facts import Fact, Group, groups, logics
from fictdsl.lint.logic.satisfiability import Logic
from fictdsl.semantics import walk
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.walk import Definition
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


@dataclass(frozen=True, slots=True)
class Tested:
    """A simple test where it stands: in which filter or pattern, and of what."""

    definition: Definition
    test: walk.Simple
    place: walk.Level


@dataclass(frozen=True)
class Subject:
    """One file to be linted. `filters` are its filters as compiled, a family once for each value.

    `facts` are there if a corpus was given, and rules that ask one are asked only then.
    """

    module: Module
    resolution: Resolution
    filters: tuple[CompiledFilter, ...]
    facts: CorpusFacts | None = None

    @property
    def corpus(self) -> CorpusFacts:
        """What is known of the corpus, for rules that ask it."""
        assert self.facts is not None
        return self.facts

    def report(
        self,
        code: Code,
        span: Span,
        *,
        labels: tuple[Label, ...] = (),
        hint: str | None = None,
        fix: Fix | None = None,
        **parameters: object,
    ) -> Diagnostic:
        """Build a diagnostic in this file."""
        return diagnostic(code.code, self.module.source, span, labels=labels, hint=hint, fix=fix, **parameters)

    @cached_property
    def edit(self) -> Editor:
        """What makes fixes of this file."""
        return Editor(self.module.source.text)

    def without_test(self, fact: Fact, group: Group) -> Fix | None:
        """What takes out one of the tests of a node, or of the sentence."""
        fix = self.edit.element(fact.span, (",", ":"))
        return self.edit.bracket(fact.span) if fix is None and group.place == "word" else fix

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The filters and patterns of the file."""
        return tuple(walk.definitions(self.module.file))

    @cached_property
    def filter_items(self) -> tuple[nodes.FilterDef, ...]:
        """The filters of the file, as written."""
        return tuple(item for item in self.module.file.items if isinstance(item, nodes.FilterDef))

    @cached_property
    def clauses(self) -> tuple[tuple[Definition, nodes.Clause], ...]:
        """Every clause of every filter and pattern, however deep."""
        return tuple((item, clause) for item in self.definitions for clause in walk.clauses(walk.block_of(item)))

    @cached_property
    def tests(self) -> tuple[Tested, ...]:
        """Every simple test of the file."""
        return tuple(
            Tested(item, part, place)
            for item, clause in self.clauses
            for test, place in walk.tests(clause)
            for part in walk.simple(test)
        )

    @cached_property
    def groups(self) -> tuple[tuple[Group, tuple[Logic, ...]], ...]:
        """What each block asks of each node, with the ways to reason about it: in a family, one for each value."""
        found: list[tuple[Group, tuple[Logic, ...]]] = []
        for item in self.definitions:
            ways = {place: logics(self.resolution, item, place) for place in walk.LEVELS}
            found += [(group, ways[group.place]) for group in groups(item)]
        return tuple(found)


def texts(atom: nodes.Atom, definition: Definition) -> tuple[str, ...]:
    """What a value says; for a family's parameter, each of its values."""
    if isinstance(atom, nodes.Value):
        return (atom.text,)
    family = definition.family if isinstance(definition, nodes.FilterDef) else None
    return () if family is None else tuple(value.text for value in family.values)
