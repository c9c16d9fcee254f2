"""Translate a Grew request to a filter.

Source: the documentation of Grew requests, https://grew.fr/doc/request. Nodes of a request are different words, as
nodes of a filter are. In Grew, a label without a wildcard does not match its
subtypes, unlike in a filter. Items that cannot be expressed in a filter become comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from fictdsl.semantics.check.check_tests import is_number
from fictdsl.source import Source
from fictdsl.translate.grew_labels import arrows, label_test
from fictdsl.translate.grew_order import order_relations, ranges_of
from fictdsl.translate.grew_request import Block, Item, Request, read_request
from fictdsl.translate.grew_tests import Lexicons, node_tests, sentence_test, single_attribute
from fictdsl.translate.grew_values import split, values_of
from fictdsl.translate.writer import Names, NoEquivalentError, Translation, comments, document, drop_bare_names, value

_ID = r"[A-Za-z_][\w']*\$?"
_NODE = re.compile(rf"(?P<node>{_ID})\s*(?P<tests>\[.*\])")
_EDGE = re.compile(
    rf"(?:(?P<edge>{_ID})\s*:\s*)?(?P<left>{_ID}|\*)\s*"
    rf"(?:-\[(?P<labels>.*)\]->|<-\[(?P<reverse>.*)\]-|(?P<arrow>->>|->|<-))\s*(?P<right>{_ID}|\*)"
)
_ORDER = re.compile(rf"(?P<left>{_ID})\s*(?P<op><<|>>|><|<>|<|>)\s*(?P<right>{_ID})")
_COMPARE = re.compile(rf"(?P<node>{_ID})\.(?P<feature>[\w/]+)\s*(?P<op><=|>=|<>|=|<|>)\s*(?P<right>.+)")
_DISTANCE = re.compile(
    rf"(?P<function>length|delta)\s*\(\s*(?P<first>{_ID})\s*(?:,\s*(?P<second>{_ID})\s*)?\)"
    r"\s*(?P<op><=|>=|<>|=|<|>)\s*(?P<number>-?\d{1,9})"
)
_ID_ORDER = re.compile(rf"id\s*\(\s*(?P<left>{_ID})\s*\)\s*(?P<op><|>)\s*id\s*\(\s*(?P<right>{_ID})\s*\)")
_ATTRIBUTE = re.compile(rf"(?P<node>{_ID})\.(?P<feature>[\w/]+)")
_CLUSTERING = re.compile(r"(?:clust\w*|key)\b\s*(?:by)?\s*:?\s*(?P<keys>.+)", re.IGNORECASE)
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

    request: Request
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
                if not item.comment and (edge := _EDGE.fullmatch(item.text)) and edge["edge"]:
                    self.edges[edge["edge"]] = _ends(edge)

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
        if all(line.startswith("#") for line in clauses):
            clauses.append("sentence[length > 0]")
        header = [line for comment in self.request.comments for line in self._comment(comment)]
        return Translation(document(header, name, self.lexicons.items(), clauses), tuple(self.untranslated))

    def _comment(self, text: str) -> Iterator[str]:
        yield from comments(text) if text else ()
        if clustering := _CLUSTERING.match(text):
            keys = [self._key(key.strip()) for key in split(clustering["keys"], ";")]
            yield f"# the same keys: fictc show FILE --by '{','.join(keys)}'"

    def _key(self, key: str) -> str:
        """Translate a clustering key. Return it unchanged if it has no equivalent."""
        edge, _, part = key.partition(".")
        if part == "label" and "*" not in self.edges.get(edge, "*"):
            return f"relation({self.names.of(self.edges[edge][0])},{self.names.of(self.edges[edge][1])})"
        if match := _ATTRIBUTE.fullmatch(key):
            return f"{match['feature']}({self.names.of(match['node'])})"
        return key

    # --- blocks -------------------------------------------------------------------------------------

    def _block(self, block: Block) -> Iterator[str]:
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
            block_text = f"{block.kind} {{ {'; '.join(item.text for item in block.items if not item.comment)} }}"
            yield self._refuse(block_text, reason)
            return
        finally:
            self.any_nodes = enclosing_any_nodes
        lines = drop_bare_names([*lines, *self._coinciding(block)])
        if any(not line.startswith("#") for line in lines):
            yield from ("without {", *lines, "}") if block.kind == "without" else (
                "without {", "without {", *lines, "}", "}",
            )  # fmt: skip

    def _item(self, item: Item, block: Block) -> Iterator[str]:
        try:
            yield from self._lines(item, block)
        except NoEquivalentError as reason:
            yield self._refuse(item.text, reason)
            # keep the nodes of the item that other items use; `global` items have no nodes
            nodes = sorted(_nodes_of_item(item)) if block.kind == "pattern" else []
            for node in nodes:
                if not self._is_in_other_item(node, item):
                    self.missing_nodes.add(node)
                elif not self._is_virtual_root(node):
                    yield self.names.of(node)

    def _refuse(self, text: str, reason: NoEquivalentError) -> str:
        self.untranslated.append(f"{text}: {reason}")
        return f"# no equivalent: {text} ({reason})"

    def _coinciding(self, block: Block) -> Iterator[str]:
        """Yield `X may be Y` for each node `X$` and each other node in scope, since they may be the same word.

        In a `with` or `without` block, at least one node of each pair is the block's own. Its nodes may also be each
        `*` of the `pattern` blocks.
        """
        own_nodes, nodes = _nodes(block), self._nodes_in_scope(block)
        if block.kind != "pattern":
            own_nodes -= self._nodes_in_scope(Block("global", ()))
            for name in sorted(own_nodes & nodes):
                yield from (f"{self.names.of(name)} may be {any_node}" for any_node in self.any_nodes)
        for name in sorted(node for node in nodes if node.endswith("$")):
            other_names = nodes - {name} if name in own_nodes else own_nodes & nodes
            yield from (f"{self.names.of(name)} may be {self.names.of(other)}" for other in sorted(other_names))

    def _nodes_in_scope(self, block: Block) -> set[str]:
        """Return the nodes of a block and of the `pattern` blocks, without missing nodes and the virtual root."""
        blocks = [other for other in self.request.blocks if other.kind == "pattern"]
        names = {name for other in (*blocks, block) for name in _nodes(other)}
        return {name for name in names - self.missing_nodes if not self._is_virtual_root(name)}

    # --- items --------------------------------------------------------------------------------------

    def _lines(self, item: Item, block: Block) -> list[str]:
        text = item.text
        if item.comment:
            return list(comments(text))
        if block.kind == "global":
            return self._global(text)
        if node := _NODE.fullmatch(text):
            return [self._node(node["node"], node["tests"])]
        if edge := _EDGE.fullmatch(text):
            return self._edge(edge, block)
        if distance := _DISTANCE.fullmatch(text):
            return [self._distance(distance)]
        if order := _ORDER.fullmatch(text):
            return [self._order(order["left"], order["op"], order["right"])]
        if ids := _ID_ORDER.fullmatch(text):
            left, right = self.names.of(ids["left"]), self.names.of(ids["right"])
            return [f"{left}.id {ids['op']} {right}.id"]
        if compare := _COMPARE.fullmatch(text):
            return self._compare(compare)
        raise NoEquivalentError("this item is not known")

    def _global(self, text: str) -> list[str]:
        match text:
            case "is_projective":
                return self._projective_clauses()
            case "is_not_projective":
                return ["\n".join(["without {", *self._projective_clauses(), "}"])]
            case _ if text in _ALWAYS_TRUE:
                return [f"# {text}: true of every tree"]
            case "is_cyclic" | "is_not_tree" | "is_not_forest":
                raise NoEquivalentError("every sentence of a corpus is a tree")
        return [f"sentence[{sentence_test(text)}]"]

    def _projective_clauses(self) -> list[str]:
        """Return the clauses for a projective tree. Unlike `sentence[projective]`, Grew counts the edge to the root."""
        above, below, inside = (self.names.fresh(name) for name in ("above", "below", "inside"))
        named_nodes = (self.names.of(name) for name in sorted(self._nodes_in_scope(Block("global", ()))))
        other_names = [*named_nodes, *self.any_nodes]
        coinciding = "".join(f"; {node} may be {other}" for node in (above, below, inside) for other in other_names)
        no_path = f"without {{ {above} ->> {inside} }}"
        return [f"without {{ {above} -> {below}; {inside} between {above} and {below}; {no_path}{coinciding} }}"]

    def _node(self, node: str, tests: str) -> str:
        if self._is_virtual_root(node):
            return f"# {node} is the root above the tree, which is not a word"
        name = self.names.of(node)
        parts = split(tests, "|")
        with self.lexicons.refusing("a lexicon in one of several alternatives" if len(parts) > 1 else None):
            alternatives = [node_tests(part.strip()[1:-1], name, self.lexicons) for part in parts]
        if len(alternatives) == 1:
            return f"{name}[{', '.join(alternatives[0])}]" if alternatives[0] else name
        if not all(alternatives):
            return name
        conjunctions = [f"({', '.join(alternative)})" for alternative in alternatives]
        return f"{name}[{' or '.join(conjunctions)}]"

    def _edge(self, edge: re.Match[str], block: Block) -> list[str]:
        (head, dependent), labels = _ends(edge), _labels(edge)
        if head == dependent != "*":
            raise NoEquivalentError("a word is not its own head")
        if edge["arrow"] == "->>":
            if "*" in (head, dependent):
                raise NoEquivalentError("dominance takes two named nodes")
            return [f"{self.names.of(head)} ->> {self.names.of(dependent)}"]
        dependent_name = self.names.of(dependent) if dependent != "*" else self.names.fresh("any")
        if head == "*" or self._is_virtual_root(head):
            clauses = [label_test(labels, dependent_name)]
        else:
            clauses = [f"{self.names.of(head)} {arrow} {dependent_name}" for arrow in arrows(labels)]
        if dependent != "*":
            return clauses
        other_nodes = [self.names.of(node) for node in sorted(self._nodes_in_scope(block) - {head})]
        coinciding = [f"{dependent_name} may be {other}" for other in (*other_nodes, *self.any_nodes)]
        self.any_nodes.append(dependent_name)
        return [*clauses, *coinciding]

    def _is_in_other_item(self, node: str, item: Item) -> bool:
        """Return whether an item of the request other than `item` has a node."""
        items = [each for block in self.request.blocks for each in block.items]
        return any(_has_node(other, node) for other in items if other is not item)

    def _is_virtual_root(self, node: str) -> bool:
        """Return whether a node is the virtual root above the tree: it occurs only as the head of `root` edges."""
        has_root_edge = False
        for block in self.request.blocks:
            for item in block.items:
                if not _has_node(item, node):
                    continue
                edge_match = _EDGE.fullmatch(item.text)
                is_root_edge = (
                    edge_match
                    and _ends(edge_match)[0] == node
                    and (_labels(edge_match) or "").strip() in ("root", "1=root")
                )
                node_match = _NODE.fullmatch(item.text)
                if is_root_edge:
                    has_root_edge = True
                elif node_match is None or node_match["tests"].replace(" ", "") not in ("[]", '[form="__0__"]'):
                    return False
        return has_root_edge

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
        """Raise NoEquivalentError if an end of an edge is `*` or the virtual root."""
        if "*" in ends:
            raise NoEquivalentError("an end of the edge has no name")
        if any(self._is_virtual_root(end) for end in ends):
            raise NoEquivalentError("the root above the tree is not a word")

    def _distance(self, distance: re.Match[str]) -> str:
        if distance["second"] is None and distance["first"] not in self.edges:
            raise NoEquivalentError(f"`{distance['first']}` is not a named edge")
        ends = self.edges[distance["first"]] if distance["second"] is None else (distance["first"], distance["second"])
        self._check_ends(*ends)
        _check_distinct(*ends)
        first, second = (self.names.of(end) for end in ends)
        may_be_one_word = any(end.endswith("$") for end in ends)
        number, is_length = int(distance["number"]), distance["function"] == "length"
        ranges = ranges_of(distance["op"], number)
        includes_zero = any(low <= 0 <= high for low, high in ranges)
        if is_length:
            ranges = [(max(low, 1), high) for low, high in ranges if high >= 1]
            ranges += [(-high, -low) for low, high in ranges]
        relations = [relation for low, high in ranges for relation in order_relations(first, second, low, high)]
        if may_be_one_word and includes_zero:
            relations.append(f"{first}.id = {second}.id")
        if not relations:
            raise NoEquivalentError("it is never true")
        return relations[0] if len(relations) == 1 else "either " + " or ".join(f"{{ {each} }}" for each in relations)

    def _compare(self, compare: re.Match[str]) -> list[str]:
        node, feature, op, right = compare["node"], compare["feature"], compare["op"], compare["right"].strip()
        if node in self.edges:
            return [self._edge_label(node, feature, op, right)]
        name = self.names.of(node)
        right_attribute = _ATTRIBUTE.fullmatch(right)
        if right_attribute is not None and right_attribute["node"] not in self.lexicons.lexicons:
            if right_attribute["node"] in self.edges:
                raise NoEquivalentError("a word's attribute is not compared with a label")
            left_attribute, other_attribute = single_attribute(feature), single_attribute(right_attribute["feature"])
            other_name = self.names.of(right_attribute["node"])
            if op in ("<", ">", "<=", ">="):
                return [f"{name}.{left_attribute} {op} {other_name}.{other_attribute}"]
            if op == "=":
                return [f"{name}.{left_attribute} = {other_name}.{other_attribute}"]
            return [
                f"{name}[has {left_attribute}]",
                f"{other_name}[has {other_attribute}]",
                f"{name}.{left_attribute} != {other_name}.{other_attribute}",
            ]
        if op in ("<", ">", "<=", ">="):
            values = values_of(right)
            if len(values) != 1 or not isinstance(values[0], str) or not is_number(values[0]):
                raise NoEquivalentError("only numbers have an order")
            return [f"{name}[{single_attribute(feature)} {op} {value(values[0])}]"]
        tests = node_tests(f"{feature}{op}{right}", name, self.lexicons)
        return [f"{name}[{', '.join(tests)}]" if tests else name]

    def _edge_label(self, edge: str, field_name: str, op: str, right: str) -> str:
        if field_name != "label":
            raise NoEquivalentError("a part of a label has no counterpart in a filter")
        if op not in ("=", "<>"):
            raise NoEquivalentError("labels have no order")
        dependent = self._dependent(edge)
        right_attribute = _ATTRIBUTE.fullmatch(right)
        if (
            right_attribute is not None
            and right_attribute["node"] in self.edges
            and right_attribute["feature"] == "label"
        ):
            sign = "=" if op == "=" else "!="
            return f"{dependent}.deprel {sign} {self._dependent(right_attribute['node'])}.deprel"
        labels = "|".join(label if isinstance(label, str) else label.literal() for label in values_of(right))
        return label_test(f"{'' if op == '=' else '^'}{right if '/' in labels else labels}", dependent)

    def _dependent(self, edge: str) -> str:
        """Return the filter's name for the dependent of a named edge. Raises NoEquivalentError if it is `*`."""
        dependent = self.edges[edge][1]
        if dependent == "*":
            raise NoEquivalentError("an end of the edge has no name")
        return self.names.of(dependent)


