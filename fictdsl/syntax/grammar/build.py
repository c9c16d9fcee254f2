"""Build the syntax tree from Lark's parse tree, checking the constraints that the grammar does not express."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from lark import Token
from lark.visitors import Transformer_NonRecursive

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.schema import TAGS
from fictdsl.source import Source, Span
from fictdsl.syntax import nodes
from fictdsl.syntax.grammar.regex_parse import RegexProblem, parse_regex
from fictdsl.syntax.regex import Sequence

if TYPE_CHECKING:
    from lark import Tree

    from fictdsl.diagnostics.diagnostic import Diagnostic

Parts: TypeAlias = list[Any]

_FAMILY_VALUE = re.compile(r"[A-Za-z0-9_-]+")
_MAX_DIGITS = 9


def build(tree: Tree[Token], source: Source) -> tuple[Any, list[Diagnostic]]:
    """Build the syntax tree (a File or an item) of a parse tree. Return it with diagnostics."""
    builder = _Builder(source)
    return builder.transform(tree), builder.diagnostics


def _span(part: Any) -> Span:
    if isinstance(part, Token):
        return Span(cast("int", part.start_pos), cast("int", part.end_pos))
    return cast("Span", part.span)


def _full_span(parts: Parts) -> Span:
    return _span(parts[0]).to(_span(parts[-1]))


def _without_tokens(parts: Parts) -> tuple[Any, ...]:
    return tuple(part for part in parts if not isinstance(part, Token))


_METADATA_WORDS: dict[type, str] = {nodes.Text: "{}", nodes.TargetBenchmarks: "targets", nodes.AsIs: "as-is {}"}


def _target_kinds(action: nodes.Rewriting) -> tuple[str, ...]:
    """Return the kinds of an action's targets. An action that names a word directly has the target `node`."""
    match action:
        case nodes.Set():
            return ("node",)
        case nodes.Insert(destination=destination):
            return ("node", destination.kind)
        case nodes.Move(target=target, destination=destination):
            return (target.kind, destination.kind)
        case nodes.Swap(target=target, other=other):
            return (target.kind, other.kind)
        case _:
            return (action.target.kind,)


class _Group:
    """The content and span of a grammar rule that has no node class."""

    def __init__(self, content: Any, span: Span) -> None:
        self.content = content
        self.span = span


