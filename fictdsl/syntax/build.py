"""Build the syntax tree from Lark's parse tree, checking the constraints that the grammar does not express."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from lark import Token
from lark.visitors import Transformer_NonRecursive

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.schema import ALL, KEYED, TAGS, numbers_of
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.nodes import FAMILY_VALUE
from fictdsl.syntax.regex import RegexProblem, Sequence, parse_regex
from fictdsl.syntax.walk import targets_of
from fictdsl.words import listed

if TYPE_CHECKING:
    from lark import Tree

    from fictdsl.diagnostics.diagnostic import Diagnostic


Children: TypeAlias = list[Any]
Kind = TypeVar("Kind")

_WORD = re.compile(r"\w+(?::\w+)*")  # the terminal WORD
_ESCAPE = re.compile(r"\\(.)")
_MAX_DIGITS = 9
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")


def build(tree: Tree[Token], source: Source) -> tuple[Any, list[Diagnostic]]:
    builder = _Builder(source)
    return builder.transform(tree), builder.diagnostics


def _span(child: Any) -> Span:
    if isinstance(child, Token):
        return Span(cast("int", child.start_pos), cast("int", child.end_pos))
    return cast("Span", child.span)


def _full_span(children: Children) -> Span:
    return _span(children[0]).to(_span(children[-1]))


def _first(children: Children, kind: type[Kind]) -> Kind | None:
    return next((child for child in children if isinstance(child, kind)), None)


def _without_tokens(children: Children) -> tuple[Any, ...]:
    return tuple(child for child in children if not isinstance(child, Token))


_TARGET_TEXTS = {"node": "`node(…)`", "subtree": "`subtree(…)`", "span": "`span(…, …)`", "sentence": "`sentence`"}
_ALLOWED_TARGETS = {  # other verbs have all
    "keep": ("sentence",),
    "order": ("subtree", "sentence"),
    **dict.fromkeys(("mask", "move", "swap"), ("node", "subtree", "span")),
}


def _names_word(action: nodes.Rewriting) -> bool:
    return isinstance(action, nodes.Set | nodes.Insert) or any(t.kind != "sentence" for t in targets_of(action))


def _without_layer(name: str, layer: str) -> str:
    if name in KEYED:
        return f"{name}.{layer}"
    if numbers := numbers_of(name):
        return f"{name}.{layer if layer in numbers else next(iter(numbers))}"
    return name if name in ALL else f"{name[0].upper()}{name[1:]}[{layer}]"


def _likely_number(function: str, target: str, names: list[str]) -> str:
    first, second = (*names, "X", "Y")[:2] if len(names) != 1 else (names[0], "Y")
    if function == "distance" and len(names) != 2:
        return "it is of two nodes with names: `distance(A, B)`"
    if target == "sentence":
        return "the number of words of the sentence is tested by `sentence[length > 40]`"
    if target == "span":
        return f"the number of words from one word to another is `length(span({first}, {second}))`"
    if target or len(names) == 1:
        return (
            f"the number of words of a subtree is `length(subtree({first}))`, of characters `{first}[form.length > 3]`"
        )
    if len(names) == 2:
        return f"the distance of two words is `distance({first}, {second})`"
    return "numbers of words are `length(subtree(X))`, `length(span(X, Y))` and `distance(X, Y)`"


# The class of the node of a rule, and the positions of the children that are its fields.
_NODES: dict[str, tuple[Any, ...]] = {
    "use": (nodes.Use, 1),
    "list_def": (nodes.ListDef, 1, -1),
    "list_file": (nodes.ListFile, 1),
    "table_file": (partial(nodes.ListFile, table=True), 1),
    "as_is": (nodes.AsIs, 1),
    "text": (nodes.Text, 0, 1),
    "delete": (nodes.Delete, 1),
    "set": (nodes.Set, 1, 3),
    "reverse": (nodes.Reverse, 1),
    "interleave": (nodes.Interleave, 1),
    "link": (nodes.Link, 0, 1),
    "between": (nodes.Between, 0, 2, 4),
    "crossing": (nodes.Crossing, 1, 3),
    "coincide": (nodes.Coincide, 0, 3),
    "relate": (nodes.AttributeComparison, 0, 1, 2),
    "without": (nodes.Without, 1),
    "maybe": (nodes.Maybe, 1),
    "sentence_test": (nodes.SentenceTest, 2),
    "adjacent": (nodes.Next,),
    "siblings": (nodes.Siblings,),
    "not_": (nodes.Not, 1),
    "has": (nodes.Has, 1),
}
# The class of the node of a rule whose children, without its signs, are the only field.
_SERIES: dict[str, Any] = {
    "either": nodes.Either,
    "and_": nodes.And,
    "or_": nodes.Or,
    "row": nodes.Row,
    "braces": nodes.ListLiteral,
    "targets": nodes.TargetBenchmarks,
}


class _SpannedContent(NamedTuple):
    content: Any
    span: Span


class _Builder(Transformer_NonRecursive[Token, Any]):
    """Builds nodes bottom-up. Each method builds the node of a grammar rule from its children. Never raises."""

    def __init__(self, source: Source) -> None:
        super().__init__(visit_tokens=False)
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def __default__(self, rule: str, children: Children, _meta: Any) -> Any:
        if rule in _SERIES:
            return _SERIES[rule](self._atoms(children), span=_full_span(children))
        node_class, *positions = _NODES[rule]
        return node_class(*(self._field(children[position]) for position in positions), span=_full_span(children))

    def _field(self, child: Any) -> Any:
        match child:
            case Token(type="NAME" | "FILTER_NAME" | "TARGET"):
                return self._name(child)
            case Token(type="STRING"):
                return self._string(child)
            case Token(type="PARAM"):
                return nodes.Param(child[1:], span=_span(child))
            case Token(type="REGEX"):
                return self._regex(child)
            case Token():
                return str(child)
        return child

    def _report(self, code: str, span: Span, *, hint: str | None = None, **parameters: str) -> None:
        self.diagnostics.append(diagnostic(code, self.source, span, hint=hint, labels=(), fix=None, **parameters))

    def _text(self, span: Span) -> str:
        return " ".join(self.source.text[span.start : span.end].split())

    def _name(self, token: Token) -> nodes.Name:
        return nodes.Name(str(token), span=_span(token))

    def _names(self, children: Children) -> tuple[nodes.Name, ...]:
        return tuple(self._name(child) for child in children if isinstance(child, Token) and child.type == "NAME")

    def _string(self, token: Token) -> nodes.Value:
        body, start = str(token)[1:-1], 1 + (token.start_pos or 0)
        for escape in _ESCAPE.finditer(body):
            if escape[1] not in '"\\':
                span = Span(start + escape.start(), start + escape.end())
                self._report("FICT107", span, hint="a backslash itself is written `\\\\`", escape=escape[0])
        return nodes.Value(_ESCAPE.sub(r"\1", body), True, span=_span(token))

    def _number(self, token: Token) -> int:
        significant_digits = token.lstrip("0")
        if len(significant_digits) > _MAX_DIGITS:
            self._report("FICT127", _span(token), found=f"{significant_digits[:_MAX_DIGITS]}…")
            return 999_999_999
        return int(significant_digits or "0")

    def _atoms(self, children: Children) -> tuple[Any, ...]:
        types = ("PARAM", "REGEX", "TARGET")
        return tuple(self._field(each) for each in children if not isinstance(each, Token) or each.type in types)

    def _regex(self, token: Token) -> nodes.RegexValue:
        text, _, flags = token[1:].rpartition("/")
        if flags not in ("", "i"):
            end = token.end_pos or 0
            self._report("FICT109", Span(end - len(flags), end), flag=flags)
        regex = parse_regex(text, (token.start_pos or 0) + 1)
        if isinstance(regex, RegexProblem):
            self._report(regex.code, regex.span, hint=regex.hint, problem=regex.problem)
            regex = Sequence(())  # a placeholder: items with errors are dropped
        return nodes.RegexValue(text, flags == "i", regex, span=_span(token))

    def file(self, children: Children) -> nodes.File:
        return nodes.File(str(children[1]), tuple(children[2:]), span=_full_span(children))

    def pattern(self, children: Children) -> nodes.PatternDef:
        parameters = self._names(children[2:])
        return nodes.PatternDef(self._name(children[1]), parameters, children[-1], span=_full_span(children))

    def filter(self, children: Children) -> nodes.FilterDef:
        return nodes.FilterDef(self._name(children[1]), *self._query(children), span=_full_span(children))

    def _query(self, children: Children) -> tuple[nodes.Family | None, tuple[nodes.Metadata, ...], nodes.Block, Any]:
        built_nodes = _without_tokens(children)
        index = next(index for index, child in enumerate(built_nodes) if isinstance(child, nodes.Block))
        family = built_nodes[0] if isinstance(built_nodes[0], nodes.Family) else None
        metadata = built_nodes[0 if family is None else 1 : index]
        keywords_seen: set[str] = set()
        for child in metadata:
            keyword = f"as-is {child.kind}" if isinstance(child, nodes.AsIs) else getattr(child, "kind", "targets")
            if keyword in keywords_seen and keyword != "note":
                self._report("FICT119", child.span, word=keyword)
            keywords_seen.add(keyword)
        return family, metadata, built_nodes[index], built_nodes[index + 1 :]

    # --- rewrites

    def rewrite(self, children: Children) -> nodes.RewriteDef:
        family, metadata, match, actions = self._query(children)
        if not match.clauses and not any(map(_names_word, actions)):
            # An empty `match` is valid here: drop its diagnostic.
            empty_block = ("FICT114", match.span)
            self.diagnostics = [problem for problem in self.diagnostics if (problem.code, problem.span) != empty_block]
        return nodes.RewriteDef(self._name(children[1]), family, metadata, match, actions, span=_full_span(children))

    def move(self, children: Children) -> nodes.Move:
        self._check_target("move", children[1])
        return nodes.Move(children[1], str(children[2]), children[3], span=_full_span(children))

    def swap(self, children: Children) -> nodes.Swap:
        for target in (children[1], children[3]):
            self._check_target("swap", target)
        return nodes.Swap(children[1], children[3], span=_full_span(children))

    def insert(self, children: Children) -> nodes.Insert:
        word = self._field(children[1])
        test = children[2].content if isinstance(children[2], _SpannedContent) else None
        label, _, head, side, destination = children[-5:]
        return nodes.Insert(
            word, test, self._field(label), self._name(head), str(side), destination, span=_full_span(children)
        )

    def function(self, children: Children) -> nodes.Function:
        argument = nodes.NodeAttribute(self._name(children[2]), children[4], span=_full_span(children[2:5]))
        tag = None if len(children) == 6 else nodes.Value(str(children[6]), False, span=_span(children[6]))
        return nodes.Function(str(children[0]), argument, tag, span=_full_span(children))

    def order(self, children: Children) -> nodes.Order:
        target, key, *modifiers = children[1], str(children[3]), *map(str, children[4:])
        self._check_target("order", target)
        if "head-final" in modifiers and (key == "chance" or "desc" in modifiers):
            self._report("FICT134", _span(children[-1]), found=f"by {key}{' desc' if 'desc' in modifiers else ''}")
        return nodes.Order(target, key, "desc" in modifiers, "head-final" in modifiers, span=_full_span(children))

    def shuffle(self, children: Children) -> nodes.Shuffle:
        window = self._number(children[3]) if len(children) > 2 and children[3].type == "INT" else None
        if window is not None and window < 2:
            self._report("FICT135", _span(children[3]), found=str(window))
        return nodes.Shuffle(children[1], len(children) > 2 and window is None, window, span=_full_span(children))

    def _check_target(self, verb: str, target: nodes.Target) -> None:
        allowed = _ALLOWED_TARGETS.get(verb, (target.kind,))
        if target.kind not in allowed:
            texts = [_TARGET_TEXTS[kind] for kind in allowed]
            self._report("FICT120", target.span, verb=verb, target=target.kind, allowed=listed(texts))

    def family(self, children: Children) -> nodes.Family:
        values: dict[str, nodes.Value] = {}
        for token in (child for child in children[3:] if child.type in ("CHOICE", "STRING")):
            value = self.value([token])
            if not FAMILY_VALUE.fullmatch(value.text):
                self._report("FICT123", value.span, found=value.text)
            if value.text in values:
                self._report("FICT124", value.span, found=value.text)
            values.setdefault(value.text, value)
        if not values:
            self._report("FICT125", _full_span(children))
        return nodes.Family(self._name(children[1]), tuple(values.values()), span=_full_span(children))

    def action(self, children: Children) -> nodes.Action:
        verb, target = str(children[0]), children[1]
        replacement: _SpannedContent | None = children[2] if len(children) > 2 else None
        self._check_target(verb, target)
        if replacement and verb != "mask":
            self._report("FICT122", replacement.span, verb=verb)
        content = replacement.content if replacement else None
        string = content if isinstance(content, nodes.Value) else None
        return nodes.Action(
            verb, target, string, content if isinstance(content, str) else None, span=_full_span(children)
        )

    def target(self, children: Children) -> nodes.Target:
        return nodes.Target(str(children[0]), self._names(children), span=_full_span(children))

    def replacement(self, children: Children) -> _SpannedContent:
        token = children[1]
        if token.type == "STRING":
            return _SpannedContent(self._string(token), _full_span(children))
        if token not in TAGS:
            self._report("FICT121", _span(token), found=str(token), hint=f'a string is quoted: `with "{token}"`')
        return _SpannedContent(str(token), _full_span(children))

    # --- blocks and clauses

    def block(self, children: Children) -> nodes.Block:
        clauses = _without_tokens(children)
        if not clauses:
            self._report("FICT114", _full_span(children))
        return nodes.Block(clauses, span=_full_span(children))

    body = block

    def chain(self, children: Children) -> nodes.Chain:
        return nodes.Chain(children[0], tuple(children[1:]), span=_full_span(children))

    def tuple_member(self, children: Children) -> nodes.TupleMember:
        attributes = _without_tokens(children)
        negated = any(isinstance(child, Token) and child.type == "NOT" for child in children)
        reference = nodes.ListRef(children[-1][1:], span=_span(children[-1]))
        return nodes.TupleMember(attributes, negated, reference, span=_full_span(children))

    def length(self, children: Children) -> nodes.Measure:
        target: nodes.Target = children[2]
        if str(children[0]) != "length" or target.kind not in ("subtree", "span"):
            right = _likely_number(str(children[0]), target.kind, [name.text for name in target.nodes])
            if name_hint := did_you_mean(str(children[0]), ("length",)):
                right = f"{name_hint}; {right}"
            self._report("FICT136", _full_span(children), hint=right, found=self._text(_full_span(children)))
        return nodes.Measure("span" if target.kind == "span" else "subtree", target.nodes, span=_full_span(children))

    def _measure(self, number: nodes.Measure | nodes.Call) -> nodes.Measure:
        if isinstance(number, nodes.Measure):
            return number
        names = tuple(name for name in number.arguments if name is not None)
        if number.pattern.text != "distance" or len(names) != 2 or len(number.arguments) != 2:
            right = _likely_number(number.pattern.text, "", [name.text for name in names])
            self._report("FICT136", number.span, hint=right, found=self._text(number.span))
        return nodes.Measure("distance", names, span=number.span)

    def _summands(self, children: Children) -> tuple[nodes.Summand, ...]:
        summands = []
        for index, child in enumerate(children):
            if isinstance(child, Token) and child.type != "INT":
                continue
            sign = children[index - 1 : index] if index else []
            number = self._number(child) if isinstance(child, Token) else self._measure(child)
            summands.append(nodes.Summand(number, sign == ["-"], span=_full_span([*sign, child])))
        return tuple(summands)

    def relate_sums(self, children: Children) -> nodes.SumComparison:
        at = next(index for index, child in enumerate(children) if isinstance(child, Token) and child in _COMPARISONS)
        left, right = self._summands(children[:at]), self._summands(children[at + 1 :])
        return nodes.SumComparison(left, str(children[at]), right, span=_full_span(children))

    def count(self, children: Children) -> nodes.Count:
        quantifier = " ".join(children[:-3])
        node: nodes.NodeTerm = children[-2]
        if node.name is None:
            self._report("FICT129", node.span)
        return nodes.Count(quantifier, self._number(children[-3]), node, children[-1], span=_full_span(children))

    def call(self, children: Children) -> nodes.Call:
        arguments = (child for child in children[2:-1] if child.type in ("NAME", "ANY"))
        argument_names = tuple(self._name(child) if child.type == "NAME" else None for child in arguments)
        return nodes.Call(self._name(children[0]), argument_names, span=_full_span(children))

    # --- nodes and relations

    def node(self, children: Children) -> nodes.NodeTerm:
        first_token = children[0]
        name = self._name(first_token) if first_token.type == "NAME" else None
        contents_by_type = {type(child.content): child.content for child in children[1:]}
        upos = contents_by_type.pop(tuple, ())
        test = next(iter(contents_by_type.values()), None)
        return nodes.NodeTerm(name, upos, test, span=_full_span(children))

    def upos(self, children: Children) -> _SpannedContent:
        return _SpannedContent(self._atoms(children), _full_span(children))

    def node_tests(self, children: Children) -> _SpannedContent:
        return _SpannedContent(children[1], _full_span(children))

    columns = node_tests

    def edge(self, children: Children) -> nodes.Edge:
        opening = str(children[0])
        labels = _first(children, nodes.Labels)
        return nodes.Edge(labels, opening == "<-", opening in ("=", "==>"), span=_full_span(children))

    def path(self, children: Children) -> nodes.Path:
        labels, bounds = _first(children, nodes.Labels), _first(children, nodes.Bounds)
        return nodes.Path(labels, bounds, span=_full_span(children))

    def before(self, children: Children) -> nodes.Before:
        return nodes.Before(_first(children, nodes.Bounds), span=_full_span(children))

    def labels(self, children: Children) -> nodes.Labels:
        return nodes.Labels(_without_tokens(children), str(children[1]) == "^", span=_full_span(children))

    def label(self, children: Children) -> nodes.LabelTest:
        return nodes.LabelTest(self._field(children[-1]), len(children) > 1, span=_full_span(children))

    def bounds(self, children: Children) -> nodes.Bounds:
        low = self._number(children[1]) if children[1].type == "INT" else None
        if len(children) == 3:
            return nodes.Bounds(low, low, span=_full_span(children))
        high = self._number(children[-2]) if children[-2].type == "INT" else None
        return nodes.Bounds(low, high, span=_full_span(children))

    # --- tests

    def group(self, children: Children) -> Any:
        return children[1]

    def compare(self, children: Children) -> nodes.Compare:
        return nodes.Compare(children[0], str(children[1]), self._atoms(children[2:]), span=_full_span(children))

    def member(self, children: Children) -> nodes.Member:
        collection = children[-1]
        values = nodes.ListRef(collection[1:], span=_span(collection)) if isinstance(collection, Token) else collection
        return nodes.Member(children[0], len(children) == 4, values, span=_full_span(children))

    def flag(self, children: Children) -> nodes.Flag:
        return nodes.Flag(
            nodes.Attribute(str(children[0]), None, False, span=_full_span(children)), span=_full_span(children)
        )

    def substring(self, children: Children) -> nodes.Compare:
        return nodes.Compare(children[0], str(children[1]), (self._string(children[2]),), span=_full_span(children))

    def lowered(self, children: Children) -> nodes.Attribute:
        attribute: nodes.Attribute = children[2]
        return nodes.Attribute(
            attribute.name, attribute.key, True, span=_full_span(children), key_quoted=attribute.key_quoted
        )

    def attribute(self, children: Children) -> nodes.Attribute:
        if len(children) == 1:
            return nodes.Attribute(str(children[0]), None, False, span=_full_span(children))
        key = children[2]
        is_quoted = key.type == "STRING"
        text = self._string(key).text if is_quoted else str(key)
        if children[1] == "." and str(children[0])[0].isupper():
            hint = "the layer of a feature goes in square brackets; `.` is for `misc.Key`, `meta.key` and `form.length`"
            layer = text if _WORD.fullmatch(text) else "layer"
            right = f"{children[0]}[{layer}]"
            self._report("FICT133", _full_span(children), hint=hint, found=f"{children[0]}.{key}", right=right)
        if children[1] == "[" and not str(children[0])[0].isupper():
            hint = "square brackets are for the layer of a feature, as in `Number[psor]`"
            right = _without_layer(str(children[0]), text)
            self._report("FICT133", _full_span(children), hint=hint, found=f"{children[0]}[{key}]", right=right)
        return nodes.Attribute(str(children[0]), text, False, span=_full_span(children), key_quoted=is_quoted)

    of_node = property = attribute

    def node_attribute(self, children: Children) -> nodes.NodeAttribute:
        if children[0].type in ("NAME", "OWNER"):
            attribute = children[2] if len(children) == 3 else self.lowered(children[2:])
            return nodes.NodeAttribute(self._name(children[0]), attribute, span=_full_span(children))
        lowered_attribute = self.lowered([children[0], children[1], children[4], children[5]])
        return nodes.NodeAttribute(self._name(children[2]), lowered_attribute, span=_full_span(children))

    changed = copied = node_attribute

    def value(self, children: Children) -> nodes.Value:
        token = children[0]
        return self._string(token) if token.type == "STRING" else nodes.Value(str(token), False, span=_span(token))

    literal = label_name = value

    def rows(self, children: Children) -> nodes.ListRows:
        rows = _without_tokens(children)
        for row in rows:
            if len(row.values) != len(rows[0].values):
                self._report("FICT150", row.span, found=str(len(row.values)), expected=str(len(rows[0].values)))
            for value in row.values:
                if isinstance(value, nodes.Value) and "\t" in value.text:
                    self._report("FICT151", value.span)
        return nodes.ListRows(rows, span=_full_span(children))