def _check_distinct(*nodes: str) -> None:
    """Raise NoEquivalentError if two nodes are the same, since a filter orders only different nodes."""
    if len(set(nodes)) < len(nodes):
        raise NoEquivalentError("a word has no order relation to itself")


def _ends(edge: re.Match[str]) -> tuple[str, str]:
    """Return the head and the dependent of an edge, which may be `*`."""
    is_reversed = edge["reverse"] is not None or edge["arrow"] == "<-"
    return (edge["right"], edge["left"]) if is_reversed else (edge["left"], edge["right"])


def _labels(edge: re.Match[str]) -> str | None:
    """Return the text between the brackets of an edge, or None if it has no brackets."""
    return edge["labels"] if edge["reverse"] is None else edge["reverse"]


def _nodes(block: Block) -> set[str]:
    """Return the nodes of a block."""
    return set() if block.kind == "global" else {name for item in block.items for name in _nodes_of_item(item)}


def _has_node(item: Item, node: str) -> bool:
    """Return whether the text of an item has the name of a node."""
    return not item.comment and re.search(rf"(?<![\w']){re.escape(node)}(?![\w'])", item.text) is not None


def _nodes_of_item(item: Item) -> set[str]:
    """Return the nodes of an item that is a node or an edge."""
    if item.comment:
        return set()
    if node := _NODE.fullmatch(item.text):
        return {node["node"]}
    if edge := _EDGE.fullmatch(item.text):
        return {edge["left"], edge["right"]} - {"*"}
    return set()
