"""Whole projects: a filter with its patterns and lists, some of them in a second file or in list files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from fictdsl.source import Source
from fictdsl.syntax.nodes import (
    Action,
    Block,
    Family,
    File,
    FilterDef,
    Item,
    ListDef,
    ListFile,
    ListLiteral,
    ListRows,
    Metadata,
    PatternDef,
    Row,
    Target,
    TargetBenchmarks,
    Text,
    Use,
    Value,
)
from fictdsl.syntax.parse import parse
from fictdsl.syntax.printer import print_file
from tests.support.strategies import vocabulary as v
from tests.support.strategies.blocks import (
    MOST_BLOCKS,
    MOST_NODES,
    BlockMaker,
    Callable,
    Names,
    Palette,
    make_palette,
    name,
)
from tests.support.strategies.rewrites import make_rewrite
from tests.support.strategies.rng import Rng, strategy
from tests.support.strategies.word_tests import LOWER_FORMS, NOWHERE, Scope, focus, value

LIST_TEXTS = (*v.COMMON_FORMS, *LOWER_FORMS, *v.PHRASES, *v.LEMMAS, "NOUN", "nsubj", "obl:tmod", "Sing", "#", "a,b")
LIST_TEXTS = tuple(sorted({text for text in LIST_TEXTS if "\u2028" not in text}))
ABOUT = ('A generated filter: "x", \\ and é.', "")
TARGETS = ("blimp/anaphor_number_agreement", "other/x-1")
FAMILY_VALUES = ("nsubj", "NOUN", "dog", "Sing", "obj", "DET", "3", "acl")


@dataclass(frozen=True)
class Project:
    """A main file with one filter; `lists` and `used` are the other files, by the path in the text."""

    file: File
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    used: dict[str, File] = field(default_factory=dict)

    @property
    def filter(self) -> FilterDef:
        """Return the filter."""
        return next(item for item in self.file.items if isinstance(item, FilterDef))

    def text(self) -> str:
        """Return the main file as text."""
        return print_file(self.file)

    def write(self, folder: Path) -> Path:
        """Write all files into a folder; return the path of the main file."""
        (folder / "pyproject.toml").touch()
        for path, entries in self.lists.items():
            lines = [entry.replace("#", "\\#", 1) if entry.startswith("#") else entry for entry in entries]
            (folder / path).write_text("# words\n" + "".join(f"{line}\n" for line in lines), "utf-8")
        for path, file in self.used.items():
            (folder / path).write_text(print_file(file), "utf-8")
        (folder / "main.fict").write_text(self.text(), "utf-8")
        return folder / "main.fict"

    def files(self) -> tuple[File, ...]:
        """Return the syntax trees of all files, the main file first."""
        return (self.file, *self.used.values())

    def with_match(self, block: Block) -> Project:
        """Return the project with another match, without actions, since they name nodes."""
        changed = FilterDef(self.filter.name, self.filter.family, self.filter.metadata, block, (), span=NOWHERE)
        items = tuple(changed if isinstance(item, FilterDef) else item for item in self.file.items)
        return Project(File(self.file.version, items, span=NOWHERE), self.lists, self.used)


def projects(*, several_files: bool = True) -> st.SearchStrategy[Project]:
    """Return the strategy of projects whose filter passes every check."""
    return strategy(lambda rng: make_project(rng, several_files=several_files))


def make_project(rng: Rng, *, several_files: bool = True) -> Project:
    """Draw a project with few kinds of constructs: patterns and lists, some in other files, and a filter."""
    maker = _Maker(rng, make_palette(rng), focus(rng))
    lists: dict[str, tuple[str, ...]] = {}
    used: dict[str, File] = {}
    items: list[Item] = []
    if several_files and rng.often(25):
        path = rng.pick(["shared.fict", "it's shared.fict"])
        used[path] = File("1", (*maker.lists("s", lists), *maker.patterns("sp")), span=NOWHERE)
        items.append(Use(Value(path, True, span=NOWHERE), span=NOWHERE))
    items += maker.lists("w", lists if several_files else None)
    items += maker.patterns("p")
    items.append(maker.filter())
    if rng.often(20):
        items.append(parsed_rewrite(make_rewrite(rng, "rewritten")))
    return Project(File("1", tuple(rng.shuffled(items)), span=NOWHERE), lists, used)


def parsed_rewrite(text: str) -> Item:
    """Return the syntax tree of a rewrite."""
    file, problems = parse(Source.of(f"fict 1\n{text}\n", "rewrite.fict"))
    assert file is not None, problems
    assert not problems, text
    return file.items[0]


@dataclass
class _Maker:
    """Draws the items of a project; later items can use earlier ones."""

    rng: Rng
    palette: Palette
    focus: tuple[int, ...]
    list_names: list[str] = field(default_factory=list)
    feats_list_names: list[str] = field(default_factory=list)
    table_names: list[str] = field(default_factory=list)
    callable: list[Callable] = field(default_factory=list)

    def lists(self, prefix: str, files: dict[str, tuple[str, ...]] | None) -> list[Item]:
        """Draw up to two lists of words, rarely one of FEATS, and rarely a table.

        They are inline or, if `files` is not None, in list files that are added to it.
        """
        word_lists = [f"{prefix}{number}" for number in range(self.rng.pick([0, 0, 1, 1, 2]))]
        feats_lists = [f"{prefix}f"] if self.rng.often(20) else []
        self.list_names += word_lists
        self.feats_list_names += feats_lists
        return [
            *(self._list(own, LIST_TEXTS, files) for own in word_lists),
            *(self._list(own, v.FEATS, files) for own in feats_lists),
            *self._table(f"{prefix}t", files),
        ]

    def _list(self, own: str, pool: Sequence[str], files: dict[str, tuple[str, ...]] | None) -> Item:
        texts = self.rng.different(pool, 0, 6)
        body: ListLiteral | ListFile = ListLiteral(tuple(value(self.rng, (text,)) for text in texts), span=NOWHERE)
        if files is not None and self.rng.flag():
            files[f"{own}.txt"] = tuple(texts)
            body = ListFile(Value(f"{own}.txt", True, span=NOWHERE), span=NOWHERE)
        return ListDef(name(own), body, span=NOWHERE)

    def _table(self, own: str, files: dict[str, tuple[str, ...]] | None) -> list[Item]:
        """Draw a list of pairs, or none."""
        if not self.rng.often(40):
            return []
        self.table_names.append(own)
        features = (value for values in v.FEATURES.values() for value in values)
        words = (*v.COMMON_FORMS, *v.LEMMAS, *v.UPOS, *v.DEPRELS, *features, *v.MISC_VALUES, *v.TOKENS)
        pool = tuple(text for text in words if text not in ("_", ""))
        pairs = [tuple(self.rng.several(pool, 2, 2)) for _ in range(self.rng.between(1, 24))]
        if files is not None and self.rng.flag():
            files[f"{own}.tsv"] = tuple(dict.fromkeys(map("\t".join, pairs)))
            return [
                ListDef(
                    name(own), ListFile(Value(f"{own}.tsv", True, span=NOWHERE), span=NOWHERE, table=True), span=NOWHERE
                )
            ]
        rows = tuple(Row(tuple(value(self.rng, (text,)) for text in pair), span=NOWHERE) for pair in pairs)
        return [ListDef(name(own), ListRows(rows, span=NOWHERE), span=NOWHERE)]

    def patterns(self, prefix: str) -> list[Item]:
        """Draw up to two patterns, which may call earlier ones."""
        items: list[Item] = []
        for number in range(self.rng.pick([0, 0, 1, 1, 2])):
            own = f"{prefix}{number}"
            names = self._names(None, budget=3, most=5, most_blocks=8)
            parameters = tuple(names.fresh() for _ in range(self.rng.between(0, 2)))
            names.spent, readings = 0, self.rng.pick([1, 2, 4])
            block, _, readings = BlockMaker(self.rng, names).block(parameters, self.rng.pick([1, 1, 2]), readings)
            items.append(PatternDef(name(own), tuple(name(p) for p in parameters), block, span=NOWHERE))
            self.callable.append(Callable(own, len(parameters), names.spent, readings, names.blocks))
        return items

    def filter(self) -> FilterDef:
        """Draw the filter."""
        family = None
        if self.rng.often(25):
            chosen = tuple(value(self.rng, (text,)) for text in self.rng.different(FAMILY_VALUES, 1, 2))
            family = Family(name("p"), chosen, span=NOWHERE)
        names = self._names(None if family is None else "p", budget=6)
        depth, readings = self.rng.pick([1, 2, 2, 3]), self.rng.pick([4, 16, 48])
        names.blocks = readings
        block, own, _ = BlockMaker(self.rng, names).block((), depth, readings)
        actions = tuple(self._action(own) for _ in range(self.rng.pick([0, 0, 1, 1, 2])))
        return FilterDef(name("generated"), family, tuple(self._metadata(family)), block, actions, span=NOWHERE)

    def _names(
        self, parameter: str | None, budget: int, most: int = MOST_NODES, most_blocks: int = MOST_BLOCKS
    ) -> Names:
        scope = Scope(
            self.focus, tuple(self.list_names), parameter, tuple(self.table_names), tuple(self.feats_list_names)
        )
        return Names(scope, tuple(self.callable), self.palette, budget, most, most_blocks)

    def _metadata(self, family: Family | None) -> Iterator[Metadata]:
        for kind in ("about", "source", "note", "note"):
            if self.rng.flag():
                texts = ABOUT if family is None else (*ABOUT, "What $p does.")
                yield Text(kind, Value(self.rng.pick(texts), True, span=NOWHERE), span=NOWHERE)
        if self.rng.flag():
            yield TargetBenchmarks(tuple(name(target) for target in self.rng.different(TARGETS, 1, 2)), span=NOWHERE)

    def _action(self, own: list[str]) -> Action:
        rng = self.rng
        kind = rng.pick(["sentence", *(["node", "subtree", "span"] if own else [])])
        size = {"sentence": 0, "node": 1, "subtree": 1, "span": 2}[kind]
        target = Target(kind, tuple(name(rng.pick(own)) for _ in range(size)), span=NOWHERE)
        verb = rng.pick(["remove", "keep", "count"] if kind == "sentence" else ["remove", "mask", "count"])
        how = rng.pick(["default", "string", "upos", "xpos", "deprel"]) if verb == "mask" else "default"
        text = Value(rng.pick(["<mask>", "[X Y]", "é"]), True, span=NOWHERE) if how == "string" else None
        return Action(verb, target, text, how if how in {"upos", "xpos", "deprel"} else None, span=NOWHERE)
