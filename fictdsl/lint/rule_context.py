"""The input of a lint rule: a module without errors, its names and words, and facts about a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import Code, diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.lint.facts import Fact, Group, groups, solvers
from fictdsl.lint.fix import FixBuilder
from fictdsl.lint.satisfiability import Solver
from fictdsl.lint.vocabulary import has_other_tagset
from fictdsl.schema import LOWERED
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Span
from fictdsl.syntax import nodes, walk
from fictdsl.syntax.files import TAB
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import Definition


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """Facts about one corpus.

    `sentences` is the number of sentences. `values` maps `upos`, `xpos`, `deprel`, `enhanced` (labels of the enhanced
    graph) and each feature to a tuple of its values, most frequent first. `words` maps a column (`form`, `lemma`, or
    `form_l` and `lemma_l` in lower case) to the words that the linted files test and that occur in it. `match_counts`
    maps the key of a filter to the number of sentences it matches; a filter whose query failed is missing.
    """

    sentences: int
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    match_counts: Mapping[str, int] = field(default_factory=dict)

    def has_label(self, label: str, *, exact: bool, column: str = "deprel") -> bool:
        """Return whether some word has the relation `label` or, unless `exact`, a subtype of it."""
        labels = self.values.get(column, ())
        return label in labels or (not exact and any(value.startswith(f"{label}:") for value in labels))


@dataclass(frozen=True, slots=True)
class LocatedTest:
    """A simple test, the definition that contains it, and whether it tests a word or the sentence."""

    definition: Definition
    test: walk.SimpleTest
    level: walk.Level


@dataclass(frozen=True, slots=True)
class LocatedText:
    """A text, and the span of the value or of the list reference that it comes from.

    `labels` has a diagnostic label at the definition of a named list.
    """

    text: str
    span: Span
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """An attribute of a word in a simple test or in a tuple, and the texts that it is compared with for equality.

    `texts` is empty for other tests, such as `has Number` and `form.length > 3`. `span` is that of the list of values,
    the whole test if it has no list, or the attribute in a tuple. `reference` is the named list, if any. An `exact`
    comparison of `deprel` does not match subtypes.
    """

    node: walk.SimpleTest | nodes.TupleMember
    attribute: nodes.Attribute
    span: Span
    reference: nodes.ListRef | None
    texts: tuple[LocatedText, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class LocatedLabel:
    """A relation label, and how it is compared.

    Unless it is `exact`, it also matches its subtypes. An `enhanced` label belongs to an edge of the enhanced graph.
    """

    located_text: LocatedText
    exact: bool
    enhanced: bool

    @property
    def column(self) -> str:
        """The key of the label in `CorpusFacts.values`."""
        return "enhanced" if self.enhanced else "deprel"


@dataclass(frozen=True, slots=True)
class Assignment:
    """An attribute that an action of a rewrite sets, and the new values."""

    attribute: nodes.Attribute
    texts: tuple[LocatedText, ...]


@dataclass(frozen=True)
class LintContext:
    """A file to lint. `filters` are its compiled filters; a family has one for each value.

    `corpus_facts` is None if no corpus is given. Rules that need a corpus are then skipped.
    """

    module: Module
    resolution: Resolution
    filters: tuple[CompiledFilter, ...]
    corpus_facts: CorpusFacts | None = None

    @property
    def corpus(self) -> CorpusFacts:
        """The facts about the corpus, for rules that need one."""
        assert self.corpus_facts is not None
        return self.corpus_facts

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

    def report_label(self, code: Code, located_text: LocatedText, *, hint: str | None) -> Diagnostic:
        """Build a diagnostic of a label that is not in UD, with severity HINT if the file declares another tag set."""
        problem = self.report(code, located_text.span, labels=located_text.labels, hint=hint, found=located_text.text)
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
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every simple test of a word, and every attribute in a tuple, with the entries of named lists."""
        in_tests = [self._comparison(located_test) for located_test in self.tests if located_test.level == "word"]
        in_tuples = [
            Comparison(clause, side.attribute, side.span, clause.values, self._column(clause, index), exact=True)
            for _, clause in self.clauses
            if isinstance(clause, nodes.TupleMember)
            for index, side in enumerate(clause.attributes)
        ]
        return (*in_tests, *in_tuples)

    def _comparison(self, located_test: LocatedTest) -> Comparison:
        test = located_test.test
        reference = test.values if isinstance(test, nodes.Member) and isinstance(test.values, nodes.ListRef) else None
        compared_texts = located_texts(walk.equal_values(test), located_test.definition)
        if reference is not None:
            compared_texts = self._entries(reference, reference.span, self.resolution.entries(reference) or ())
        span = test.values.span if isinstance(test, nodes.Member) else test.span
        exact = isinstance(test, nodes.Compare) and test.op == "=="
        return Comparison(test, test.attribute, span, reference, compared_texts, exact)

    def _column(self, clause: nodes.TupleMember, index: int) -> tuple[LocatedText, ...]:
        """Return the entries of a column of the list that a tuple is looked up in."""
        rows = [entry.split(TAB) for entry in self.resolution.entries(clause.values) or ()]
        return self._entries(clause.values, clause.attributes[index].span, [row[index] for row in rows])

    def _entries(self, reference: nodes.ListRef, span: Span, entries: Sequence[str]) -> tuple[LocatedText, ...]:
        labels = self.list_labels(reference)
        return tuple(LocatedText(entry, span, labels) for entry in dict.fromkeys(entries))

    def list_labels(self, reference: nodes.ListRef) -> tuple[Label, ...]:
        """Return a label at the definition of a list, or nothing if the list is unknown."""
        definition = self.resolution.list_of(reference)
        return () if definition is None else (Label(definition.item.name.span, "the list", definition.module.source),)

    @cached_property
    def assignments(self) -> tuple[Assignment, ...]:
        """The attributes that `set` and the brackets of `insert` assign.

        `texts` lacks an unquoted `_` and computed values, so it can be empty.
        """
        return tuple(
            assignment
            for rewrite in self.rewrites
            for action in rewrite.actions
            for assignment in _assignments(rewrite, action)
        )

    @cached_property
    def assigned_relation_labels(self) -> tuple[LocatedLabel, ...]:
        """Every relation label that an action writes."""
        inserted = [
            LocatedLabel(located_text, exact=True, enhanced=False)
            for rewrite in self.rewrites
            for action in rewrite.actions
            if isinstance(action, nodes.Insert)
            for located_text in located_texts((action.label,), rewrite)
        ]
        assigned = [
            LocatedLabel(located_text, exact=True, enhanced=False)
            for assignment in self.assignments
            if assignment.attribute.name == "deprel"
            for located_text in assignment.texts
        ]
        return (*inserted, *assigned)

    @cached_property
    def relation_labels(self) -> tuple[LocatedLabel, ...]:
        """Every relation label of the file, in relations and in tests of `deprel`."""
        return (*self._labels_of_relations(), *self._labels_of_tests())

    def _labels_of_relations(self) -> Iterator[LocatedLabel]:
        for definition, clause in self.clauses:
            for _, link in walk.links(clause):
                relation = link.relation
                if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                    enhanced = isinstance(relation, nodes.Edge) and relation.enhanced
                    for name, label in walk.named_labels(relation.labels):
                        for located_text in located_texts((name,), definition):
                            yield LocatedLabel(located_text, label.exact, enhanced)

    def _labels_of_tests(self) -> Iterator[LocatedLabel]:
        for comparison in self.comparisons:
            if comparison.attribute.name == "deprel":
                for located_text in comparison.texts:
                    yield LocatedLabel(located_text, comparison.exact, enhanced=False)

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
            yield Assignment(target.attribute, located_texts(_present((value,)), rewrite))
        case nodes.Set(attribute=target):
            yield Assignment(target.attribute, ())
        case nodes.Insert(test=test) if test is not None:
            for simple_test in walk.simple_tests(test):
                assigned = located_texts(_present(walk.values(simple_test)), rewrite)
                yield Assignment(simple_test.attribute, assigned)


