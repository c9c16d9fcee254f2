"""Blocks of clauses in which every name is in scope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fictdsl.syntax.nodes import (
    AttributeComparison,
    Before,
    Between,
    Block,
    Bounds,
    Call,
    Chain,
    Clause,
    Coincide,
    Count,
    Crossing,
    Edge,
    Either,
    Labels,
    LabelTest,
    Link,
    ListRef,
    Maybe,
    Measure,
    Name,
    Next,
    NodeAttribute,
    NodeTerm,
    Path,
    Relation,
    SentenceTest,
    Siblings,
    SumComparison,
    Summand,
    TupleMember,
    Without,
)
from fictdsl.syntax.walk import normal_sum
from tests.support.strategies import vocabulary as v
from tests.support.strategies.rng import Rng
from tests.support.strategies.word_tests import (
    LOWER_KINDS,
    NOWHERE,
    PLAIN_KINDS,
    Scope,
    atom,
    label,
    label_regex,
    number_attributes,
    sentence_test,
    word_test,
)

CLAUSES = (
    "without", "without", "without", "either", "either", "either", "either", "count", "count", "between", "relate",
    "maybe", "maybe", "crossing", "coincide", "coincide", "tuple", "tuple", "sums", "sums", "sums",
    "sentence", "sentence",
)  # fmt: skip
MOST_NODES = 32  # per filter, by the language
MOST_BLOCKS = 512  # readings of all blocks, by the compiler
RELATIONS = ("edge", "edge", "path", "path", "zero", "zero", "enhanced", "enhanced", "next", "before", "siblings")


@dataclass(frozen=True)
class Palette:
    """The kinds of constructs that a project uses: few at a time, so that they combine often.

    The numbers are percentages: of nodes with a test, of relations with labels, of unnamed neighbours.
    """

    clauses: tuple[str, ...]
    relations: tuple[str, ...]
    tests: int
    labels: int
    unnamed: int


def make_palette(rng: Rng) -> Palette:
    """Draw a palette."""
    clauses, relations = rng.several(CLAUSES, 1, 3), rng.several(RELATIONS, 1, 3)
    rates = [rng.pick(rate) for rate in ((10, 0, 50), (30, 0, 80), (15, 50))]
    return Palette(tuple(clauses), tuple(relations), *rates)


@dataclass(frozen=True)
class Callable:
    """A callable pattern: the numbers of its parameters, private nodes, readings, and readings of all its blocks."""

    name: str
    arity: int
    nodes: int
    readings: int
    blocks: int


@dataclass
class Names:
    """The nodes used so far in a filter or pattern, their names, and the readings of its blocks.

    `budget` is the intended number of nodes, `most` the maximum, `most_blocks` the maximum of readings of all blocks.
    """

    scope: Scope
    patterns: tuple[Callable, ...]
    palette: Palette
    budget: int
    most: int = MOST_NODES
    most_blocks: int = MOST_BLOCKS
    spent: int = 0
    given: int = 0
    blocks: int = 0

    def fresh(self) -> str:
        """Return an unused name; patterns and filters use the same names."""
        self.spent += 1
        self.given += 1
        return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[self.given - 1] if self.given <= 26 else f"N{self.given}"

    def room(self, nodes: int = 1) -> bool:
        """Return whether this many more nodes are within the budget."""
        return self.spent + nodes <= self.budget

    def fits(self, nodes: int = 1) -> bool:
        """Return whether this many more nodes are within the maximum."""
        return self.spent + nodes <= self.most


@dataclass
class _Frame:
    """A block under construction.

    `own` are its nodes; `released` are names of its `without` and counting blocks, which a sibling may reuse.
    `times` bounds the readings of the whole that contain it, `most` its own readings, of which it has `readings` so far.
    """

    visible: tuple[str, ...]
    times: int
    most: int
    readings: int = 1
    own: list[str] = field(default_factory=list)
    released: list[str] = field(default_factory=list)

    def names(self) -> tuple[str, ...]:
        return (*self.visible, *self.own)

    @property
    def left(self) -> int:
        """Return the factor by which its readings may still grow."""
        return self.most // self.readings


def name(text: str) -> Name:
    """Return a name without a location."""
    return Name(text, span=NOWHERE)


class BlockMaker:
    """Draws the parts of nested blocks, so that names stay in their scopes."""

    def __init__(self, rng: Rng, names: Names) -> None:
        self.rng = rng
        self.names = names

    def block(
        self,
        visible: tuple[str, ...],
        depth: int,
        readings: int,
        times: int = 1,
        forced: tuple[str, ...] = (),
        reusable: tuple[str, ...] = (),
    ) -> tuple[Block, list[str], int]:
        """Draw a block that sees `visible`; return it with its nodes and readings.

        Each of `forced` occurs in it directly. It has at most `readings` readings, and is in at most `times` readings
        of the enclosing blocks.
        """
        frame = _Frame(visible, times * readings, readings)
        for _ in range(self.rng.pick([0, 0, 1, 1, 2] if visible else [0, 1, 1, 2, 2, 3])):
            if self.names.room():
                frame.own.append(self._new(tuple(n for n in reusable if n not in frame.own)))
        introduced = list(dict.fromkeys([*forced, *frame.own]))
        frame.own = [n for n in introduced if n not in visible]
        clauses: list[Clause] = [self._about(n, frame) for n in introduced]
        for _ in range(self.rng.pick([0, 1, 1, 1, 2] if clauses and depth else [0, 1] if clauses else [1, 1, 2])):
            clauses.append(self._clause(frame, depth))
        return Block(tuple(self.rng.shuffled(clauses)), span=NOWHERE), frame.own, frame.readings

    def _new(self, reusable: tuple[str, ...] = ()) -> str:
        if reusable and self.rng.flag():
            self.names.spent += 1
            return self.rng.pick(reusable)
        return self.names.fresh()

    # --- clauses ----------------------------------------------------------------------------------

    def _about(self, node: str, frame: _Frame) -> Clause:
        """Draw a clause in which `node` occurs, often with another node."""
        others = [n for n in frame.names() if n != node]
        if not others or not self.rng.between(0, 4):
            return Chain(self._term(node), (), span=NOWHERE)
        first, second = self.rng.shuffled([node, self.rng.pick(others)])
        if "relate" in self.names.palette.clauses and self.rng.flag():
            return self._relate(first, second)
        if "sums" in self.names.palette.clauses and self.rng.flag():
            return self._sums((first, second), (first, second))
        return Chain(self._term(first), (self._link(second),), span=NOWHERE)

    def _clause(self, frame: _Frame, depth: int) -> Clause:
        calls = ("call",) * len(self.names.palette.clauses) if self.names.patterns else ()
        kind = self.rng.pick(("chain", *self.names.palette.clauses, *calls))
        match kind:
            case "between" if len(frame.names()) > 2 or (len(frame.names()) == 2 and self.names.fits()):
                return self._between(frame)
            case "relate" if frame.names():
                left, right = self.rng.several(frame.names(), 2, 2)
                return self._relate(left, right)
            case "crossing" if len(frame.names()) > 1 or (frame.names() and self.names.fits()):
                return self._crossing(frame)
            case "coincide" if frame.own and len(frame.names()) > 1:
                return self._coincide(frame)
            case "maybe" if depth and frame.left > 1 and self._room_inside(frame):
                return self._maybe(frame, depth)
            case "sums" if frame.names():
                return self._sums(frame.names())
            case "tuple" if frame.names() and self.names.scope.tables:
                return self._tuple(frame)
            case "sentence":
                return SentenceTest(sentence_test(self.rng, self.names.scope), span=NOWHERE)
            case "call" if self._callable(frame):
                return self._call(frame)
            case "without" if depth and self._room_inside(frame):
                return self._without(frame, depth)
            case "count" if depth and self.names.room() and self._room_inside(frame):
                return self._count(frame, depth)
            case "either" if depth and frame.left > 1:
                return self._either(frame, depth)
        return self._chain(frame)

    def _chain(self, frame: _Frame) -> Clause:
        """Draw a chain of visible names and unnamed nodes; neighbours differ. If no node fits, test the sentence."""
        if not frame.names() and not self.names.fits():
            return SentenceTest(sentence_test(self.rng, self.names.scope), span=NOWHERE)
        ends = [self._pick(frame, None)]
        for _ in range(self.rng.between(1, 3)):
            if self.names.fits() or {*frame.names()} - {ends[-1]}:
                ends.append(self._pick(frame, ends[-1]))
        return Chain(self._term(ends[0]), tuple(self._link(end) for end in ends[1:]), span=NOWHERE)

    def _pick(self, frame: _Frame, not_this: str | None) -> str | None:
        choices: list[str | None] = [n for n in frame.names() if n != not_this]
        if not choices or (self.names.room() and self.rng.often(self.names.palette.unnamed)):
            self.names.spent += 1
            return None
        return self.rng.pick(choices)

    def _between(self, frame: _Frame) -> Clause:
        picked = list(self.rng.shuffled(frame.names()))[:3]
        terms = [self._term(n) for n in picked] + [self._term(None)] * (3 - len(picked))
        self.names.spent += 3 - len(picked)
        return Between(*self.rng.shuffled(terms), span=NOWHERE)

    def _crossing(self, frame: _Frame) -> Clause:
        left = self._pick(frame, None)
        return Crossing(self._term(left), self._term(self._pick(frame, left)), span=NOWHERE)

    def _coincide(self, frame: _Frame) -> Clause:
        own = self.rng.pick(frame.own)
        pair = self.rng.shuffled([own, self.rng.pick([n for n in frame.names() if n != own])])
        return Coincide(name(pair[0]), name(pair[1]), span=NOWHERE)

    def _maybe(self, frame: _Frame, depth: int) -> Clause:
        """Draw a `maybe`, whose block is read once in place of the clause and once in a `without`."""
        share = min(frame.left - 1, self._room_inside(frame))
        self.names.blocks += frame.times * share
        inner, _, found = self.block(frame.names(), depth - 1, share, frame.times)
        frame.readings *= found + 1
        return Maybe(inner, span=NOWHERE)

    def _relate(self, left: str, right: str) -> Clause:
        kind = self.rng.pick(["plain", "plain", "lower", "number", "ordered"])
        plain = tuple(dict.fromkeys(kind.attribute for kind in PLAIN_KINDS))
        pool = {
            "plain": plain,
            "ordered": (*number_attributes(), *(a for a in plain if a.name in ("misc", "Person", "form")), *plain),
            "lower": tuple(kind.attribute for kind in LOWER_KINDS),
            "number": number_attributes(),
        }[kind]
        first = self.rng.pick(pool)
        second = self.rng.pick([first, first, *pool])
        ops = {"number": ["=", "!=", "<", "<=", ">", ">="], "ordered": ["<", "<=", ">", ">="]}
        op = self.rng.pick(ops.get(kind, ["=", "!="]))
        return AttributeComparison(
            NodeAttribute(name(left), first, span=NOWHERE),
            op,
            NodeAttribute(name(right), second, span=NOWHERE),
            span=NOWHERE,
        )

    def _sums(self, names: Sequence[str], required: tuple[str, ...] = ()) -> Clause:
        """Draw a comparison of numbers of words, which do not cancel out, with all `required` names (two or none)."""
        left = self._sum(self._measure(names), names)
        right = self._sum(self._measure(names) if self.rng.often(40) else self.rng.between(0, 6), names)
        op = self.rng.pick(["=", "!=", "<", "<=", ">", ">="])
        clause = SumComparison(left, op, right, span=NOWHERE)
        measured = {name for pair in normal_sum(clause).factors for name in pair}
        if measured and measured >= {*required}:
            return clause
        simple = self._pair(names) if required else self._subtree(names)
        return SumComparison(
            (Summand(simple, False, span=NOWHERE),), op, (Summand(1, False, span=NOWHERE),), span=NOWHERE
        )

    def _sum(self, first: Measure | int, names: Sequence[str]) -> tuple[Summand, ...]:
        summands = [Summand(first, isinstance(first, int) and self.rng.often(15), span=NOWHERE)]
        while self.rng.often(30):
            number = self._measure(names) if self.rng.flag() else self.rng.between(0, 3)
            summands.append(Summand(number, self.rng.flag(), span=NOWHERE))
        return tuple(summands)

    def _measure(self, names: Sequence[str]) -> Measure:
        return self._subtree(names) if len(names) < 2 or self.rng.often(40) else self._pair(names)

    def _subtree(self, names: Sequence[str]) -> Measure:
        return Measure("subtree", (name(self.rng.pick(names)),), span=NOWHERE)

    def _pair(self, names: Sequence[str]) -> Measure:
        pair = tuple(map(name, self.rng.shuffled(names, 2)))
        return Measure(self.rng.pick(["span", "distance"]), pair, span=NOWHERE)

    def _tuple(self, frame: _Frame) -> Clause:
        """Draw a pair of attributes, of one word or of two, in a list of pairs."""
        pool = [kind.attribute for kind in (*PLAIN_KINDS, *LOWER_KINDS)]
        places = self.rng.several(frame.names(), 2, 2)
        sides = tuple(NodeAttribute(name(place), self.rng.pick(pool), span=NOWHERE) for place in places)
        table = ListRef(self.rng.pick(self.names.scope.tables), span=NOWHERE)
        return TupleMember(sides, self.rng.flag(), table, span=NOWHERE)

    def _room_inside(self, frame: _Frame) -> int:
        """Return the maximal number of readings of a block inside this one."""
        return min(6, (self.names.most_blocks - self.names.blocks) // frame.times)

    def _readings_inside(self, frame: _Frame) -> int:
        readings = self.rng.between(1, self._room_inside(frame))
        self.names.blocks += frame.times * readings
        return readings

    def _without(self, frame: _Frame, depth: int) -> Clause:
        readings = self._readings_inside(frame)
        inner, own, _ = self.block(frame.names(), depth - 1, readings, frame.times, reusable=tuple(frame.released))
        frame.released += own
        return Without(inner, span=NOWHERE)

    def _count(self, frame: _Frame, depth: int) -> Clause:
        counted = self._new(tuple(frame.released))
        rest = tuple(n for n in frame.released if n != counted)
        readings = self._readings_inside(frame)
        inner, own, _ = self.block(frame.names(), depth - 1, readings, frame.times, forced=(counted,), reusable=rest)
        frame.released += own
        quantifier = self.rng.pick(["at least", "at most", "exactly"])
        number = self.rng.between(1 if quantifier == "at least" else 0, 3)
        return Count(quantifier, number, self._term(counted), inner, span=NOWHERE)

    def _either(self, frame: _Frame, depth: int) -> Clause:
        common = [self.names.fresh()] if self.names.room() and self.rng.flag() else []
        private: list[str] = []
        branches = []
        number = self.rng.pick([2, 2, 3]) if frame.left > 2 else 2
        share = frame.left // number
        around = frame.times // share  # a reading of a branch stands in that many readings
        readings = 0
        for _ in range(number):
            inner, own, found = self.block(
                frame.names(), depth - 1, share, around, tuple(common), tuple(dict.fromkeys(private))
            )
            private += [n for n in own if n not in common]
            branches.append(inner)
            readings += found
        frame.readings *= readings
        frame.own += common
        return Either(tuple(branches), span=NOWHERE)

    def _callable(self, frame: _Frame) -> list[Callable]:
        def fits(pattern: Callable) -> bool:
            blocks = self.names.blocks + frame.times * pattern.blocks
            small = pattern.readings <= frame.left and blocks <= self.names.most_blocks
            return small and self.names.room(pattern.nodes + pattern.arity)

        return [pattern for pattern in self.names.patterns if fits(pattern)]

    def _call(self, frame: _Frame) -> Clause:
        called = self.rng.pick(self._callable(frame))
        self.names.spent += called.nodes
        self.names.blocks += frame.times * called.blocks
        frame.readings *= called.readings
        arguments: list[Name | None] = []
        for _ in range(called.arity):
            left = [n for n in frame.names() if name(n) not in arguments]
            choice = self.rng.pick([*left, *left, "new", "_"])
            if choice == "new":
                choice = self.names.fresh()
                frame.own.append(choice)
            elif choice == "_":
                self.names.spent += 1
            arguments.append(None if choice == "_" else name(choice))
        return Call(name(called.name), tuple(arguments), span=NOWHERE)

    # --- nodes and relations ----------------------------------------------------------------------

    def _term(self, node: str | None) -> NodeTerm:
        tests = self.names.palette.tests
        scope, upos = self.names.scope, ()
        if self.rng.often(tests):
            upos = tuple(atom(self.rng, v.UPOS, scope) for _ in range(self.rng.between(1, 3)))
        test = word_test(self.rng, self.names.scope) if self.rng.often(tests) else None
        return NodeTerm(None if node is None else name(node), upos, test, span=NOWHERE)

    def _link(self, target: str | None) -> Link:
        return Link(self._relation(), self._term(target), span=NOWHERE)

    def _relation(self) -> Relation:
        match self.rng.pick(self.names.palette.relations):
            case "edge":
                return Edge(self._labels(), self.rng.flag(), False, span=NOWHERE)
            case "enhanced":
                return Edge(self._labels(), False, True, span=NOWHERE)
            case "path":
                return Path(self._labels(), self._bounds(1, 2), span=NOWHERE)
            case "zero":
                return Path(self._labels(), self._bounds(0), span=NOWHERE)
            case "next":
                return Next(span=NOWHERE)
            case "before":
                return Before(self._bounds(1, 2), span=NOWHERE)
        return Siblings(span=NOWHERE)

    def _labels(self) -> Labels | None:
        if not self.rng.often(self.names.palette.labels):
            return None
        chosen = tuple(self._label() for _ in range(self.rng.between(1, 3)))
        return Labels(chosen, not self.rng.between(0, 2), span=NOWHERE)

    def _label(self) -> LabelTest:
        if self.rng.often(20):
            return LabelTest(label_regex(self.rng), False, span=NOWHERE)
        return LabelTest(label(self.rng, self.names.scope), self.rng.flag(), span=NOWHERE)

    def _bounds(self, *lows: int) -> Bounds | None:
        more = [] if 0 in lows else ["none", "none", "to"]
        match self.rng.pick(["from", "range", "exact", *more]):
            case "range":
                low = self.rng.pick(lows)
                return Bounds(low, low + self.rng.between(0 if low else 1, 2), span=NOWHERE)
            case "from":
                return Bounds(self.rng.pick(lows), None, span=NOWHERE)
            case "to":
                return Bounds(None, self.rng.between(1, 3), span=NOWHERE)
            case "exact":
                number = self.rng.pick(lows)
                return Bounds(number, number, span=NOWHERE)
        return None
