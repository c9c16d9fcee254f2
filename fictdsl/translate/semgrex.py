"""Translate Semgrex patterns to filters.

Source: the documentation of SemgrexPattern in Stanford CoreNLP. All relations of a chain are relations of its first
node, plain labels are exact, and two nodes of a pattern may be the same word, unless a relation excludes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations

from fictdsl.source import Source
from fictdsl.translate.semgrex_attributes import java_regex, node_tests
from fictdsl.translate.semgrex_pattern import All, Any, Negated, Node, Pattern, Relation, Relations, read_pattern
from fictdsl.translate.writer import Names, NoEquivalentError, Translation, comments, document, drop_bare_names, label

_LABELLED = (">", "<", ">++", "<++", ">--", "<--", "<>", ">>", "<<")  # relations that can have a label
_LINES = re.compile(r"[^\n]*(?:\n[ \t]+[^\n]*)*")


def translate_semgrex(source: Source, name: str) -> Translation:
    """Translate patterns, whose indented lines continue a pattern, to filters `name`, or `name-1`, `name-2` and so on.

    Raises QueryError (FICT294) if a line is not a pattern.
    """
    patterns: list[tuple[list[str], Pattern]] = []
    pending_comments: list[str] = []
    for match in _LINES.finditer(source.text):
        text = match[0].strip()
        if text.startswith(("#", "//")):
            pending_comments += comments(text.lstrip("#/"))
        elif text:
            patterns.append((pending_comments, read_pattern(source, match.start(), match[0])))
            pending_comments = []
    untranslated: list[str] = []
    texts = []
    for number, (header, pattern) in enumerate(patterns, 1):
        translator = _Translator()
        clauses = drop_bare_names(translator.pattern(pattern))
        untranslated += translator.untranslated
        filter_name = name if len(patterns) == 1 else f"{name}-{number}"
        texts.append(document(header, filter_name, (), clauses).removeprefix("fict 1\n"))
    return Translation("\n".join(["fict 1", *texts, *pending_comments, ""]), tuple(untranslated))


@dataclass
class _Scope:
    """The nodes of a block, the nodes of enclosing blocks, and the pairs of nodes that cannot be the same word."""

    own_nodes: list[str] = field(default_factory=list)
    enclosing: tuple[str, ...] = ()
    distinct: set[frozenset[str]] = field(default_factory=set)
    deferred: list[Callable[[], list[str]]] = field(default_factory=list)  # nested blocks, translated last
    restricting_blocks: int = 0  # number of nested blocks that are not optional
    groups: dict[str, list[str]] = field(default_factory=dict)  # variable → attributes of nodes
    enclosing_groups: dict[str, list[str]] = field(default_factory=dict)  # the same for the enclosing blocks
    labels: dict[tuple[str, str], str] = field(default_factory=dict)  # (head, dependent) → label

    def inner(self) -> _Scope:
        groups = {
            variable: [*self.enclosing_groups.get(variable, ()), *self.groups.get(variable, ())]
            for variable in self.enclosing_groups | self.groups
        }
        enclosing = (*self.enclosing, *self.own_nodes)
        return _Scope([], enclosing, set(self.distinct), enclosing_groups=groups, labels=dict(self.labels))

    def add_node(self, name: str) -> None:
        if name not in (*self.own_nodes, *self.enclosing):
            self.own_nodes.append(name)

    def deferred_clauses(self) -> list[str]:
        return [line for block in self.deferred for line in block()]

    def equal_groups(self) -> Iterator[str]:
        for variable, attributes in self.groups.items():
            first_attribute, *other_attributes = dict.fromkeys([*self.enclosing_groups.get(variable, ()), *attributes])
            yield from (
                f"{first_attribute} = {other_attribute}"
                for other_attribute in other_attributes
                if other_attribute in attributes
            )

    def coinciding(self) -> Iterator[str]:
        pairs = [
            *combinations(self.own_nodes, 2),
            *((name, other) for name in self.own_nodes for other in self.enclosing),
        ]
        for name, other in pairs:
            if frozenset((name, other)) not in self.distinct:
                yield f"{name} may be {other}"


@dataclass
class _Translator:
    """Translates one pattern. `untranslated` contains the parts without an equivalent, each with the reason."""

    names: Names = field(default_factory=Names)
    untranslated: list[str] = field(default_factory=list)
    nesting: int = 0  # number of enclosing relations that can only be translated as a whole
    name_counts: Counter[str] = field(default_factory=Counter)  # of the names of nodes in the pattern

    def pattern(self, pattern: Pattern) -> Iterator[str]:
        self.name_counts = Counter(name for node in pattern.nodes for name in _node_names(node))
        scope = _Scope()
        for node in pattern.nodes:
            _, lines = self.node(node, scope)
            yield from lines
        yield from scope.deferred_clauses()
        yield from scope.equal_groups()
        yield from scope.coinciding()
        if pattern.after:
            yield self.refuse(f":: {pattern.after}", NoEquivalentError("matches are always distinct, in corpus order"))

    def refuse(self, text: str, reason: NoEquivalentError) -> str:
        """Record an untranslated part, and return it as a comment. Raises `reason` if `nesting` is not 0."""
        if self.nesting:
            raise reason
        text = " ".join(text.split())  # the text of a comment is one line
        self.untranslated.append(f"{text}: {reason}")
        return f"# no equivalent: {text} ({reason})"

    def node(self, node: Node, scope: _Scope) -> tuple[str, list[str]]:
        name = self.names.of(node.name) if node.name else self.names.fresh("N")
        scope.add_node(name)
        lines = [self.node_clause(node, name, scope)]
        if node.relations is not None:
            lines += self.relations(node.relations, name, scope)
        return name, lines

    def node_clause(self, node: Node, name: str, scope: _Scope) -> str:
        try:
            tests = self._tests(node, name, scope)
        except NoEquivalentError as reason:
            return f"{self.refuse(_node_text(node), reason)}\n{name}"
        return f"{name}[{', '.join(tests)}]" if tests else name

    def _tests(self, node: Node, name: str, scope: _Scope) -> list[str]:
        if node.alternatives:
            if any(alternative.name or alternative.relations for alternative in node.alternatives):
                raise NoEquivalentError("alternatives of nodes with names")
            # `id >= 1` is true of every word
            tests_by_node = [self._tests(alternative, name, scope) or ["id >= 1"] for alternative in node.alternatives]
            conjunctions = [f"({', '.join(each)})" for each in tests_by_node]
            tests = [f"({' or '.join(conjunctions)})"]
        else:
            tests, groups = node_tests(node.tests, ignore_case=node.ignore_case)
            for variable, attribute in groups:
                scope.groups.setdefault(variable, []).append(f"{name}.{attribute}")
        if node.negated and not tests:
            raise NoEquivalentError("it is never true")
        return [f"not ({', '.join(tests)})"] if node.negated else tests

    # --- relations ----------------------------------------------------------------------------------

    def relations(self, relations: Relations, name: str, scope: _Scope) -> list[str]:
        """Return the clauses of the relations of a node. Alternatives and negations are deferred."""
        match relations:
            case All(parts=parts):
                return [line for part in parts for line in self.relations(part, name, scope)]
            case Any():
                shared_names = [self.names.of(shared_name) for shared_name in sorted(_names_in_all(relations))]
                for shared_name in shared_names:
                    scope.add_node(shared_name)
                scope.restricting_blocks += 1
                scope.deferred.append(
                    lambda: [
                        *shared_names,
                        *self._translate_whole(relations, lambda: self._either(relations, name, scope)),
                    ]
                )
                return []
            case Negated(sign=sign):
                scope.restricting_blocks += sign == "!"
                scope.deferred.append(
                    lambda: self._translate_whole(relations, lambda: self._negated(relations, name, scope))
                )
                return []
            case Relation():
                return self._translate_whole(relations, lambda: self._relation(relations, name, scope), is_block=False)

    def _translate_whole(
        self, relations: Relations, translate: Callable[[], list[str]], *, is_block: bool = True
    ) -> list[str]:
        """Return clauses, or a comment if the relations cannot be translated as a whole."""
        count = len(self.untranslated)
        self.nesting += is_block
        try:
            lines = translate()
        except NoEquivalentError as reason:
            self.nesting -= is_block
            del self.untranslated[count:]
            return [self.refuse(pattern_text(relations), reason)]
        self.nesting -= is_block
        return lines

    def _either(self, alternatives: Any, name: str, scope: _Scope) -> list[str]:
        """Return an `either`, in a block of its own if its nodes would otherwise differ from those of other blocks."""
        branch_scopes = [scope.inner() for _ in alternatives.parts]
        branches = [
            [*self.relations(part, name, branch_scope), *branch_scope.deferred_clauses()]
            for part, branch_scope in zip(alternatives.parts, branch_scopes, strict=True)
        ]
        scope.distinct |= set.intersection(*(branch_scope.distinct for branch_scope in branch_scopes))
        blocks = [
            "\n".join(["{", *lines, *branch_scope.equal_groups(), *branch_scope.coinciding(), "}"])
            for lines, branch_scope in zip(branches, branch_scopes, strict=True)
        ]
        either = f"either {' or '.join(blocks)}"
        branch_nodes = {node for branch_scope in branch_scopes for node in branch_scope.own_nodes}
        if scope.restricting_blocks == 1 or not branch_nodes:
            return [either]
        if self._occur_outside(alternatives, branch_nodes):
            raise NoEquivalentError("a name that only some of the alternatives have occurs outside of them")
        return ["\n".join(["without {", "without {", either, "}", "}"])]

    def _occur_outside(self, relations: Relations, nodes: Collection[str]) -> bool:
        inside = Counter(_names(relations))
        return any(
            count > inside[query_name]
            for query_name, count in self.name_counts.items()
            if self.names.of(query_name) in nodes
        )

    def _negated(self, negated: Negated, name: str, scope: _Scope) -> list[str]:
        """Return a `without` or, for optional relations, a `maybe`.

        The nodes of a `maybe` would differ from the nodes of other blocks, which restrict the match.
        """
        if negated.sign == "?" and scope.restricting_blocks:
            raise NoEquivalentError("optional relations beside alternatives or negated relations")
        opening = "without {" if negated.sign == "!" else "maybe {"
        inner_scope = scope.inner()
        lines = [*self.relations(negated.inner, name, inner_scope), *inner_scope.deferred_clauses()]
        if negated.sign == "?" and self._occur_outside(negated.inner, inner_scope.own_nodes):
            raise NoEquivalentError("a name of optional relations occurs outside of them")
        return ["\n".join([opening, *lines, *inner_scope.equal_groups(), *inner_scope.coinciding(), "}"])]

    def _relation(self, relation: Relation, name: str, scope: _Scope) -> list[str]:
        earlier_scope = deepcopy(scope)
        target, lines = self.node(relation.target, scope)
        try:
            links = list(self._links(relation, name, target, scope))
        except NoEquivalentError:
            vars(scope).update(vars(earlier_scope))
            raise
        if relation.names:
            lines.append(f"# the relation is called {', '.join(relation.names)}: --by 'relation({name},{target})'")
        return [*links, *(line for line in lines if line != target)]

    def _links(self, relation: Relation, first: str, second: str, scope: _Scope) -> Iterator[str]:
        sign, arrow_label = relation.sign, _label(relation.label)
        arrow = f"-[{arrow_label}]->" if arrow_label else "->"
        if relation.low is not None and sign not in (">>", "<<"):
            raise NoEquivalentError("only `>>` and `<<` have a distance")
        if arrow_label and sign not in (*_LABELLED, "@"):
            raise NoEquivalentError("this relation has no label")
        if first == second:
            raise NoEquivalentError("both sides of the relation are the same word")
        if sign != "==":
            scope.distinct.add(frozenset((first, second)))
        match sign:
            case ">" | ">++" | ">--":
                self._disjoint(first, second, arrow_label, scope)
                yield f"{first} {arrow} {second}"
            case "<" | "<++" | "<--":
                yield f"{second} {arrow} {first}"
            case "<>":
                yield f"either {{ {first} {arrow} {second} }} or {{ {second} {arrow} {first} }}"
            case ">>" | "<<":
                above, below = (first, second) if sign == ">>" else (second, first)
                yield f"{above} ->>{_bounds(relation)} {below}"
                if arrow_label:
                    dependent = second if sign == ">>" else first
                    is_regex = arrow_label.startswith("/")
                    yield f"{dependent}[deprel {'=' if is_regex else '=='} {arrow_label.removeprefix('=')}]"
            case "==":
                yield f"{first}.id = {second}.id"
            case "." | ".." | "-" | "--":
                left, right = (first, second) if sign[0] == "." else (second, first)
                yield f"{left} {'<' if len(sign) == 1 else '<<'} {right}"
            case "$+" | "$-" | "$++" | "$--":
                left, right = (first, second) if sign[1] == "+" else (second, first)
                yield f"{left} ~ {right}"
                yield f"{left} {'<' if len(sign) == 2 else '<<'} {right}"
            case _:
                raise NoEquivalentError("a corpus has one graph for a sentence")
        if sign in (">++", "<++"):
            yield f"{first} << {second}"
        elif sign in (">--", "<--"):
            yield f"{second} << {first}"

    def _disjoint(self, head: str, dependent: str, arrow_label: str, scope: _Scope) -> None:
        """Record that two dependents of a head with different exact labels are different words."""
        for (other_head, other), other_label in scope.labels.items():
            are_exact = arrow_label.startswith("=") and other_label.startswith("=")
            if other_head == head and are_exact and arrow_label != other_label:
                scope.distinct.add(frozenset((dependent, other)))
        scope.labels[head, dependent] = arrow_label


def _node_names(node: Node) -> Iterator[str]:
    if node.name:
        yield node.name
    if node.relations is not None:
        yield from _names(node.relations)


def _names(relations: Relations) -> Iterator[str]:
    match relations:
        case All(parts=parts) | Any(parts=parts):
            for part in parts:
                yield from _names(part)
        case Negated(inner=negated_relations):
            yield from _names(negated_relations)
        case Relation(target=target):
            yield from _node_names(target)


def _names_in_all(relations: Relations) -> set[str]:
    """Return the names of the nodes that relations bind whichever of their alternatives holds."""
    match relations:
        case All(parts=parts):
            return {name for part in parts for name in _names_in_all(part)}
        case Any(parts=parts):
            return set.intersection(*map(_names_in_all, parts))
        case Negated():
            return set()
        case Relation(target=target):
            further_names = _names_in_all(target.relations) if target.relations is not None else set()
            return further_names | ({target.name} if target.name else set())


def _label(text: str | None) -> str:
    if text is None or text == "%":
        return ""
    return java_regex(text[1:-1]) if text.startswith("/") else f"={label(text)}"


def _bounds(relation: Relation) -> str:
    if relation.low is None:
        return ""
    return f"{{{relation.low}..{relation.high}}}" if relation.low != relation.high else f"{{{relation.low}}}"


def pattern_text(relations: Relations) -> str:
    """Return relations in the syntax of a pattern, abridged for a comment."""
    match relations:
        case All(parts=parts):
            return " ".join(map(pattern_text, parts))
        case Any(parts=parts):
            return f"[{' | '.join(map(pattern_text, parts))}]"
        case Negated(sign=sign, inner=negated_relations):
            return f"{sign}{pattern_text(negated_relations)}"
        case Relation(sign=sign, label=text, target=target):
            further_relations = f" {pattern_text(target.relations)}" if target.relations else ""
            name = f"={target.name}" if target.name else ""
            return f"{sign}{text or ''} {_node_text(target)}{name}{further_relations}"


def _node_text(node: Node) -> str:
    tests = f"[{' | '.join(map(_node_text, node.alternatives))}]" if node.alternatives else f"{{{node.tests}}}"
    return f"{'!' * node.negated}{tests}"
