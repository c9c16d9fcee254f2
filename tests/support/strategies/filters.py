"""Whole projects: a filter, the patterns and lists it names, some of them in a second file or in list files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from fictdsl.syntax.nodes import (
    Action,
    Block,
    Clause,
    Count,
    Either,
    Family,
    File,
    FilterDef,
    Item,
    ListDef,
    ListFile,
    ListLiteral,
    PatternDef,
    Target,
    Text,
    Use,
    Value,
    Without,
)
from fictdsl.syntax.printer import print_file
from tests.support.strategies import vocabulary as v
from tests.support.strategies.blocks import BlockMaker, Callable, Names, Palette, name, palettes
from tests.support.strategies.word_tests import LOWER_FORMS, NOWHERE, Scope, focuses, values

LIST_TEXTS = (*v.COMMON_FORMS, *LOWER_FORMS, *v.PHRASES, *v.LEMMAS, "NOUN", "nsubj", "obl:tmod", "Sing", "#", "a,b")
LIST_TEXTS = tuple(sorted({text for text in LIST_TEXTS if "\u2028" not in text}))
FAMILY_VALUES = ("nsubj", "NOUN", "dog", "Sing", "obj", "DET", "3", "acl")


@dataclass(frozen=True)
class Project:
    """A main file with one filter; `lists` and `used` are the other files, by the path as written."""

    file: File
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    used: dict[str, File] = field(default_factory=dict)

    @property
    def filter(self) -> FilterDef:
        """The one filter."""
        return next(item for item in self.file.items if isinstance(item, FilterDef))

    def text(self) -> str:
        """The main file, printed."""
        return print_file(self.file)

    def write(self, folder: Path) -> Path:
        """Put all files into a folder; the path of the main one."""
        (folder / "pyproject.toml").touch()
        for path, entries in self.lists.items():
            lines = [entry.replace("#", "\\#", 1) if entry.startswith("#") else entry for entry in entries]
            (folder / path).write_text("# words\n" + "".join(f"{line}\n" for line in lines), "utf-8")
        for path, file in self.used.items():
            (folder / path).write_text(print_file(file), "utf-8")
        (folder / "main.fict").write_text(self.text(), "utf-8")
        return folder / "main.fict"

    def with_match(self, block: Block) -> Project:
        """The same project around another match; actions go, since they name nodes."""
        changed = FilterDef(self.filter.name, self.filter.family, self.filter.metadata, block, (), NOWHERE)
        items = tuple(changed if isinstance(item, FilterDef) else item for item in self.file.items)
        return Project(File(self.file.version, items, NOWHERE), self.lists, self.used)


@st.composite
def projects(draw: st.DrawFn, budget: int = 6, *, several_files: bool = True, any_target: bool = False) -> Project:
    """A project whose filter passes every check; its actions are on sentences unless `any_target`."""
    palette, focus = draw(palettes()), draw(focuses())
    lists: dict[str, tuple[str, ...]] = {}
    used: dict[str, File] = {}
    items: list[Item] = []
    names: list[str] = []
    patterns: list[Callable] = []
    if several_files and not draw(st.integers(0, 3)):
        path = draw(st.sampled_from(["shared.fict", "it's shared.fict"]))
        shared_names: list[str] = []
        shared = [
            *_lists(draw, "s", shared_names, lists),
            *_patterns(draw, "sp", Scope(focus, tuple(shared_names)), palette, patterns),
        ]
        used[path] = File("1", tuple(shared), NOWHERE)
        items.append(Use(Value(path, True, NOWHERE), NOWHERE))
        names += shared_names
    items += _lists(draw, "w", names, lists if several_files else None)
    items += _patterns(draw, "p", Scope(focus, tuple(names)), palette, patterns)
    family = draw(_families()) if draw(st.integers(0, 3)) == 0 else None
    depth = draw(st.sampled_from([1, 2, 2, 3]))
    scope = Scope(focus, tuple(names), None if family is None else family.parameter.text)
    items.append(draw(_filters(family, Names(scope, tuple(patterns), palette, budget), depth, any_target)))
    return Project(File("1", tuple(draw(st.permutations(items))), NOWHERE), lists, used)


def _lists(draw: st.DrawFn, prefix: str, names: list[str], files: dict[str, tuple[str, ...]] | None) -> list[Item]:
    """Up to two lists, in place or in files; their names are added to `names`."""
    items: list[Item] = []
    for number in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        own = f"{prefix}{number}"
        names.append(own)
        chosen = draw(st.lists(values(LIST_TEXTS), max_size=6, unique_by=lambda value: value.text))
        if files is not None and draw(st.booleans()):
            path = f"{own}.txt"
            files[path] = tuple(value.text for value in chosen)
            items.append(ListDef(name(own), ListFile(Value(path, True, NOWHERE), NOWHERE), NOWHERE))
        else:
            items.append(ListDef(name(own), ListLiteral(tuple(chosen), NOWHERE), NOWHERE))
    return items


def _patterns(draw: st.DrawFn, prefix: str, scope: Scope, palette: Palette, patterns: list[Callable]) -> list[Item]:
    """Up to two patterns, which may call those before them; added to `patterns`."""
    items: list[Item] = []
    for number in range(draw(st.sampled_from([0, 0, 1, 1, 2]))):
        own = f"{prefix}{number}"
        spent = Names(scope, tuple(patterns), palette, budget=3)
        parameters = tuple(spent.fresh() for _ in range(draw(st.integers(0, 2))))
        spent.spent = 0
        block, _ = BlockMaker(draw, spent).block(parameters, depth=1)
        items.append(PatternDef(name(own), tuple(name(p) for p in parameters), block, NOWHERE))
        patterns.append(Callable(own, len(parameters), spent.spent))
    return items


@st.composite
def _families(draw: st.DrawFn) -> Family:
    chosen = draw(st.lists(values(FAMILY_VALUES), min_size=1, max_size=2, unique_by=lambda value: value.text))
    return Family(name("p"), tuple(chosen), NOWHERE)


@st.composite
def _filters(draw: st.DrawFn, family: Family | None, spent: Names, depth: int, any_target: bool) -> FilterDef:
    block, own = BlockMaker(draw, spent).block((), depth)
    about = Text("about", Value('A generated filter: "x", \\ and é.', True, NOWHERE), NOWHERE)
    actions = tuple(draw(st.lists(_actions(tuple(own) if any_target else ()), max_size=1)))
    return FilterDef(name("generated"), family, (about,), block, actions, NOWHERE)


@st.composite
def _actions(draw: st.DrawFn, own: tuple[str, ...]) -> Action:
    kinds = ["sentence", *(["node", "subtree"] if own else []), *(["span"] if len(own) > 1 else [])]
    kind = draw(st.sampled_from(kinds))
    size = {"sentence": 0, "node": 1, "subtree": 1, "span": 2}[kind]
    target = Target(kind, tuple(name(n) for n in draw(st.permutations(own))[:size]), NOWHERE)
    verbs = ["remove", "keep", "count"] if kind == "sentence" else ["remove", "mask", "count"]
    verb = draw(st.sampled_from(verbs))
    tag = draw(st.sampled_from([None, "upos", "xpos", "deprel"])) if verb == "mask" else None
    text = Value("<mask>", True, NOWHERE) if verb == "mask" and tag is None and draw(st.booleans()) else None
    return Action(verb, target, text, tag, NOWHERE)


def constructs(project: Project) -> set[str]:
    """The names of the syntax nodes that a project is made of, for counting what was exercised."""
    found: set[str] = set()
    stack: list[object] = [project.file, *project.used.values()]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack += node
        elif hasattr(node, "__dataclass_fields__") and not isinstance(node, str):
            found.add(type(node).__name__)
            stack += [getattr(node, key) for key in node.__dataclass_fields__ if key not in {"span", "regex"}]
    return found


Nested = Without | Either | Count


def inner_blocks(clause: Clause) -> tuple[Block, ...]:
    """The blocks inside a clause."""
    match clause:
        case Without(block) | Count(_, _, _, block):
            return (block,)
        case Either(branches):
            return branches
    return ()
