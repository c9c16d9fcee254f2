"""The names of nodes, values and lists in the description of a clause."""

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
    """The expressions for a node: one for its first mention, one for later mentions."""

    first: str
    later: str

    def use(self) -> str:
        """Return the expression for the next mention."""
        expression, self.first = self.first, self.later
        return expression


@dataclass
class _State:
    """The state of a description: whether a word was mentioned, and counts of unnamed nodes and of pattern calls."""

    word_mentioned: bool
    unnamed_count: int = 0
    call_counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Names:
    """The names of nodes in a filter, or in one call of a pattern.

    Node N of the first call of a pattern P is called `P.N`, and node N of the second call `P2.N`.
    """

    compiled: CompiledFilter
    module: Module
    scopes: Scopes
    state: _State
    parameters: dict[str, str] = field(default_factory=dict)
    prefix: str = ""

    @classmethod
    def of(cls, compiled: CompiledFilter) -> Names:
        """Return the names for the clauses of the filter itself."""
        scopes = scopes_of(compiled.definition)
        word_mentioned = bool(scopes.of(compiled.definition.match).owned)
        return cls(compiled, compiled.module, scopes, _State(word_mentioned))

    def name(self, text: str) -> str:
        """Return the name of a node; for a parameter of a pattern, the name that the caller uses."""
        return self.parameters.get(text, self.prefix + text)

    def owned(self, block: nodes.Block) -> list[str]:
        """Return the names of the nodes that belong to a block, excluding parameters."""
        return [self.name(text) for text in self.scopes.of(block).owned if text not in self.parameters]

    def node(self, term: nodes.NodeTerm, *, once: bool) -> Mention:
        """Return the expressions for a node. An unnamed node gets a name, unless it is mentioned only `once`."""
        if term.name is not None:
            name = self.name(term.name.text)
            return Mention(name, name)
        return self.unnamed(once=once)

    def unnamed(self, *, once: bool) -> Mention:
        """Return the expressions for a node without a name."""
        expression = "some other word" if self.state.word_mentioned else "some word"
        self.state.word_mentioned = True
        if once:
            return Mention(expression, expression)
        self.state.unnamed_count += 1
        return Mention(f"{expression} _{self.state.unnamed_count}", f"_{self.state.unnamed_count}")

    @contextmanager
    def inside(self, owned: Sequence[str]) -> Iterator[None]:
        """Enter a block whose own nodes are `owned`. They count as mentioned inside the block only."""
        mentioned_before = self.state.word_mentioned
        self.state.word_mentioned = mentioned_before or bool(owned)
        yield
        self.state.word_mentioned = mentioned_before

    def value(self, atom: nodes.Atom) -> str:
        """Return the text of a value, with the family's parameter replaced."""
        return atom.text if isinstance(atom, nodes.Value) else (self.compiled.value or f"${atom.name}")

    def enter_pattern(self, call: nodes.Call, arguments: Sequence[str]) -> tuple[nodes.Block, Names]:
        """Count a call of a pattern. Return the body of the pattern and the names in it."""
        module, pattern = next(
            (module, item)
            for module in self._modules()
            for item in module.file.items
            if isinstance(item, nodes.PatternDef) and item.name.text == call.pattern.text
        )
        self.state.call_counts[call.pattern.text] += 1
        count = self.state.call_counts[call.pattern.text]
        prefix = f"{call.pattern.text}{count if count > 1 else ''}."
        parameters = dict(zip((parameter.text for parameter in pattern.parameters), arguments, strict=True))
        pattern_names = replace(self, module=module, scopes=scopes_of(pattern), parameters=parameters, prefix=prefix)
        return pattern.block, pattern_names

    def entries(self, name: str) -> list[str]:
        """Return the entries of a list."""
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
