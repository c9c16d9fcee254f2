"""The parts of a file that lint rules look at: items, blocks, clauses, tests, listed values and assignments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Label
from fictdsl.lint.facts import Group, groups, is_bare, negative_tests
from fictdsl.schema import LOWERED
from fictdsl.semantics.scopes import Resolution
from fictdsl.source import Span
from fictdsl.syntax import nodes, walk
from fictdsl.syntax.files import TAB
from fictdsl.syntax.load import Module
from fictdsl.syntax.walk import Definition

T = TypeVar("T")


class Collection(cached_property[tuple[T, ...]]):
    """A property with items that lint rules look at, which are collected once."""

    def __init__(self, items: Callable[[Any], Iterable[T]]) -> None:
        super().__init__(lambda parts: tuple(items(parts)))


@dataclass(frozen=True, slots=True)
class LocatedBlock:
    """A block of a definition, and the blocks around it, outermost first, each with the clause that leads inwards."""

    definition: Definition
    block: nodes.Block
    around: tuple[tuple[nodes.Block, nodes.Clause], ...] = ()

    @property
    def path(self) -> tuple[nodes.Block, ...]:
        return (*(block for block, _ in self.around), self.block)


@dataclass(frozen=True, slots=True)
class LocatedTest:
    definition: Definition
    test: walk.SimpleTest
    level: walk.Level


@dataclass(frozen=True, slots=True)
class LocatedText:
    """A text, and the span of the value or of the list reference that it comes from.

    `labels` has a diagnostic label at the definition of a named list. `column` is the attribute that has the text as
    value, or `enhanced` for a label of the enhanced graph. A relation that is not `exact` includes its subtypes.
    """

    text: str
    span: Span
    labels: tuple[Label, ...] = ()
    column: str = ""
    exact: bool = True


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """An attribute of a word that is tested or set, and the texts that it is compared with for equality or set to.

    `texts` is empty for other tests, such as `has Number` and `form.length > 3`. `span` is that of the list of values,
    the whole test if it has no list, or the attribute outside of tests. `list_name` is the name of the list, if any.
    """

    attribute: nodes.Attribute
    span: Span
    texts: tuple[LocatedText, ...] = ()
    list_name: str | None = None
    in_tuple: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct texts without spaces."""
        return tuple(dict.fromkeys(located.text for located in self.texts if " " not in located.text))

    @property
    def column(self) -> str:
        """The column of a store that has the words of a form, lemma or phrase."""
        column = _WORD_COLUMNS[self.attribute.name]
        return LOWERED[column] if self.attribute.lower else column


@dataclass(frozen=True, slots=True)
class ListedValues:
    """Values in braces, after one colon or in one comparison, each with its span including a `=` before it.

    The `plain` values are relations that include their subtypes.
    """

    plain: tuple[tuple[nodes.Atom, Span], ...]
    exact: tuple[tuple[nodes.Atom, Span], ...]


_WORD_COLUMNS = {"form": "form", "lemma": "lemma", "phrase": "form"}


def _blocks_with(matches: Callable[[nodes.Clause], bool]) -> Collection[LocatedBlock]:
    return Collection(lambda parts: (each for each in parts.blocks if any(map(matches, each.block.clauses))))


def _items_of(kind: type[T]) -> Collection[T]:
    return Collection(lambda parts: (item for item in parts.module.file.items if isinstance(item, kind)))


