"""The constructs of the language as a closed list, and those in a syntax tree.

The list is derived from the language: every class of the syntax tree and of the regex tree, every reserved word that
is an operator, and the finer distinctions of the language reference. It shows what the generator or the gallery never
covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from inspect import getmembers

from fictdsl.schema import KEYED, SENTENCE, TAGS, WORD_NUMBERS, Kind
from fictdsl.syntax import nodes, regex
from fictdsl.syntax.nodes import (
    RESERVED,
    SUBSTRING_OPERATORS,
    Action,
    And,
    Attribute,
    AttributeComparison,
    Before,
    Block,
    Bounds,
    Call,
    Compare,
    Count,
    Edge,
    Either,
    Family,
    FilterDef,
    Has,
    Labels,
    LabelTest,
    ListDef,
    ListFile,
    ListLiteral,
    ListRef,
    Member,
    NodeTerm,
    Not,
    Or,
    Param,
    Path,
    PatternDef,
    RegexValue,
    SentenceTest,
    Target,
    Text,
    Value,
    Without,
)

_ORDERINGS = ("=", "!=", "<", "<=", ">", ">=")
_NUMBERS = (*WORD_NUMBERS, *(f"sentence[{name}]" for name, entry in SENTENCE.items() if entry.kind is Kind.NUMBER))
_STRINGS = (
    "form",
    "lemma",
    "upos",
    "xpos",
    "deprel",
    "token",
    "feats",
    "a feature",
    "a layered feature",
    "misc.Key",
    'misc."a key"',
)
_OF_SENTENCES = (
    *(f"sentence[{name}]" for name, entry in SENTENCE.items() if entry.kind is Kind.STRING),
    "sentence[meta.key]",
    'sentence[meta."a key"]',
)
_LOWERED = ("lower(form)", "lower(lemma)")
_PHRASES = ("phrase", "lower(phrase)")
_SETS = ("in a literal", "not in a literal", "in @list", "not in @list")
_PATH_BOUNDS = ("", "{n}", "{m..}", "{..n}", "{m..n}", "{0..}", "{0..n}", "{0}")
_DISTANCES = ("", "{n}", "{m..}", "{..n}", "{m..n}")
_MEASURES = ("length(subtree(X))", "length(span(X, Y))", "distance(X, Y)")
_LABELS = ("[l]", "[=l]", "[^l]", "[^=l]", "[=l|l]", "[l|l]", "[^=l|l]", "[/re/]", "[^/re/]", "[/re/|l]")
_BLOCKS = ("without", "either", "maybe", "count")
_TARGETS = ("node", "subtree", "span", "sentence")
_CATEGORIES = ("\\d", "\\p{L}", "\\p{Lu}", "\\p{Ll}", "\\p{N}", "\\p{P}")


def _classes(module: object) -> set[str]:
    return {name for name, value in getmembers(module, is_dataclass) if name not in {"Span", "Regex", "Node"}}


CONSTRUCTS = frozenset(
    {
        *_classes(nodes),
        *(f"regex {name}" for name in _classes(regex) if name != "RegexProblem"),
        # files
        *("list in a file", "list in place", "empty list", "entry of several words", "pattern without parameters"),
        *("pattern that calls a pattern", "pattern with nodes of its own", "argument _", "either in pattern"),
        *("without in pattern", "maybe in pattern", "count in pattern", "about", "source", "note"),
        *("family of one value", "family of several values", "$p as a value", "$p in a list", "$p as a UPOS"),
        *("$p as a label", "$p in metadata", "bare label with @"),
        # nodes and tests
        *("node _", "UPOS test", "several UPOS", "tests of a node", "UPOS and tests of a node"),
        *(
            f"{name} {op}"
            for name in (*_STRINGS, *_OF_SENTENCES, *_LOWERED)
            for op in ("=", "!=", *_SETS, "regex", *SUBSTRING_OPERATORS)
        ),
        *(f"has {name}" for name in (*_STRINGS, *_OF_SENTENCES)),
        *(f"{name} {op}" for name in _NUMBERS for op in (*_ORDERINGS, *_SETS[:2])),
        *(f"{name} {op}" for name in ("misc.Key", "sentence[meta.key]", "a string") for op in _ORDERINGS[2:]),
        *(f"A.x {op} B.y as numbers" for op in _ORDERINGS[2:]),
        *("attributes of one word", "attributes of one word as numbers"),
        *(f"{name} {op}" for name in _PHRASES for op in ("=", "!=", *_SETS)),
        *("deprel ==", "several values", "strings beside a regex", "regex with i", "bare value", "quoted value"),
        *("reserved word as a value", "and in or", "or in and", "not of several", "not of one"),
        # relations
        *("->", "<-", "==>", "<", "~", *(f"{edge} {labels}" for edge in ("->", "<-", "==>") for labels in _LABELS)),
        *(f"->>{bounds}" for bounds in _PATH_BOUNDS),
        *(f"-[l]->>{bounds}" for bounds in _PATH_BOUNDS),
        *(f"-{labels}->>" for labels in _LABELS),
        *(f"<<{bounds}" for bounds in _DISTANCES),
        *(f"A.x {op} B.x of strings" for op in _ORDERINGS[:2]),
        *(f"A.x {op} B.x of numbers" for op in _ORDERINGS),
        *(f"A.x {op} B.y" for op in _ORDERINGS[:2]),
        *(f"lower(A.x) {op} lower(B.x)" for op in _ORDERINGS[:2]),
        *("features of two words", "MISC of two words", "label of two words"),
        *(f"{number} {op}" for number in _MEASURES for op in _ORDERINGS),
        *(f"number of words {op} another" for op in _ORDERINGS),
        *(f"{sign} {what}" for sign in "+-" for what in ("a constant", *_MEASURES)),
        *("negative constant", "number of words twice"),
        # blocks
        *(f"{inner} in {outer}" for inner in _BLOCKS for outer in _BLOCKS),
        *("without without nodes", "at least", "at most", "exactly", "exactly 0", "at most 0", "three branches"),
        *("sentence test in a block", "call in a block", "match without names"),
        # actions
        *(
            "tuple in @list",
            "tuple not in @list",
            "tuple of one word",
            "tuple with a feature",
            "tuple with a MISC entry",
            "list of rows in a file",
        ),
        *("crossing", "crossing with a test", "A may be B", "A may be B of one around", "sentence[projective]"),
        *("no action", "several actions", "remove sentence", "keep sentence", "count sentence"),
        *(f"{verb} {target}" for verb in ("remove", "mask", "count") for target in ("node", "subtree", "span")),
        *(f"mask with {what}" for what in ("nothing said", "a string", *TAGS)),
        # rewrites
        *("as-is case", "as-is article", "rewrite of every sentence", "rewrite in a family", "$p in an action"),
        *(f"{verb} {target}" for verb in ("delete", "reverse", "shuffle", "interleave") for target in _TARGETS),
        *(f"{verb} {target}" for verb in ("move", "swap") for target in _TARGETS[:3]),
        *(f"{side} {target}" for side in ("before", "after") for target in _TARGETS),
        *("order subtree", "order sentence", "by length", "by length desc", "by length head-final", "by chance"),
        *("shuffle by length", "shuffle in windows", "insert with columns", "insert without columns"),
        *(f"set {name}" for name in ("form", "lemma", "upos", "xpos", "deprel", "a feature", "a layered feature")),
        *("set misc.Key", 'set misc."a key"', "set to a literal", "set to nothing", "set to another attribute"),
        *("set to lower(…)", "set to upper(…)", "set to capital(…)", "set to inflect(…)"),
        *(f"regex {name}" for name in ("x*", "x+", "x?", "x{m}", "x{m,}", "x{m,n}", "[^…]", "class of categories")),
        *(f"regex {name}" for name in (*_CATEGORIES, "escape")),
    }
)


def constructs(roots: Iterable[object]) -> set[str]:
    """Return the constructs in syntax trees; each is in `CONSTRUCTS`."""
    names: set[str] = set()
    waiting: list[tuple[object, tuple[str, ...]]] = [(root, ()) for root in roots]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(part, around) for part in node]
        elif is_dataclass(node):
            prefix = "regex " if type(node).__module__ == regex.__name__ else ""
            names |= {prefix + type(node).__name__, *_details(node, around)}
            inside = (*around, _BLOCK_NAMES[type(node)]) if type(node) in _BLOCK_NAMES else around
            waiting += [(getattr(node, field.name), inside) for field in fields(node) if field.name != "span"]
    return names


_BLOCK_NAMES: dict[type, str] = {
    Without: "without",
    Either: "either",
    nodes.Maybe: "maybe",
    Count: "count",
    PatternDef: "pattern",
}


def _details(node: object, around: tuple[str, ...]) -> Iterator[str]:
    match node:
        case Compare() | Member() | Has() | Not() | Or() | And():
            yield from _of_a_test(node)
        case Value() | RegexValue() | regex.Repeat() | regex.CharClass() | regex.Category():
            yield from _of_a_value(node)
        case NodeTerm() | AttributeComparison():
            yield from _of_nodes(node)
        case nodes.SumComparison():
            yield from _of_sums(node)
        case nodes.Crossing(left=left, right=right):
            yield "crossing with a test" if any(term.upos or term.test for term in (left, right)) else "crossing"
        case nodes.TupleMember(attributes=sides, negated=negated):
            yield f"tuple {'not ' if negated else ''}in @list"
            yield from ("tuple of one word",) if len({side.node.text for side in sides}) == 1 else ()
            kinds = {"a feature": "a feature", "misc.Key": "a MISC entry"}
            names = {attribute_name(side.attribute) for side in sides} & kinds.keys()
            yield from (f"tuple with {kinds[name]}" for name in names)
        case nodes.Coincide():
            yield "A may be B of one around" if around else "A may be B"
        case nodes.Flag():
            yield "sentence[projective]"
        case nodes.Link(relation=relation):
            yield from _of_a_relation(relation)
        case Block() | Without() | Either() | nodes.Maybe() | Count() | SentenceTest() | Call():
            yield from _of_a_block(node, around)
        case _:
            yield from _of_an_item(node)


def _of_an_item(node: object) -> Iterator[str]:
    match node:
        case ListDef(body=ListFile(table=table)):
            yield "list of rows in a file" if table else "list in a file"
        case ListDef(body=ListLiteral(values=values)):
            yield "list in place" if values else "empty list"
            yield from ("entry of several words" for value in values if isinstance(value, Value) and " " in value.text)
        case PatternDef(parameters=parameters, block=block):
            own = _names(block) - {name.text for name in parameters}
            yield from () if parameters else ("pattern without parameters",)
            yield from ("pattern with nodes of its own",) if own else ()
        case Family(values=values):
            yield "family of several values" if len(values) > 1 else "family of one value"
        case Text(kind=kind, text=text):
            yield kind
            if "$p" in text.text:
                yield "$p in metadata"
        case FilterDef(actions=actions):
            yield from () if actions else ("no action",)
            yield from ("several actions",) if len(actions) > 1 else ()
            yield from () if _names(node.match) else ("match without names",)
        case nodes.AsIs(kind=kind):
            yield f"as-is {kind}"
        case nodes.RewriteDef(family=family, match=match):
            yield from () if match.clauses else ("rewrite of every sentence",)
            yield from () if family is None else ("rewrite in a family",)
        case nodes.Delete() | nodes.Move() | nodes.Swap() | nodes.Insert() | nodes.Set() | nodes.Order():
            yield from _of_a_rewriting(node)
        case nodes.Reverse(target=target) | nodes.Interleave(target=target):
            yield f"{type(node).__name__.lower()} {target.kind}"
        case nodes.Shuffle(target=target, by_length=by_length, window=window):
            yield f"shuffle {target.kind}"
            yield from ("shuffle by length",) if by_length else ("shuffle in windows",) if window else ()
        case Action(verb=verb, target=Target(kind=kind)):
            yield f"{verb} {kind}"
            if verb == "mask":
                yield f"mask with {node.tag or ('a string' if node.replacement else 'nothing said')}"


def _of_a_rewriting(action: object) -> Iterator[str]:
    match action:
        case nodes.Delete(target=target):
            yield f"delete {target.kind}"
        case nodes.Move(target=target, side=side, destination=destination):
            yield from (f"move {target.kind}", f"{side} {destination.kind}")
        case nodes.Swap(target=target, other=other):
            yield from (f"swap {target.kind}", f"swap {other.kind}")
        case nodes.Insert(word=word, test=test, label=label, side=side, destination=destination):
            yield from (
                "insert without columns" if test is None else "insert with columns",
                f"{side} {destination.kind}",
            )
            yield from ("$p in an action",) if isinstance(word, Param) or isinstance(label, Param) else ()
        case nodes.Set(attribute=attribute, value=new):
            yield f"set {attribute_name(attribute.attribute)}"
            yield _of_a_new_value(new)
            yield from ("$p in an action",) if isinstance(new, Param) else ()
        case nodes.Order(target=target, key=key, descending=descending, head_final=head_final):
            yield f"order {target.kind}"
            yield f"by {key}{' desc' if descending else ''}{' head-final' if head_final else ''}"


def _of_a_new_value(value: object) -> str:
    match value:
        case nodes.Function(name=name):
            return f"set to {name}(…)"
        case nodes.NodeAttribute(attribute=attribute):
            return "set to lower(…)" if attribute.lower else "set to another attribute"
        case Value(text="_", quoted=False):
            return "set to nothing"
    return "set to a literal"


def _names(block: Block) -> set[str]:
    """Return the names of nodes anywhere in a block."""
    names, waiting = set(), list[object]([block])
    while waiting:
        node = waiting.pop()
        match node:
            case NodeTerm(name=nodes.Name(text=text)) | nodes.NodeAttribute(node=nodes.Name(text=text)):
                names.add(text)
            case Call(arguments=arguments):
                names |= {name.text for name in arguments if name is not None}
            case nodes.Measure(nodes=measured):
                names |= {name.text for name in measured}
        if isinstance(node, tuple):
            waiting += node
        elif is_dataclass(node):
            waiting += [getattr(node, field.name) for field in fields(node) if field.name != "span"]
    return names


def _of_a_block(node: object, around: tuple[str, ...]) -> Iterator[str]:
    kind = _BLOCK_NAMES.get(type(node))
    if kind is not None and around:
        yield f"{kind} in {around[-1]}"
    match node:
        case Without(block=block) if not _own(block):
            yield "without without nodes"
        case Either(branches=(_, _, _, *_)):
            yield "three branches"
        case Count(quantifier=quantifier, number=number):
            yield quantifier
            if number == 0:
                yield f"{quantifier} 0"
        case SentenceTest() if around:
            yield "sentence test in a block"
        case Call(arguments=arguments):
            yield from ("argument _",) if None in arguments else ()
            if "pattern" in around:
                yield "pattern that calls a pattern"
            elif around:
                yield "call in a block"


def _own(block: Block) -> bool:
    """Return whether a block directly contains a node."""
    return any(not isinstance(clause, SentenceTest | Without | Count | nodes.Coincide) for clause in block.clauses)


def _of_nodes(node: object) -> Iterator[str]:
    match node:
        case NodeTerm(name=name, upos=upos, test=test):
            yield from ("node _",) if name is None else ()
            yield from ("several UPOS" if len(upos) > 1 else "UPOS test",) if upos else ()
            yield from ("$p as a UPOS" for atom in upos if isinstance(atom, Param))
            yield from ("UPOS and tests of a node" if upos else "tests of a node",) if test else ()
        case AttributeComparison(left=left, op=op, right=right):
            one, other = attribute_name(left.attribute), attribute_name(right.attribute)
            if left.attribute.lower and op[0] not in "<>":
                yield f"lower(A.x) {op} lower(B.x)"
                return
            if left.node == right.node:
                yield f"attributes of one word{' as numbers' if op[0] in '<>' else ''}"
            if op[0] in "<>" and not {one, other} <= set(_NUMBERS):
                yield f"A.x {op} B.y as numbers"
                return
            yield f"A.x {op} B.x of {'numbers' if one in _NUMBERS else 'strings'}"
            if one != other and op in _ORDERINGS[:2]:
                yield f"A.x {op} B.y"
            kinds = {"a feature": "features", "misc.Key": "MISC", "deprel": "label"}
            yield from (f"{kinds[name]} of two words" for name in {one, other} & kinds.keys())


def _of_sums(clause: nodes.SumComparison) -> Iterator[str]:
    left, right = ([summand for summand in side if _measure(summand)] for side in (clause.left, clause.right))
    yield from (f"{_measure(summand)} {clause.op}" for summand in left)
    yield from (f"number of words {clause.op} another",) if left and right else ()
    for summand in (*clause.left[1:], *clause.right[1:]):
        yield f"{'-' if summand.negated else '+'} {_measure(summand) or 'a constant'}"
    yield from ("negative constant",) if clause.right[0].negated and not _measure(clause.right[0]) else ()
    measures = [summand.number for summand in (*left, *right)]
    yield from ("number of words twice",) if len(set(measures)) < len(measures) else ()


def _measure(summand: nodes.Summand) -> str | None:
    """Return the kind of a number of words, or None for a constant."""
    number = summand.number
    return _MEASURES[("subtree", "span", "distance").index(number.kind)] if isinstance(number, nodes.Measure) else None


def _of_a_relation(relation: nodes.Relation) -> Iterator[str]:
    match relation:
        case Edge(labels=labels, from_dependent=from_dependent, enhanced=enhanced):
            arrow = "==>" if enhanced else "<-" if from_dependent else "->"
            yield from (arrow,) if labels is None else (f"{arrow} {kind}" for kind in _of_labels(labels))
        case Path(labels=labels, bounds=bounds):
            arrow = "->>" if labels is None else "-[l]->>"
            yield f"{arrow}{_of_bounds(bounds)}"
            yield from () if labels is None else (f"-{kind}->>" for kind in _of_labels(labels))
        case Before(bounds=bounds):
            yield f"<<{_of_bounds(bounds)}"
        case nodes.Next():
            yield "<"
        case nodes.Siblings():
            yield "~"
    if isinstance(relation, Edge | Path) and relation.labels is not None:
        yield from ("$p as a label" for each in relation.labels.labels if isinstance(each.label, Param))
        bare = (
            each.label for each in relation.labels.labels if isinstance(each.label, Value) and not each.label.quoted
        )
        yield from ("bare label with @" for label in bare if "@" in label.text)


def _of_labels(labels: Labels) -> Iterator[str]:
    regexes = sum(isinstance(label.label, RegexValue) for label in labels.labels)
    if regexes:
        yield "[^/re/]" if labels.negated else "[/re/]" if regexes == len(labels.labels) else "[/re/|l]"
        return
    exact = {isinstance(label, LabelTest) and label.exact for label in labels.labels}
    mixed = "=l|l" if len(exact) > 1 else "=l" if exact == {True} else "l"
    yield f"[{'^' if labels.negated else ''}{mixed}]"
    if not labels.negated and exact == {False} and len(labels.labels) > 1:
        yield "[l|l]"


def _of_bounds(bounds: Bounds | None) -> str:
    if bounds is None:
        return ""
    low, high = bounds.low, bounds.high
    if low == 0:
        return "{0}" if high == 0 else "{0..}" if high is None else "{0..n}"
    return "{..n}" if low is None else "{m..}" if high is None else "{n}" if low == high else "{m..n}"


def attribute_name(attribute: Attribute) -> str:
    """Return the kind of an attribute, without its key or feature."""
    name, key = attribute.name, attribute.key
    if name in SENTENCE and name not in KEYED:
        return f"sentence[{name}]"
    if name in {"misc", "meta"}:
        full = f'{name}."a key"' if attribute.key_quoted else f"{name}.{'Key' if name == 'misc' else 'key'}"
        return full if name == "misc" else f"sentence[{full}]"
    if name[0].isupper():
        return "a feature" if key is None else "a layered feature"
    full = f"{name}.{key}" if key else name
    return f"lower({full})" if attribute.lower else full


def _of_a_test(test: nodes.Test) -> Iterator[str]:
    match test:
        case Has(attribute=attribute):
            yield f"has {attribute_name(attribute)}"
        case Member(attribute=attribute, negated=negated, values=values):
            yield f"{attribute_name(attribute)} {'not ' if negated else ''}in {_of_a_set(values)}"
            if isinstance(values, ListLiteral):
                yield from () if values.values else ("empty list",)
                yield from ("$p in a list" for value in values.values if isinstance(value, Param))
        case Compare(attribute=attribute, op=op, values=values):
            name, regexes = attribute_name(attribute), [value for value in values if isinstance(value, RegexValue)]
            compared = {'misc."a key"': "misc.Key", 'sentence[meta."a key"]': "sentence[meta.key]"}
            ordered = {*_STRINGS, *_OF_SENTENCES, *_LOWERED} - {*compared, *compared.values()}
            compared |= dict.fromkeys(ordered, "a string")
            yield f"{compared.get(name, name) if op[0] in '<>' else name} {op}"
            yield from (f"{name} regex",) if regexes else ()
            yield from ("strings beside a regex",) if regexes and len(regexes) < len(values) else ()
            yield from ("several values",) if len(values) > 1 else ()
            yield from ("$p as a value" for value in values if isinstance(value, Param))
        case Not(test=And() | Or()):
            yield "not of several"
        case Not():
            yield "not of one"
        case Or(tests=tests) if any(isinstance(part, And) for part in tests):
            yield "and in or"
        case And(tests=tests) if any(isinstance(part, Or) for part in tests):
            yield "or in and"


def _of_a_set(values: ListLiteral | ListRef) -> str:
    return "@list" if isinstance(values, ListRef) else "a literal"


def _of_a_value(node: object) -> Iterator[str]:
    match node:
        case Value(text=text, quoted=quoted):
            yield "quoted value" if quoted else "reserved word as a value" if text in RESERVED else "bare value"
        case RegexValue(text=text, ignore_case=ignore_case):
            yield from ("regex with i",) if ignore_case else ()
            yield from ("regex escape",) if any(f"\\{char}" in text for char in ".|/$-*+?()[]{}\\") else ()
        case regex.Repeat(low=low, high=high):
            shapes = {(0, None): "x*", (1, None): "x+", (0, 1): "x?"}
            bounded = "x{m,}" if high is None else "x{m}" if low == high else "x{m,n}"
            yield f"regex {shapes.get((low, high), bounded)}"
        case regex.CharClass(members=members, negated=negated):
            yield from ("regex [^…]",) if negated else ()
            yield from ("regex class of categories" for part in members if isinstance(part, regex.Category))
        case regex.Category(name=name):
            yield "regex \\d" if name == "d" else f"regex \\p{{{name}}}"
