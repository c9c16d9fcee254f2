"""What the nodes, values and lists of a filter are called where a clause stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from fictdsl.compiler import CompiledFilter
from fictdsl.semantics.resolve.scopes import Scopes, scopes_of
from fictdsl.syntax import nodes
from fictdsl.syntax.parsing.program import Module


@dataclass
class Mention:
    """A node: how it is brought in where it is first spoken of, and how it is called afterwards."""

    first: str
    later: str

    def say(self) -> str:
        """The node, as it is called now."""
        said, self.first = self.first, self.later
        return said


@dataclass
class _Met:
    """What the description has met so far: any node at all, unnamed nodes that got a name, calls of patterns."""

    anything: bool
    unnamed: int = 0
    calls: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Words:
    """The names of a place: in the filter itself, or in a pattern whose own nodes are called `pattern.N`."""

    compiled: CompiledFilter
    module: Module
    scopes: Scopes
    met: _Met
    parameters: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    @classmethod
    def of(cls, compiled: CompiledFilter) -> Words:
        """The words of the filter's own clauses."""
        scopes = scopes_of(compiled.definition)
        anything = bool(scopes.of(compiled.definition.match).owned)
        return cls(compiled, compiled.module, scopes, _Met(anything))

    def name(self, text: str) -> str:
        """A named node: the caller's where the name is a parameter of a pattern."""
        return self.parameters.get(text, self.prefix + text)

    def owned(self, block: nodes.Block) -> list[str]:
        """The nodes that belong to a block, parameters aside."""
        return [self.name(text) for text in self.scopes.of(block).owned if text not in self.parameters]

    def node(self, term: nodes.NodeTerm, *, once: bool) -> Mention:
        """A node where it stands; an unnamed one that is spoken of more than `once` gets a name."""
        if term.name is not None:
            name = self.name(term.name.text)
            return Mention(name, name)
        return self.unnamed(once=once)

    def unnamed(self, *, once: bool) -> Mention:
        """A node without a name."""
        some = "some other word" if self.met.anything else "some word"
        self.met.anything = True
        if once:
            return Mention(some, some)
        self.met.unnamed += 1
        return Mention(f"{some} _{self.met.unnamed}", f"_{self.met.unnamed}")

    @contextmanager
    def inside(self, owned: Sequence[str]) -> Iterator[None]:
        """A block whose own nodes are `owned`: they are there for the clauses inside, and gone after it."""
        before = self.met.anything
        self.met.anything = before or bool(owned)
        yield
        self.met.anything = before

    def value(self, atom: nodes.Atom) -> str:
        """A value, the family parameter replaced."""
        return atom.text if isinstance(atom, nodes.Value) else (self.compiled.value or f"${atom.name}")

    def pattern(self, call: nodes.Call, arguments: Sequence[str]) -> tuple[nodes.Block, Words]:
        """The body of a pattern, with the words to describe it in."""
        module, pattern = next(
            (module, item)
            for module in self._modules()
            for item in module.file.items
            if isinstance(item, nodes.PatternDef) and item.name.text == call.pattern.text
        )
        self.met.calls[call.pattern.text] += 1
        number = self.met.calls[call.pattern.text]
        prefix = f"{call.pattern.text}{number if number > 1 else ''}."
        given = dict(zip((parameter.text for parameter in pattern.parameters), arguments, strict=True))
        inside = replace(self, module=module, scopes=scopes_of(pattern), parameters=given, prefix=prefix)
        return pattern.block, inside

    def entries(self, name: str) -> list[str]:
        """The entries of a list."""
        return list(
            next(
                module.entries(item) or ()
                for module in self._modules()
                for item in module.file.items
                if isinstance(item, nodes.ListDef) and item.name.text == name
            )
        )

    def _modules(self) -> Sequence[Module]:
        return (self.module, *self.module.uses.values())