@dataclass(frozen=True)
class FileParts:
    """The parts of a file by what lint rules look at. `filters` has a filter for each value of a family."""

    module: Module
    resolution: Resolution
    filters: tuple[CompiledFilter, ...]

    # --- the file, its items and blocks

    uses = _items_of(nodes.Use)
    lists = _items_of(nodes.ListDef)
    patterns = _items_of(nodes.PatternDef)
    rewrites = _items_of(nodes.RewriteDef)

    @Collection
    def definitions(self) -> Iterable[Definition]:
        return walk.definitions(self.module.file)

    @Collection
    def queries(self) -> Iterable[nodes.Query]:
        return (item for item in self.definitions if not isinstance(item, nodes.PatternDef))

    @Collection
    def families(self) -> Iterable[tuple[nodes.Query, nodes.Family]]:
        return ((query, query.family) for query in self.queries if query.family is not None)

    @Collection
    def targets(self) -> Iterable[nodes.Name]:
        entries = (entry for query in self.queries for entry in query.metadata)
        return (name for entry in entries if isinstance(entry, nodes.TargetBenchmarks) for name in entry.names)

    @Collection
    def bad_directives(self) -> Iterable[tuple[Span, tuple[str, str]]]:
        """The malformed comments that begin with `# fict:`, each with the problem and a hint."""
        if "fict:" not in self.module.source.text:
            return ()
        from fictdsl.lint.suppress import directive_problem, directives

        problems = ((span, directive_problem(directive)) for span, directive in directives(self.module))
        return ((span, problem) for span, problem in problems if problem is not None)

    @Collection
    def several_filters(self) -> Iterable[tuple[CompiledFilter, ...]]:
        """The filters together, if the file has several queries."""
        return (self.filters,) if len(self.queries) > 1 else ()

    @Collection
    def blocks(self) -> Iterable[LocatedBlock]:
        for definition in self.definitions:
            yield from _located_blocks(LocatedBlock(definition, walk.block_of(definition)))

    blocks_with_either = _blocks_with(lambda clause: isinstance(clause, nodes.Either))
    blocks_with_sums = _blocks_with(lambda clause: isinstance(clause, nodes.SumComparison))
    blocks_with_bare_nodes = _blocks_with(is_bare)
    blocks_with_other_words = _blocks_with(lambda clause: isinstance(clause, nodes.Without | nodes.Count))
    blocks_with_differences = _blocks_with(
        lambda clause: (
            (isinstance(clause, nodes.AttributeComparison) and clause.op == "!=")
            or (isinstance(clause, nodes.TupleMember) and clause.negated)
        )
    )

    def enclosing_names(self, located: LocatedBlock) -> Mapping[str, nodes.Name]:
        return self.resolution.scopes(located.definition).of(located.block).enclosing

    @Collection
    def clauses(self) -> Iterable[tuple[Definition, nodes.Clause]]:
        for definition in self.definitions:
            yield from ((definition, clause) for clause in walk.clauses(walk.block_of(definition)))

    @Collection
    def list_references(self) -> Iterable[nodes.ListRef]:
        return (reference for _, clause in self.clauses for reference in walk.list_references(clause))

    @Collection
    def calls(self) -> Iterable[nodes.Call]:
        return (clause for _, clause in self.clauses if isinstance(clause, nodes.Call))

    @Collection
    def unused_lists(self) -> Iterable[nodes.ListDef]:
        used = {reference.name for reference in self.list_references}
        return (item for item in self.lists if self.queries and item.name.text not in used)

    @Collection
    def unused_patterns(self) -> Iterable[nodes.PatternDef]:
        called = {call.pattern.text for call in self.calls}
        return (item for item in self.patterns if self.queries and item.name.text not in called)

    @Collection
    def unneeded_uses(self) -> Iterable[nodes.Use]:
        """Each `use` of a file whose lists and patterns are not used here, and each repeated `use`."""
        used = (*map(self.resolution.list_of, self.list_references), *map(self.resolution.pattern_of, self.calls))
        needed = {id(definition.module) for definition in used if definition is not None}
        for use in self.uses:
            module_id = id(self.module.uses[use.path.text])
            if module_id not in needed:
                yield use
            needed.discard(module_id)

    # --- tests and actions

    @Collection
    def tests(self) -> Iterable[LocatedTest]:
        for definition, clause in self.clauses:
            for test, level in walk.tests(clause):
                yield from (LocatedTest(definition, simple_test, level) for simple_test in walk.simple_tests(test))

    @Collection
    def groups(self) -> Iterable[Group]:
        return (group for definition in self.definitions for group in groups(definition, self.resolution))

    @Collection
    def negative_tests(self) -> Iterable[tuple[walk.SimpleTest, Group]]:
        return ((test, group) for group in self.groups for fact in group.local for test in negative_tests(fact.test))

    @Collection
    def regexes(self) -> Iterable[tuple[nodes.Compare, nodes.RegexValue]]:
        compares = (located.test for located in self.tests if isinstance(located.test, nodes.Compare))
        return ((test, value) for test in compares for value in test.values if isinstance(value, nodes.RegexValue))

    @Collection
    def label_regexes(self) -> Iterable[nodes.RegexValue]:
        labels = (labels for _, clause in self.clauses for labels in walk.labels(clause))
        return (value for each in labels for value in walk.find(each, nodes.RegexValue))

    @Collection
    def listed_values(self) -> Iterable[ListedValues]:
        return (listed for listed in self._listed_values() if len(listed.plain) + len(listed.exact) > 1)

    def _listed_values(self) -> Iterator[ListedValues]:
        for _, clause in self.clauses:
            for term in walk.terms(clause):
                yield ListedValues((), _with_spans(term.upos))
            for labels in walk.labels(clause):
                named = [(label.exact, (name, label.span)) for name, label in walk.named_labels(labels)]
                plain, exact = (tuple(value for is_exact, value in named if is_exact is kind) for kind in (False, True))
                yield ListedValues(plain, exact)
        for located in self.tests:
            values = _with_spans(walk.values(located.test))
            includes_subtypes = located.test.attribute.name == "deprel" and not _is_exact(located.test)
            yield ListedValues(values, ()) if includes_subtypes else ListedValues((), values)
        for item in self.lists:
            if isinstance(item.body, nodes.ListLiteral):
                yield ListedValues((), _with_spans(item.body.values))

    @Collection
    def comparisons(self) -> Iterable[AttributeUse]:
        """Every simple test of a word, and every attribute in a tuple, with the entries of named lists."""
        in_tests = [self._comparison(located) for located in self.tests if located.level == "word"]
        in_tuples = [
            AttributeUse(side.attribute, side.span, self._column(clause, index), clause.values.name, in_tuple=True)
            for _, clause in self.clauses
            if isinstance(clause, nodes.TupleMember)
            for index, side in enumerate(clause.attributes)
        ]
        return (*in_tests, *in_tuples)

    def _comparison(self, located: LocatedTest) -> AttributeUse:
        test, attribute = located.test, located.test.attribute
        span = test.values.span if isinstance(test, nodes.Member) else test.span
        if isinstance(test, nodes.Member) and isinstance(test.values, nodes.ListRef):
            entries = self.resolution.entries(test.values) or ()
            texts = self._entries(test.values, span, entries, attribute.name, exact=False)
            return AttributeUse(attribute, span, texts, test.values.name)
        values, exact = walk.equal_values(test), _is_exact(test)
        return AttributeUse(attribute, span, located_texts(values, located.definition, attribute.name, exact=exact))

    def _column(self, clause: nodes.TupleMember, index: int) -> tuple[LocatedText, ...]:
        side = clause.attributes[index]
        entries = [entry.split(TAB)[index] for entry in self.resolution.entries(clause.values) or ()]
        return self._entries(clause.values, side.span, entries, side.attribute.name, exact=True)

    def _entries(
        self, reference: nodes.ListRef, span: Span, entries: Sequence[str], column: str, *, exact: bool
    ) -> tuple[LocatedText, ...]:
        definition = self.resolution.list_of(reference)
        labels = () if definition is None else (Label(definition.item.name.span, "the list", definition.module.source),)
        return tuple(LocatedText(entry, span, labels, column, exact) for entry in dict.fromkeys(entries))

    @Collection
    def word_comparisons(self) -> Iterable[AttributeUse]:
        uses = (use for use in self.comparisons if use.attribute.name in _WORD_COLUMNS)
        return (use for use in uses if not use.attribute.key)

    @Collection
    def cased_comparisons(self) -> Iterable[AttributeUse]:
        """The comparisons of a form, lemma or phrase in its own letter case."""
        return (use for use in self.word_comparisons if not use.attribute.lower)

    @Collection
    def spaced_comparisons(self) -> Iterable[AttributeUse]:
        """The comparisons of a form or lemma with a text that has a space or a tab."""
        uses = (use for use in self.word_comparisons if use.attribute.name != "phrase")
        return (use for use in uses if any(" " in located.text or TAB in located.text for located in use.texts))

    @Collection
    def lowered_lists(self) -> Iterable[AttributeUse]:
        return (use for use in self.word_comparisons if use.attribute.lower and use.list_name is not None)

    @Collection
    def assignments(self) -> Iterable[AttributeUse]:
        """The attributes that `set` and `insert` assign. `texts` lacks an unquoted `_` and computed values."""
        return (use for rewrite in self.rewrites for action in rewrite.actions for use in _assigned(rewrite, action))