def _present(values: tuple[nodes.Atom, ...]) -> tuple[nodes.Atom, ...]:
    """Return the values other than the unquoted `_`, which removes the attribute."""
    return tuple(value for value in values if isinstance(value, nodes.Param) or value.quoted or value.text != "_")


def located_texts(atoms: Iterable[nodes.Atom], definition: Definition) -> tuple[LocatedText, ...]:
    """Return the texts of values, with those of a family's parameter, each at the span of its value."""
    return tuple(LocatedText(text, atom.span) for atom in atoms for text in texts(atom, definition))


def texts(atom: nodes.Atom, definition: Definition) -> tuple[str, ...]:
    """Return the text of a value; for a family's parameter, the texts of all its values."""
    if isinstance(atom, nodes.Value):
        return (atom.text,)
    family = walk.family_of(definition)
    return () if family is None else tuple(value.text for value in family.values)


_COLUMNS = {"form": "form", "lemma": "lemma", "phrase": "form"}


def words_by_column(context: LintContext) -> dict[str, frozenset[str]]:
    """Return the words of all tests by column of a store: `form`, `form_l`, `lemma` or `lemma_l`."""
    words_of_column: dict[str, frozenset[str]] = {}
    for _, column, words in words_by_comparison(context):
        words_of_column[column] = words_of_column.get(column, frozenset()) | set(words)
    return words_of_column


def words_by_comparison(context: LintContext) -> Iterator[tuple[Comparison, str, tuple[str, ...]]]:
    """Yield each comparison of a form, lemma or phrase, with its column and its words without spaces."""
    for comparison in context.comparisons:
        attribute = comparison.attribute
        if attribute.name not in _COLUMNS or attribute.key:
            continue
        words = tuple(dict.fromkeys(located.text for located in comparison.texts if " " not in located.text))
        if words:
            column = _COLUMNS[attribute.name]
            yield comparison, LOWERED[column] if attribute.lower else column, words