class _Builder(Transformer_NonRecursive[Token, Any]):
    """Bottom-up builder with one method per grammar rule, called with tokens and built children. Never raises."""

    def __init__(self, source: Source) -> None:
        super().__init__(visit_tokens=False)
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def _report(self, code: str, span: Span, *, hint: str | None = None, **parameters: str) -> None:
        self.diagnostics.append(diagnostic(code, self.source, span, hint=hint, labels=(), fix=None, **parameters))

    def _name(self, token: Token) -> nodes.Name:
        return nodes.Name(str(token), _span(token))

    def _names(self, parts: Parts, *kinds: str) -> tuple[nodes.Name, ...]:
        return tuple(self._name(part) for part in parts if isinstance(part, Token) and part.type in kinds)

    def _string(self, token: Token) -> nodes.Value:
        return nodes.Value(self._unescape(str(token)[1:-1], token.start_pos or 0), True, _span(token))

    def _unescape(self, body: str, start: int) -> str:
        if "\\" not in body:
            return body
        chars: list[str] = []
        index = 0
        while index < len(body):
            if body[index] != "\\":
                chars.append(body[index])
                index += 1
                continue
            escaped = body[index + 1]
            if escaped not in '"\\':
                span = Span(start + 1 + index, start + 3 + index)
                hint = "a backslash itself is written `\\\\`"
                self._report("FICT107", span, hint=hint, escape=f"\\{escaped}")
            chars.append(escaped)
            index += 2
        return "".join(chars)

    def _number(self, token: Token) -> int:
        if len(token.lstrip("0")) > _MAX_DIGITS:
            self._report("FICT127", _span(token), found=f"{token[:_MAX_DIGITS]}…")
            return 999_999_999
        return int(str(token))

    def _atom(self, part: Any) -> Any:
        """Return the node of a value, parameter or regex. Those without a grammar rule are still tokens."""
        if not isinstance(part, Token):
            return part
        if part.type == "PARAM":
            return nodes.Param(part[1:], _span(part))
        return self._regex(part)

    def _atoms(self, parts: Parts) -> tuple[Any, ...]:
        atoms = (p for p in parts if not isinstance(p, Token) or p.type in ("PARAM", "REGEX"))
        return tuple(self._atom(part) for part in atoms)

    def _regex(self, token: Token) -> nodes.RegexValue:
        text, _, flags = token[1:].rpartition("/")
        if flags not in ("", "i"):
            end = token.end_pos or 0
            self._report("FICT109", Span(end - len(flags), end), flag=flags)
        regex = parse_regex(text, (token.start_pos or 0) + 1)
        if isinstance(regex, RegexProblem):
            self._report(regex.code, regex.span, hint=regex.hint, problem=regex.problem)
            regex = Sequence(())  # a placeholder: items with errors are dropped
        return nodes.RegexValue(text, flags == "i", regex, _span(token))

    # --- items

    def file(self, parts: Parts) -> nodes.File:
        version = cast("Token", parts[1])
        return nodes.File(str(version), tuple(parts[2:]), _full_span(parts))

    def use(self, parts: Parts) -> nodes.Use:
        return nodes.Use(self._string(parts[1]), _full_span(parts))

    def list_def(self, parts: Parts) -> nodes.ListDef:
        return nodes.ListDef(self._name(parts[1]), parts[-1], _full_span(parts))

    def list_file(self, parts: Parts) -> nodes.ListFile:
        return nodes.ListFile(self._string(parts[1]), _full_span(parts))

    def table_file(self, parts: Parts) -> nodes.ListFile:
        return nodes.ListFile(self._string(parts[1]), _full_span(parts), table=True)

    def pattern(self, parts: Parts) -> nodes.PatternDef:
        parameters = self._names(parts[2:], "NAME")
        return nodes.PatternDef(self._name(parts[1]), parameters, parts[-1], _full_span(parts))

    def filter(self, parts: Parts) -> nodes.FilterDef:
        family, metadata, match, actions = self._query(parts)
        return nodes.FilterDef(self._name(parts[1]), family, metadata, match, actions, _full_span(parts))

    def _query(self, parts: Parts) -> tuple[nodes.Family | None, tuple[nodes.Metadata, ...], nodes.Block, Any]:
        """Return the family, metadata, match and actions of a filter or rewrite."""
        built = _without_tokens(parts)
        index = next(index for index, part in enumerate(built) if isinstance(part, nodes.Block))
        family = built[0] if isinstance(built[0], nodes.Family) else None
        metadata = built[0 if family is None else 1 : index]
        seen: set[str] = set()
        for part in metadata:
            word = _METADATA_WORDS.get(type(part), "{}").format(getattr(part, "kind", ""))
            if word in seen and word != "note":
                self._report("FICT119", part.span, word=word)
            seen.add(word)
        return family, metadata, built[index], built[index + 1 :]

    # --- rewrites

    def rewrite(self, parts: Parts) -> nodes.RewriteDef:
        family, metadata, match, actions = self._query(parts)
        if not match.clauses and all(kind == "sentence" for action in actions for kind in _target_kinds(action)):
            empty = ("FICT114", match.span)
            self.diagnostics = [problem for problem in self.diagnostics if (problem.code, problem.span) != empty]
        return nodes.RewriteDef(self._name(parts[1]), family, metadata, match, actions, _full_span(parts))

    def as_is(self, parts: Parts) -> nodes.AsIs:
        return nodes.AsIs(str(parts[1]), _full_span(parts))

    def delete(self, parts: Parts) -> nodes.Delete:
        return nodes.Delete(parts[1], _full_span(parts))

    def move(self, parts: Parts) -> nodes.Move:
        return nodes.Move(self._word_target(parts[1], "move"), str(parts[2]), parts[3], _full_span(parts))

    def swap(self, parts: Parts) -> nodes.Swap:
        return nodes.Swap(self._word_target(parts[1], "swap"), self._word_target(parts[3], "swap"), _full_span(parts))

    def insert(self, parts: Parts) -> nodes.Insert:
        word = self._string(parts[1]) if parts[1].type == "STRING" else self._atom(parts[1])
        test = parts[2].content if isinstance(parts[2], _Group) else None
        label, _, head, side, destination = parts[-5:]
        return nodes.Insert(word, test, self._atom(label), self._name(head), str(side), destination, _full_span(parts))

    def set(self, parts: Parts) -> nodes.Set:
        return nodes.Set(parts[1], self._atom(parts[3]), _full_span(parts))

    def columns(self, parts: Parts) -> _Group:
        return _Group(parts[1], _full_span(parts))

    def changed(self, parts: Parts) -> nodes.NodeAttribute:
        return self.node_attribute(parts)

    def copied(self, parts: Parts) -> nodes.NodeAttribute:
        return self.node_attribute(parts)

    def property(self, parts: Parts) -> nodes.Attribute:
        return self.attribute(parts)

    def literal(self, parts: Parts) -> nodes.Value:
        return self.value(parts)

    def function(self, parts: Parts) -> nodes.Function:
        argument = nodes.NodeAttribute(self._name(parts[2]), parts[4], parts[4].span)
        tag = None if len(parts) == 6 else nodes.Value(str(parts[6]), False, _span(parts[6]))
        return nodes.Function(str(parts[0]), argument, tag, _full_span(parts))

    def reverse(self, parts: Parts) -> nodes.Reverse:
        return nodes.Reverse(parts[1], _full_span(parts))

    def order(self, parts: Parts) -> nodes.Order:
        target, key, *rest = parts[1], str(parts[3]), *map(str, parts[4:])
        if target.kind not in ("subtree", "sentence"):
            allowed = "`subtree(…)` and `sentence`"
            self._report("FICT120", target.span, verb="order", target=target.kind, allowed=allowed)
        if "head-final" in rest and (key == "chance" or "desc" in rest):
            self._report("FICT134", _span(parts[-1]), found=f"by {key}{' desc' if 'desc' in rest else ''}")
        return nodes.Order(target, key, "desc" in rest, "head-final" in rest, _full_span(parts))

    def shuffle(self, parts: Parts) -> nodes.Shuffle:
        window = self._number(parts[3]) if len(parts) > 2 and parts[3].type == "INT" else None
        if window is not None and window < 2:
            self._report("FICT135", _span(parts[3]), found=str(window))
        return nodes.Shuffle(parts[1], len(parts) > 2 and window is None, window, _full_span(parts))

    def interleave(self, parts: Parts) -> nodes.Interleave:
        return nodes.Interleave(parts[1], _full_span(parts))

    def _word_target(self, target: nodes.Target, verb: str) -> nodes.Target:
        """Return a target. Report `sentence`, which actions that move words do not take."""
        if target.kind == "sentence":
            allowed = "`node(…)`, `subtree(…)` and `span(…, …)`"
            self._report("FICT120", target.span, verb=verb, target="sentence", allowed=allowed)
        return target

    # --- filters

    def family(self, parts: Parts) -> nodes.Family:
        values: dict[str, nodes.Value] = {}
        for token in (part for part in parts[3:] if part.type in ("CHOICE", "STRING")):
            quoted = token.type == "STRING"
            value = self._string(token) if quoted else nodes.Value(str(token), False, _span(token))
            if not _FAMILY_VALUE.fullmatch(value.text):
                self._report("FICT123", value.span, found=value.text)
            if value.text in values:
                self._report("FICT124", value.span, found=value.text)
            values.setdefault(value.text, value)
        if not values:
            self._report("FICT125", _full_span(parts))
        return nodes.Family(self._name(parts[1]), tuple(values.values()), _full_span(parts))

    def text(self, parts: Parts) -> nodes.Text:
        return nodes.Text(str(parts[0]), self._string(parts[1]), _full_span(parts))

    def targets(self, parts: Parts) -> nodes.TargetBenchmarks:
        return nodes.TargetBenchmarks(self._names(parts, "TARGET"), _full_span(parts))

    def action(self, parts: Parts) -> nodes.Action:
        verb, target = str(parts[0]), parts[1]
        replacement: _Group | None = parts[2] if len(parts) > 2 else None
        if verb == "keep" and target.kind != "sentence":
            self._report("FICT120", target.span, verb=verb, target=target.kind, allowed="`sentence`")
        if verb == "mask" and target.kind == "sentence":
            allowed = "`node(…)`, `subtree(…)` and `span(…, …)`"
            self._report("FICT120", target.span, verb=verb, target=target.kind, allowed=allowed)
        if replacement and verb != "mask":
            self._report("FICT122", replacement.span, verb=verb)
        content = replacement.content if replacement else None
        string = content if isinstance(content, nodes.Value) else None
        return nodes.Action(verb, target, string, content if isinstance(content, str) else None, _full_span(parts))

    def target(self, parts: Parts) -> nodes.Target:
        return nodes.Target(str(parts[0]), self._names(parts, "NAME"), _full_span(parts))

    def replacement(self, parts: Parts) -> _Group:
        token = parts[1]
        if token.type == "STRING":
            return _Group(self._string(token), _full_span(parts))
        if token not in TAGS:
            self._report("FICT121", _span(token), found=str(token), hint=f'a string is quoted: `with "{token}"`')
        return _Group(str(token), _full_span(parts))

    # --- blocks and clauses

    def block(self, parts: Parts) -> nodes.Block:
        clauses = _without_tokens(parts)
        if not clauses:
            self._report("FICT114", _full_span(parts))
        return nodes.Block(clauses, _full_span(parts))

    def body(self, parts: Parts) -> nodes.Block:
        return self.block(parts)

    def chain(self, parts: Parts) -> nodes.Chain:
        return nodes.Chain(parts[0], tuple(parts[1:]), _full_span(parts))

    def link(self, parts: Parts) -> nodes.Link:
        return nodes.Link(parts[0], parts[1], _full_span(parts))

    def between(self, parts: Parts) -> nodes.Between:
        return nodes.Between(parts[0], parts[2], parts[4], _full_span(parts))

    def crossing(self, parts: Parts) -> nodes.Crossing:
        return nodes.Crossing(parts[1], parts[3], _full_span(parts))

    def tuple_member(self, parts: Parts) -> nodes.TupleMember:
        attributes = _without_tokens(parts)
        negated = any(isinstance(part, Token) and part.type == "NOT" for part in parts)
        reference = nodes.ListRef(parts[-1][1:], _span(parts[-1]))
        return nodes.TupleMember(attributes, negated, reference, _full_span(parts))

    def coincide(self, parts: Parts) -> nodes.Coincide:
        return nodes.Coincide(self._name(parts[0]), self._name(parts[3]), _full_span(parts))

    def relate(self, parts: Parts) -> nodes.AttributeComparison:
        return nodes.AttributeComparison(parts[0], str(parts[1]), parts[2], _full_span(parts))

    def without(self, parts: Parts) -> nodes.Without:
        return nodes.Without(parts[1], _full_span(parts))

    def either(self, parts: Parts) -> nodes.Either:
        return nodes.Either(_without_tokens(parts), _full_span(parts))

    def maybe(self, parts: Parts) -> nodes.Maybe:
        return nodes.Maybe(parts[1], _full_span(parts))

    def count(self, parts: Parts) -> nodes.Count:
        quantifier = " ".join(parts[:-3])
        node: nodes.NodeTerm = parts[-2]
        if node.name is None:
            self._report("FICT129", node.span)
        return nodes.Count(quantifier, self._number(parts[-3]), node, parts[-1], _full_span(parts))

    def sentence_test(self, parts: Parts) -> nodes.SentenceTest:
        return nodes.SentenceTest(parts[2], _full_span(parts))

    def call(self, parts: Parts) -> nodes.Call:
        arguments = (part for part in parts[2:-1] if part.type in ("NAME", "ANY"))
        named = tuple(self._name(part) if part.type == "NAME" else None for part in arguments)
        return nodes.Call(self._name(parts[0]), named, _full_span(parts))

    # --- nodes and relations

    def node(self, parts: Parts) -> nodes.NodeTerm:
        head = parts[0]
        name = self._name(head) if head.type == "NAME" else None
        groups = {type(part.content): part.content for part in parts[1:]}
        upos = groups.pop(tuple, ())
        test = next(iter(groups.values()), None)
        return nodes.NodeTerm(name, upos, test, _full_span(parts))

    def upos(self, parts: Parts) -> _Group:
        return _Group(self._atoms(parts), _full_span(parts))

    def node_tests(self, parts: Parts) -> _Group:
        return _Group(parts[1], _full_span(parts))

    def edge(self, parts: Parts) -> nodes.Edge:
        labels = next((part for part in parts if isinstance(part, nodes.Labels)), None)
        opening = str(parts[0])
        return nodes.Edge(labels, opening == "<-", opening in ("=", "==>"), _full_span(parts))

    def path(self, parts: Parts) -> nodes.Path:
        labels = next((part for part in parts if isinstance(part, nodes.Labels)), None)
        return nodes.Path(labels, self._bounds_of(parts), _full_span(parts))

    def adjacent(self, parts: Parts) -> nodes.Next:
        return nodes.Next(_full_span(parts))

    def before(self, parts: Parts) -> nodes.Before:
        return nodes.Before(self._bounds_of(parts), _full_span(parts))

    def siblings(self, parts: Parts) -> nodes.Siblings:
        return nodes.Siblings(_full_span(parts))

    def labels(self, parts: Parts) -> nodes.Labels:
        return nodes.Labels(_without_tokens(parts), str(parts[1]) == "^", _full_span(parts))

    def label(self, parts: Parts) -> nodes.LabelTest:
        return nodes.LabelTest(self._atom(parts[-1]), len(parts) > 1, _full_span(parts))

    def bounds(self, parts: Parts) -> nodes.Bounds:
        low = self._number(parts[1]) if parts[1].type == "INT" else None
        if len(parts) == 3:
            return nodes.Bounds(low, low, _full_span(parts))
        high = self._number(parts[-2]) if parts[-2].type == "INT" else None
        return nodes.Bounds(low, high, _full_span(parts))

    def _bounds_of(self, parts: Parts) -> nodes.Bounds | None:
        last = parts[-1]
        return last if isinstance(last, nodes.Bounds) else None

    # --- tests

    def and_(self, parts: Parts) -> nodes.And:
        return nodes.And(_without_tokens(parts), _full_span(parts))

    def or_(self, parts: Parts) -> nodes.Or:
        return nodes.Or(_without_tokens(parts), _full_span(parts))

    def not_(self, parts: Parts) -> nodes.Not:
        return nodes.Not(parts[1], _full_span(parts))

    def group(self, parts: Parts) -> Any:
        return parts[1]

    def compare(self, parts: Parts) -> nodes.Compare:
        return nodes.Compare(parts[0], str(parts[1]), self._atoms(parts[2:]), _full_span(parts))

    def member(self, parts: Parts) -> nodes.Member:
        last = parts[-1]
        values = nodes.ListRef(last[1:], _span(last)) if isinstance(last, Token) else last
        return nodes.Member(parts[0], len(parts) == 4, values, _full_span(parts))

    def has(self, parts: Parts) -> nodes.Has:
        return nodes.Has(parts[1], _full_span(parts))

    def flag(self, parts: Parts) -> nodes.Flag:
        return nodes.Flag(nodes.Attribute(str(parts[0]), None, False, _full_span(parts)), _full_span(parts))

    def substring(self, parts: Parts) -> nodes.Compare:
        return nodes.Compare(parts[0], str(parts[1]), (self._string(parts[2]),), _full_span(parts))

    def lowered(self, parts: Parts) -> nodes.Attribute:
        inner: nodes.Attribute = parts[2]
        return nodes.Attribute(inner.name, inner.key, True, _full_span(parts), inner.key_quoted)

    def attribute(self, parts: Parts) -> nodes.Attribute:
        if len(parts) == 1:
            return nodes.Attribute(str(parts[0]), None, False, _full_span(parts))
        key = parts[2]
        quoted = key.type == "STRING"
        if parts[1] == "." and str(parts[0])[0].isupper():
            hint = "the layer of a feature goes in square brackets; `.` is for `misc.Key`, `meta.key` and `form.length`"
            self._report("FICT133", _full_span(parts), hint=hint, found=f"{parts[0]}.{key}", right=f"{parts[0]}[{key}]")
        if parts[1] == "[" and not str(parts[0])[0].isupper():
            hint = "square brackets are for the layer of a feature, as in `Number[psor]`"
            self._report("FICT133", _full_span(parts), hint=hint, found=f"{parts[0]}[{key}]", right=f"{parts[0]}.{key}")
        text = self._string(key).text if quoted else str(key)
        return nodes.Attribute(str(parts[0]), text, False, _full_span(parts), quoted)

    def of_node(self, parts: Parts) -> nodes.Attribute:
        return self.attribute(parts)

    def node_attribute(self, parts: Parts) -> nodes.NodeAttribute:
        if parts[0].type in ("NAME", "OWNER"):
            attribute = parts[2] if len(parts) == 3 else self.lowered(parts[2:])
            return nodes.NodeAttribute(self._name(parts[0]), attribute, _full_span(parts))
        inner = self.lowered([parts[0], parts[1], parts[4], parts[5]])
        return nodes.NodeAttribute(self._name(parts[2]), inner, _full_span(parts))

    # --- values

    def value(self, parts: Parts) -> nodes.Value:
        token = parts[0]
        return self._string(token) if token.type == "STRING" else nodes.Value(str(token), False, _span(token))

    def label_name(self, parts: Parts) -> nodes.Value:
        return self.value(parts)

    def rows(self, parts: Parts) -> nodes.ListRows:
        rows = _without_tokens(parts)
        for row in rows:
            if len(row.values) != len(rows[0].values):
                counts = {"found": str(len(row.values)), "expected": str(len(rows[0].values))}
                self._report("FICT150", row.span, **counts)
            for value in row.values:
                if isinstance(value, nodes.Value) and "\t" in value.text:
                    self._report("FICT151", value.span)
        return nodes.ListRows(rows, _full_span(parts))

    def row(self, parts: Parts) -> nodes.Row:
        return nodes.Row(self._atoms(parts), _full_span(parts))

    def braces(self, parts: Parts) -> nodes.ListLiteral:
        return nodes.ListLiteral(self._atoms(parts), _full_span(parts))