def _located_blocks(located: LocatedBlock) -> Iterator[LocatedBlock]:
    yield located
    for clause in located.block.clauses:
        for inner_block in walk.blocks_of(clause):
            around = (*located.around, (located.block, clause))
            yield from _located_blocks(LocatedBlock(located.definition, inner_block, around))


def _assigned(rewrite: nodes.RewriteDef, action: nodes.Rewriting) -> Iterator[AttributeUse]:
    match action:
        case nodes.Set(attribute=target, value=value):
            values = (value,) if isinstance(value, nodes.Value | nodes.Param) else ()
            yield _assignment(target.attribute, values, rewrite)
        case nodes.Insert(test=test) if test is not None:
            for simple_test in walk.simple_tests(test):
                yield _assignment(simple_test.attribute, walk.values(simple_test), rewrite)


def _assignment(attribute: nodes.Attribute, values: Iterable[nodes.Atom], rewrite: nodes.RewriteDef) -> AttributeUse:
    present = [value for value in values if isinstance(value, nodes.Param) or value.quoted or value.text != "_"]
    return AttributeUse(attribute, attribute.span, located_texts(present, rewrite, attribute.name))


def _is_exact(test: walk.SimpleTest) -> bool:
    return isinstance(test, nodes.Compare) and test.op == "=="


def _with_spans(atoms: Iterable[nodes.Atom]) -> tuple[tuple[nodes.Atom, Span], ...]:
    return tuple((atom, atom.span) for atom in atoms)


def located_texts(
    atoms: Iterable[nodes.Atom], definition: Definition, column: str, *, exact: bool = True
) -> tuple[LocatedText, ...]:
    """Return the texts of values, with those of a family's parameter, each at the span of its value."""
    return tuple(LocatedText(text, atom.span, (), column, exact) for atom in atoms for text in _texts(atom, definition))


def _texts(atom: nodes.Atom, definition: Definition) -> tuple[str, ...]:
    if isinstance(atom, nodes.Value):
        return (atom.text,)
    family = walk.family_of(definition)
    return () if family is None else tuple(value.text for value in family.values)
