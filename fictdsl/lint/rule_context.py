"""What a lint rule is, and what it looks at: the parts of a file, its labels, and facts about a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from fictdsl.lint.facts import Fact, Group
from fictdsl.lint.file_parts import AttributeUse, Collection, FileParts, LocatedText, located_texts
from fictdsl.semantics import ud
from fictdsl.semantics.check_attributes import is_feature
from fictdsl.source import Span
from fictdsl.syntax import nodes, walk

if TYPE_CHECKING:
    from fictdsl.lint.fix import FixBuilder

T = TypeVar("T")
Findings: TypeAlias = Iterator[Diagnostic]
Check: TypeAlias = "Callable[[LintContext, T], Findings]"


@dataclass(slots=True)
class Rule:
    """A lint rule. Its module in `fictdsl.lint.rules` is named after it; the docstring of the module is its page."""

    code: str
    message: str  # a template for str.format
    explanation: str
    severity: Severity = Severity.WARNING
    needs_corpus: bool = False
    name: str = ""
    _checks: list[tuple[Collection[Any], Check[Any]]] = field(default_factory=list)

    def over(self, collection: Collection[T]) -> Callable[[Check[T]], Check[T]]:
        def add(check: Check[T]) -> Check[T]:
            self._checks.append((collection, check))
            return check

        return add

    def findings(self, context: LintContext) -> Findings:
        for collection, check in self._checks:
            for item in collection.__get__(context):
                yield from check(context, item)


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


@dataclass(frozen=True)
class LintContext(FileParts):
    """A file to lint. `corpus_facts` is None if no corpus is given; rules that need a corpus are then skipped."""

    corpus_facts: CorpusFacts | None = None

    @property
    def corpus(self) -> CorpusFacts:
        assert self.corpus_facts is not None
        return self.corpus_facts

    def report(
        self,
        rule: Rule,
        span: Span,
        *,
        labels: tuple[Label, ...] = (),
        hint: str | None = None,
        fix: Fix | None = None,
        **parameters: object,
    ) -> Diagnostic:
        return diagnostic(rule.code, self.module.source, span, labels=labels, hint=hint, fix=fix, **parameters)

    def report_text(self, rule: Rule, located: LocatedText, *, hint: str | None, **parameters: Any) -> Diagnostic:
        return self.report(rule, located.span, labels=located.labels, hint=hint, found=located.text, **parameters)

    def report_label(self, rule: Rule, located: LocatedText, *, hint: str | None) -> Diagnostic:
        """Build a diagnostic of a label that is not in UD, with severity HINT if the file declares another tag set."""
        problem = self.report_text(rule, located, hint=hint)
        return replace(problem, severity=Severity.HINT) if self._has_other_tagset else problem

    @cached_property
    def _has_other_tagset(self) -> bool:
        from fictdsl.lint.vocabulary import has_other_tagset

        return has_other_tagset(self.module)

    def report_unused(self, rule: Rule, item: nodes.ListDef | nodes.PatternDef) -> Diagnostic:
        """Build a diagnostic of a definition that this file does not use. Another file may use it."""
        fix = self.fix_builder.remove_item(item.span, safe=False)
        return self.report(rule, item.name.span, fix=fix, name=item.name.text)

    @cached_property
    def fix_builder(self) -> FixBuilder:
        from fictdsl.lint.fix import FixBuilder

        return FixBuilder(self.module.source.text)

    def remove_test(self, fact: Fact, group: Group) -> Fix | None:
        """Return a fix that removes one test of a node or of the sentence; None if it cannot be removed."""
        fix = self.fix_builder.remove_element(fact.span, (",", ":"))
        return self.fix_builder.remove_brackets(fact.span) if fix is None and group.level == "word" else fix

    @Collection
    def counted_filters(self) -> Iterable[tuple[CompiledFilter, int]]:
        counts = self.corpus.match_counts
        return ((compiled, counts[compiled.key]) for compiled in self.filters if compiled.key in counts)

    # --- labels that Universal Dependencies or the corpus may lack

    @Collection
    def features(self) -> Iterable[AttributeUse]:
        """The features that are tested, or compared with one of another word."""
        compared = (clause for _, clause in self.clauses if isinstance(clause, nodes.AttributeComparison))
        sides = (AttributeUse(side.attribute, side.span) for clause in compared for side in (clause.left, clause.right))
        return (use for use in (*self.comparisons, *sides) if is_feature(use.attribute.name))

    @Collection
    def unknown_features(self) -> Iterable[nodes.Attribute]:
        attributes = (use.attribute for use in (*self.features, *self.assignments))
        return (each for each in attributes if is_feature(each.name) and not ud.is_feature(each.name))

    @Collection
    def unknown_values(self) -> Iterable[tuple[nodes.Attribute, LocatedText]]:
        """The values of features of UD that UD does not define. `set` assigns two values with `Acc,Dat`."""
        tested = [(use.attribute, located) for use in self.comparisons for located in use.texts]
        assigned = [
            (use.attribute, replace(located, text=value))
            for use in self.assignments
            for located in use.texts
            for value in located.text.split(",")
        ]
        values = ((attribute, located) for attribute, located in (*tested, *assigned) if attribute.name in ud.FEATURES)
        return (pair for pair in values if pair[1].text not in ud.FEATURES[pair[0].name])

    @Collection
    def tags(self) -> Iterable[LocatedText]:
        of_terms = (
            tag
            for definition, clause in self.clauses
            for term in walk.terms(clause)
            for tag in located_texts(term.upos, definition, "upos")
        )
        return (*of_terms, *_texts_of(self.comparisons, "upos", "xpos"))

    @Collection
    def unknown_tags(self) -> Iterable[LocatedText]:
        """The UPOS tags that are tested or set and that neither UD nor the corpus has."""
        tags = (tag for tag in (*self.tags, *_texts_of(self.assignments, "upos")) if tag.column == "upos")
        return (tag for tag in tags if tag.text not in ud.UPOS and not self._in_corpus(tag, exact=True))

    @Collection
    def relation_labels(self) -> Iterable[LocatedText]:
        return (*self._labels_of_relations(), *_texts_of(self.comparisons, "deprel"))

    def _labels_of_relations(self) -> Iterator[LocatedText]:
        for definition, clause in self.clauses:
            for _, link in walk.links(clause):
                relation = link.relation
                if isinstance(relation, nodes.Edge | nodes.Path) and relation.labels is not None:
                    column = "enhanced" if isinstance(relation, nodes.Edge) and relation.enhanced else "deprel"
                    for name, label in walk.named_labels(relation.labels):
                        yield from located_texts((name,), definition, column, exact=label.exact)

    @Collection
    def _unknown_labels(self) -> Iterable[LocatedText]:
        inserted = (
            label
            for rewrite in self.rewrites
            for action in rewrite.actions
            if isinstance(action, nodes.Insert)
            for label in located_texts((action.label,), rewrite, "deprel")
        )
        labels = (*self.relation_labels, *inserted, *_texts_of(self.assignments, "deprel"))
        unknown = (label for label in labels if not ud.is_relation(label.text, enhanced=label.column == "enhanced"))
        return (label for label in unknown if not self._in_corpus(label, exact=False))

    @Collection
    def unknown_relations(self) -> Iterable[LocatedText]:
        """The labels whose part before the colon is unknown."""
        return (label for label in self._unknown_labels if not _has_base(label))

    @Collection
    def unknown_subtypes(self) -> Iterable[LocatedText]:
        """The labels of which only the part after the colon is unknown."""
        return (label for label in self._unknown_labels if _has_base(label))

    def _in_corpus(self, label: LocatedText, *, exact: bool) -> bool:
        facts = self.corpus_facts
        return facts is not None and facts.has_label(label.text, exact=exact, column=label.column)


def _has_base(label: LocatedText) -> bool:
    return ud.is_base_relation(label.text, enhanced=label.column == "enhanced")


def _texts_of(uses: Iterable[AttributeUse], *names: str) -> Iterator[LocatedText]:
    return (located for use in uses if use.attribute.name in names for located in use.texts)


def words_by_column(context: LintContext) -> dict[str, frozenset[str]]:
    """Return the words of all tests by column of a store: `form`, `form_l`, `lemma` or `lemma_l`."""
    words_of_column: dict[str, frozenset[str]] = {}
    for use in context.word_comparisons:
        if use.words:
            words_of_column[use.column] = words_of_column.get(use.column, frozenset()) | set(use.words)
    return words_of_column


def shown(texts: Sequence[str], limit: int, conjunction: str = "and") -> str:
    remainder = f" {conjunction} {len(texts) - limit} more" if len(texts) > limit else ""
    return ", ".join(f"`{text}`" for text in texts[:limit]) + remainder
