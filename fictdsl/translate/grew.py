"""Translate a Grew request to a filter.

Source: the documentation of Grew requests, https://grew.fr/doc/request. Nodes of a request are different words, as
nodes of a filter are. In Grew, a label without a wildcard does not match its subtypes, unlike in a filter. A match that
satisfies a `without` block is left out, and every match satisfies an empty block. Items that cannot be expressed in a
filter become comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

from fictdsl.source import Source
from fictdsl.translate import grew_request as grew
from fictdsl.translate.grew_attributes import Lexicons, attribute_test, sentence_test, single_attribute
from fictdsl.translate.grew_labels import arrows, label_test, order_relations, ranges_of
from fictdsl.translate.grew_reader import read_request
from fictdsl.translate.grew_request import nodes_of
from fictdsl.translate.writer import Names, NoEquivalentError, Translation, comments, document, drop_bare_names, filled

_ATTRIBUTE_KEY = re.compile(r"(?P<node>[A-Za-z_][\w']*\$?)\.(?P<feature>[\w/]+)")
_CLUSTERING = re.compile(r"(?:clust\w*|key)\b\s*(?:by)?\s*:?\s*(?P<keys>.+)", re.IGNORECASE)
_ROOT_LABELS = (grew.Label(values=("root",)), grew.Label(parts=(grew.LabelPart("1=root", "1", "=", ("root",)),)))
_ALWAYS_TRUE = ("is_tree", "is_forest", "is_not_cyclic")


def translate_grew(source: Source, name: str) -> Translation:
    """Translate a request to a file with the filter `name`. Raises QueryError (FICT294) if it is not a request."""
    request = read_request(source)
    translator = _Translator(request)
    translation = translator.translation(name)
    if not translator.missing_nodes:
        return translation
    return _Translator(request, missing_nodes=translator.missing_nodes).translation(name)


@dataclass
class _Translator:
    """Translates one request. `untranslated` contains the items without an equivalent, each with the reason."""

    request: grew.Request
    names: Names = field(default_factory=Names)
    edges: dict[str, tuple[str, str]] = field(default_factory=dict)  # named edges: head and dependent
    missing_nodes: set[str] = field(default_factory=set)  # those that only an item without an equivalent has
    any_nodes: list[str] = field(default_factory=list)  # the filter's names for the `*` in scope
    untranslated: list[str] = field(default_factory=list)
    lexicons: Lexicons = field(init=False)

    def __post_init__(self) -> None:
        self.lexicons = Lexicons(self.request.lexicons)
        for block in self.request.blocks:
            for item in block.items:
                if isinstance(item, grew.Edge) and item.name:
                    self.edges[item.name] = (item.head, item.dependent)

    def translation(self, name: str) -> Translation:
        match_blocks = [block for block in self.request.blocks if block.kind in ("pattern", "global")]
        nested_blocks = [block for block in self.request.blocks if block not in match_blocks]
        # `global` blocks last, since their clauses name the nodes of the `pattern` blocks
        lines_by_block = {
            index: list(self._block(block))
            for index, block in sorted(enumerate(match_blocks), key=lambda entry: entry[1].kind == "global")
        }
        clauses = [line for index in range(len(match_blocks)) for line in lines_by_block[index]]
        clauses = drop_bare_names([*clauses, *self.lexicons.clauses()])
        clauses += [line for block in nested_blocks for line in self._block(block)]
        header = [line for comment in self.request.comments for line in self._comment(comment)]
        return Translation(document(header, name, self.lexicons.items(), clauses), tuple(self.untranslated))

    def _comment(self, text: str) -> Iterator[str]:
        yield from comments(text) if text else ()
        if clustering := _CLUSTERING.match(text):
            keys = [self._key(key.strip()) for key in clustering["keys"].split(";")]
            yield f"# the same keys: fictc show FILE --by '{','.join(keys)}'"

    def _key(self, key: str) -> str:
        edge, _, part = key.partition(".")
        if part == "label" and "*" not in self.edges.get(edge, "*"):
            return f"relation({self.names.of(self.edges[edge][0])},{self.names.of(self.edges[edge][1])})"
        if match := _ATTRIBUTE_KEY.fullmatch(key):
            return f"{match['feature']}({self.names.of(match['node'])})"
        return key

    # --- blocks -------------------------------------------------------------------------------------

    def _block(self, block: grew.Block) -> Iterator[str]:
        if block.kind in ("pattern", "global"):
            for item in block.items:
                yield from self._item(item, block)
            yield from self._coinciding(block) if block.kind == "pattern" else ()
            return
        enclosing_any_nodes = list(self.any_nodes)
        try:
            with self.lexicons.refusing(f"a lexicon in a `{block.kind}` block"):
                lines = [line for item in block.items for line in self._lines(item, block)]
        except NoEquivalentError as reason:
            items = "; ".join(item.text for item in block.items if not isinstance(item, grew.Comment))
            yield self._refuse(f"{block.kind} {{ {items} }}", reason)
            return
        finally:
            self.any_nodes = enclosing_any_nodes
        lines = drop_bare_names([*lines, *self._coinciding(block)])
        if block.kind == "without":
            yield from ("without {", *filled(lines), "}")
        elif any(not line.startswith("#") for line in lines):
            yield from ("without {", "without {", *lines, "}", "}")

    def _item(self, item: grew.Item, block: grew.Block) -> Iterator[str]:
        try:
            yield from self._lines(item, block)
        except NoEquivalentError as reason:
            yield self._refuse(item.text, reason)
            # keep the nodes of the item that other items use; `global` items have no nodes
            nodes = sorted(nodes_of(item)) if block.kind == "pattern" else []
            for node in nodes:
                if not self._is_in_other_item(node, item):
                    self.missing_nodes.add(node)
                elif not self._is_virtual_root(node):
                    yield self.names.of(node)

    def _refuse(self, text: str, reason: NoEquivalentError) -> str:
        self.untranslated.append(f"{text}: {reason}")
        return f"# no equivalent: {text} ({reason})"

    def _coinciding(self, block: grew.Block) -> Iterator[str]:
        """Yield `X may be Y` for each node `X$` and each other node in scope, one of each pair being the block's own.

        The nodes of a `with` or `without` block may also be each `*` of the `pattern` blocks.
        """
        own_nodes, nodes = block.nodes(), self._nodes_in_scope(block)
        if block.kind != "pattern":
            own_nodes -= self._nodes_in_scope(grew.Block("global", ()))
            for name in sorted(own_nodes & nodes):
                yield from (f"{self.names.of(name)} may be {any_node}" for any_node in self.any_nodes)
        for name in sorted(node for node in nodes if node.endswith("$")):
            other_names = nodes - {name} if name in own_nodes else own_nodes & nodes
            yield from (f"{self.names.of(name)} may be {self.names.of(other)}" for other in sorted(other_names))

    def _nodes_in_scope(self, block: grew.Block) -> set[str]:
        """Return the nodes of a block and of the `pattern` blocks, without missing nodes and the virtual root."""
        blocks = [other for other in self.request.blocks if other.kind == "pattern"]
        names = {name for other in (*blocks, block) for name in other.nodes()}
        return {name for name in names - self.missing_nodes if not self._is_virtual_root(name)}

    # --- items --------------------------------------------------------------------------------------

    def _lines(self, item: grew.Item, block: grew.Block) -> list[str]:
        match item:
            case grew.Comment():
                return list(comments(item.text))
            case grew.Unreadable():
                raise NoEquivalentError(item.reason)
            case grew.Property():
                return self._property(item.name, block)
            case grew.Metadata():
                return [f"sentence[{sentence_test(item.test)}]"]
            case grew.Node():
                return [self._node(item)]
            case grew.Edge():
                return self._edge(item, block)
            case grew.Distance():
                return [self._distance(item)]
            case grew.Order(by_id=True):
                return [f"{self.names.of(item.left)}.id {item.op} {self.names.of(item.right)}.id"]
            case grew.Order():
                return [self._order(item.left, item.op, item.right)]
            case grew.TwoAttributes():
                return self._two_attributes(item)
            case grew.Comparison():
                return [self._comparison(item)]
        assert_never(item)

    def _property(self, name: str, block: grew.Block) -> list[str]:
        match name:
            case "is_projective":
                return self._projective_clauses(block)
            case "is_not_projective":
                return ["\n".join(["without {", *self._projective_clauses(block), "}"])]
            case _ if name in _ALWAYS_TRUE:
                return [f"# {name}: true of every tree"]
            case "is_cyclic" | "is_not_tree" | "is_not_forest":
                raise NoEquivalentError("every sentence of a corpus is a tree")
        raise NoEquivalentError("this property is not known")

    def _projective_clauses(self, block: grew.Block) -> list[str]:
        """Return the clauses for a projective tree. Unlike `sentence[projective]`, Grew counts the edge to the root."""
        above, below, inside = (self.names.fresh(name) for name in ("above", "below", "inside"))
        named_nodes = (self.names.of(name) for name in sorted(self._nodes_in_scope(block)))
        other_names = [*named_nodes, *self.any_nodes]
        coinciding = "".join(f"; {node} may be {other}" for node in (above, below, inside) for other in other_names)
        no_path = f"without {{ {above} ->> {inside} }}"
        return [f"without {{ {above} -> {below}; {inside} between {above} and {below}; {no_path}{coinciding} }}"]

    def _node(self, node: grew.Node) -> str:
        if self._is_virtual_root(node.name):
            return f"# {node.name} is the root above the tree, which is not a word"
        name = self.names.of(node.name)
        refusal = "a lexicon in one of several alternatives" if len(node.alternatives) > 1 else None
        with self.lexicons.refusing(refusal):
            conjunctions = [
                [text for test in tests if (text := attribute_test(test, name, self.lexicons))]
                for tests in node.alternatives
            ]
        if not all(conjunctions):
            return name
        if len(conjunctions) == 1:
            return f"{name}[{', '.join(conjunctions[0])}]"
        alternatives = [f"({', '.join(tests)})" for tests in conjunctions]
        return f"{name}[{' or '.join(alternatives)}]"

    def _edge(self, edge: grew.Edge, block: grew.Block) -> list[str]:
        head, dependent = edge.head, edge.dependent
        if head == dependent != "*":
            raise NoEquivalentError("a word is not its own head")
        if edge.dominance:
            if "*" in (head, dependent):
                raise NoEquivalentError("dominance takes two named nodes")
            return [f"{self.names.of(head)} ->> {self.names.of(dependent)}"]
        dependent_name = self.names.of(dependent) if dependent != "*" else self.names.fresh("any")
        if head == "*" or self._is_virtual_root(head):
            clauses = [label_test(edge.label, dependent_name)]
        else:
            clauses = [f"{self.names.of(head)} {arrow} {dependent_name}" for arrow in arrows(edge.label)]
        if dependent != "*":
            return clauses
        other_nodes = [self.names.of(node) for node in sorted(self._nodes_in_scope(block) - {head})]
        coinciding = [f"{dependent_name} may be {other}" for other in (*other_nodes, *self.any_nodes)]
        self.any_nodes.append(dependent_name)
        return [*clauses, *coinciding]

    def _is_in_other_item(self, node: str, item: grew.Item) -> bool:
        items = [each for block in self.request.blocks for each in block.items]
        return any(_has_node(other, node) for other in items if other is not item)

    def _is_virtual_root(self, node: str) -> bool:
        """Return whether a node is the virtual root above the tree: it occurs only as the head of `root` edges."""
        mentions = [item for block in self.request.blocks for item in block.items if _has_node(item, node)]
        root_edges = [
            item
            for item in mentions
            if isinstance(item, grew.Edge) and item.head == node and item.label in _ROOT_LABELS
        ]
        return bool(root_edges) and all(item in root_edges or _is_bare_anchor(item) for item in mentions)

    def _order(self, left: str, op: str, right: str) -> str:
        if op in (">", ">>"):
            left, op, right = right, op.replace(">", "<"), left
        if left in self.edges or right in self.edges:
            return self._edge_order(left, op, right)
        if op in ("><", "<>"):
            raise NoEquivalentError("it relates named edges, and neither side is one")
        _check_distinct(left, right)
        return f"{self.names.of(left)} {op} {self.names.of(right)}"

    def _edge_order(self, left: str, op: str, right: str) -> str:
        self._check_ends(*self.edges.get(left, ()), *self.edges.get(right, ()))
        if left in self.edges and right in self.edges and op == "><":
            ends = [self.names.of(self.edges[edge][1]) for edge in (left, right)]
            return f"crossing {ends[0]}, {ends[1]}"
        if left not in self.edges and right in self.edges and op == "<<":
            _check_distinct(left, *self.edges[right])
            head, dependent = (self.names.of(end) for end in self.edges[right])
            return f"{self.names.of(left)} between {head} and {dependent}"
        raise NoEquivalentError("a filter has no relation for this order of edges")

    def _check_ends(self, *ends: str) -> None:
        if "*" in ends:
            raise NoEquivalentError("an end of the edge has no name")
        if any(self._is_virtual_root(end) for end in ends):
            raise NoEquivalentError("the root above the tree is not a word")

    def _distance(self, distance: grew.Distance) -> str:
        if len(distance.ends) == 1 and distance.ends[0] not in self.edges:
            raise NoEquivalentError(f"`{distance.ends[0]}` is not a named edge")
        first_end, second_end = self.edges[distance.ends[0]] if len(distance.ends) == 1 else distance.ends
        self._check_ends(first_end, second_end)
        _check_distinct(first_end, second_end)
        first, second = self.names.of(first_end), self.names.of(second_end)
        may_be_one_word = any(end.endswith("$") for end in (first_end, second_end))
        ranges = ranges_of(distance.op, distance.number)
        includes_zero = any(low <= 0 <= high for low, high in ranges)
        if distance.function == "length":
            ranges = [(max(low, 1), high) for low, high in ranges if high >= 1]
            ranges += [(-high, -low) for low, high in ranges]
        relations = [relation for low, high in ranges for relation in order_relations(first, second, low, high)]
        if may_be_one_word and includes_zero:
            relations.append(f"{first}.id = {second}.id")
        if not relations:
            raise NoEquivalentError("it is never true")
        return relations[0] if len(relations) == 1 else "either " + " or ".join(f"{{ {each} }}" for each in relations)

    def _comparison(self, comparison: grew.Comparison) -> str:
        if comparison.owner in self.edges:
            return self._edge_label(comparison)
        name = self.names.of(comparison.owner)
        test = attribute_test(comparison.test, name, self.lexicons)
        return f"{name}[{test}]" if test else name

    def _two_attributes(self, item: grew.TwoAttributes) -> list[str]:
        (owner, feature), (other_owner, other_feature) = item.left, item.right
        if owner in self.edges:
            return [self._two_labels(item)]
        if other_owner in self.edges:
            raise NoEquivalentError("a word's attribute is not compared with a label")
        attribute, other_attribute = single_attribute(feature), single_attribute(other_feature)
        name, other_name = self.names.of(owner), self.names.of(other_owner)
        if item.op != "<>":
            return [f"{name}.{attribute} {item.op} {other_name}.{other_attribute}"]
        return [
            f"{name}[has {attribute}]",
            f"{other_name}[has {other_attribute}]",
            f"{name}.{attribute} != {other_name}.{other_attribute}",
        ]

    def _two_labels(self, item: grew.TwoAttributes) -> str:
        (edge, feature), (other_edge, other_feature) = item.left, item.right
        _check_label(feature, item.op)
        if other_edge not in self.edges or other_feature != "label":
            raise NoEquivalentError("a label is compared with values or with another label")
        sign = "=" if item.op == "=" else "!="
        return f"{self._dependent(edge)}.deprel {sign} {self._dependent(other_edge)}.deprel"

    def _edge_label(self, comparison: grew.Comparison) -> str:
        test = comparison.test
        _check_label("/".join(test.names), test.op)
        if test.lexicon:
            raise NoEquivalentError("a label is not compared with a lexicon")
        return label_test(grew.Label(test.op == "<>", test.values), self._dependent(comparison.owner))

    def _dependent(self, edge: str) -> str:
        """Return the filter's name for the dependent of a named edge. Raises NoEquivalentError if it is `*`."""
        self._check_ends(self.edges[edge][1])
        return self.names.of(self.edges[edge][1])


def _check_distinct(*nodes: str) -> None:
    """Raise NoEquivalentError if two nodes are the same, since a filter orders only different nodes."""
    if len(set(nodes)) < len(nodes):
        raise NoEquivalentError("a word has no order relation to itself")


def _check_label(feature: str, op: str) -> None:
    if feature != "label":
        raise NoEquivalentError("a part of a label has no counterpart in a filter")
    if op not in ("=", "<>"):
        raise NoEquivalentError("labels have no order" if op not in ("!", "*") else "every edge has a label")


def _has_node(item: grew.Item, node: str) -> bool:
    if isinstance(item, grew.Comment):
        return False
    return re.search(rf"(?<![\w']){re.escape(node)}(?![\w'])", item.text) is not None


def _is_bare_anchor(item: grew.Item) -> bool:
    """Return whether an item is a node without a test, except that of the form of the root above the tree."""
    anchor = grew.AttributeTest(("form",), "=", ("__0__",))
    return isinstance(item, grew.Node) and item.alternatives in (((),), ((anchor,),))
