"""The input of a lint rule: a module without errors, its resolved names, and methods to report findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.lint.corpus_facts import CorpusFacts
from fictdsl.lint.edit import FixBuilder
from fictdsl.lint.logic.facts import Fact, Group, groups, solvers
from fictdsl.lint.logic.satisfiability import Solver
from fictdsl.lint.tagset import has_other_tagset
from fictdsl.semantics import walk
from fictdsl.semantics.resolve.resolution import Resolution
from fictdsl.semantics.walk import Definition
from fictdsl.source import Span
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


@dataclass(frozen=True, slots=True)
class LocatedTest:
    """A simple test, the definition that contains it, and whether it tests a word or the sentence."""

    definition: Definition
    test: walk.SimpleTest
    level: walk.Level


@dataclass(frozen=True, slots=True)
class LocatedLabel:
    """A relation label, the definition that contains it, and how it is compared.

    Unless it is `exact`, it also matches its subtypes. An `enhanced` label belongs to an edge of the enhanced graph.
    """

    definition: Definition
    atom: nodes.Atom
    exact: bool
    enhanced: bool

    @property
    def column(self) -> str:
        """The key of the label in `CorpusFacts.values`."""
        return "enhanced" if self.enhanced else "deprel"


@dataclass(frozen=True, slots=True)
class Assignment:
    """A rewrite, an attribute that one of its actions sets, and the new values."""

    definition: Definition
    attribute: nodes.Attribute
    values: tuple[nodes.Atom, ...]


@dataclass(frozen=True)
class LintContext:
    """A file to lint. `filters` are its compiled filters; a family has one for each value.

    `facts` is None if no corpus is given. Rules that need a corpus are then skipped.
    """

    module: Module
    resolution: Resolution
    filters: tuple[CompiledFilter, ...]
    facts: CorpusFacts | None = None

    @property
    def corpus(self) -> CorpusFacts:
        """The facts about the corpus, for rules that need one."""
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

    def report_label(self, code: Code, span: Span, *, hint: str | None, found: str) -> Diagnostic:
        """Build a diagnostic of a label that is not in UD: a hint if the file declares another tag set."""
        problem = self.report(code, span, hint=hint, found=found)
        return replace(problem, severity=Severity.HINT) if self.has_other_tagset else problem

    @cached_property
    def has_other_tagset(self) -> bool:
        """Whether the file has the comment `# tagset: other` at its head."""
        return has_other_tagset(self.module)

    @cached_property
    def fix_builder(self) -> FixBuilder:
        """The builder of fixes for this file."""
        return FixBuilder(self.module.source.text)

    def remove_test(self, fact: Fact, group: Group) -> Fix | None:
        """Return a fix that removes one test of a node or of the sentence; None if it cannot be removed."""
        fix = self.fix_builder.remove_element(fact.span, (",", ":"))
        return self.fix_builder.remove_brackets(fact.span) if fix is None and group.level == "word" else fix

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The filters, patterns and rewrites of the file."""
        return tuple(walk.definitions(self.module.file))

    @cached_property
    def queries(self) -> tuple[nodes.Query, ...]:
        """The syntax trees of the filters and rewrites of the file."""
        items = self.module.file.items
        return tuple(item for item in items if isinstance(item, nodes.FilterDef | nodes.RewriteDef))

    @property
    def rewrites(self) -> tuple[nodes.RewriteDef, ...]:
        """The syntax trees of the rewrites of the file."""
        return tuple(item for item in self.queries if isinstance(item, nodes.RewriteDef))

    @cached_property
    def clauses(self) -> tuple[tuple[Definition, nodes.Clause], ...]:
        """Every clause of every filter, pattern and rewrite, at any depth."""
        return tuple(
            (definition, clause)
            for definition in self.definitions
            for clause in walk.clauses(walk.block_of(definition))
        )

    @cached_property
    def tests(self) -> tuple[LocatedTest, ...]:
        """Every simple test of the file."""
        return tuple(
            LocatedTest(definition, simple_test, level)
            for definition, clause in self.clauses
            for test, level in walk.tests(clause)
            for simple_test in walk.simple_tests(test)
        )

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """The attributes that `set` and the brackets of `insert` assign.

        `values` lacks an unquoted `_` and computed values, so it can be empty.
        """
        return tuple(
            assignment
            for rewrite in self.rewrites
            for action in rewrite.actions
            for assignment in _assignments(rewrite, action)
        )

    @cached_property
    def assigned_labels(self) -> tuple[LocatedLabel, ...]:
        """Every relation label that an action writes."""
        inserted = [
            LocatedLabel(rewrite, action.label, exact=True, enhanced=False)
            for rewrite in self.rewrites
            for action in rewrite.actions
            if isinstance(action, nodes.Insert)
        ]
        assigned = [
            LocatedLabel(assignment.definition, value, exact=True, enhanced=False)
            for assignment in self.assignments
            if assignment.attribute.name == "deprel"
            for value in assignment.values
        ]
        return (*inserted, *assigned)

    @cached_property
    def labels(self) -> tuple[LocatedLabel, ...]:
        """Every relation label of the file, in relations and in tests of `deprel`."""
        return (*self._labels_of_relations(), *self._labels_of_tests())

    def _labels_of_relations(self) -> Iterator[LocatedLabel]:
        for definition, clause in self.clauses:
            for _, link in walk.links(clause):
                relation = link.relation
                if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                    enhanced = isinstance(relation, nodes.Edge) and relation.enhanced
                    for name, label in walk.named_labels(relation.labels):
                        yield LocatedLabel(definition, name, label.exact, enhanced)

    def _labels_of_tests(self) -> Iterator[LocatedLabel]:
        for located in self.tests:
            if located.test.attribute.name == "deprel" and located.level == "word":
                exact = isinstance(located.test, nodes.Compare) and located.test.op == "=="
                for atom in walk.equal_values(located.test):
                    yield LocatedLabel(located.definition, atom, exact, enhanced=False)

    @cached_property
    def groups(self) -> tuple[tuple[Group, tuple[Solver, ...]], ...]:
        """The conditions of each block on each node, with a solver for each value of the family."""
        pairs: list[tuple[Group, tuple[Solver, ...]]] = []
        for definition in self.definitions:
            solvers_by_level = {level: solvers(self.resolution, definition, level) for level in walk.LEVELS}
            pairs += [(group, solvers_by_level[group.level]) for group in groups(definition)]
        return tuple(pairs)


def _assignments(rewrite: nodes.RewriteDef, action: nodes.Rewriting) -> Iterator[Assignment]:
    match action:
        case nodes.Set(attribute=target, value=nodes.Value() | nodes.Param() as value):
            yield Assignment(rewrite, target.attribute, _present((value,)))
        case nodes.Set(attribute=target):
            yield Assignment(rewrite, target.attribute, ())
        case nodes.Insert(test=test) if test is not None:
            for simple_test in walk.simple_tests(test):
                yield Assignment(rewrite, simple_test.attribute, _present(walk.values(simple_test)))


def _present(values: tuple[nodes.Atom, ...]) -> tuple[nodes.Atom, ...]:
    """Return the values other than the unquoted `_`, which removes the attribute."""
    return tuple(value for value in values if isinstance(value, nodes.Param) or value.quoted or value.text != "_")


def texts(atom: nodes.Atom, definition: Definition) -> tuple[str, ...]:
    """Return the text of a value; for a family's parameter, the texts of all its values."""
    if isinstance(atom, nodes.Value):
        return (atom.text,)
    family = walk.family_of(definition)
    return () if family is None else tuple(value.text for value in family.values)
