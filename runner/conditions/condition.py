"""The data that interventions read: a condition, before and after it is checked, and the base corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.corpus.sentence_arrays import Indices, Sentences
    from runner.corpus.store import Store
    from runner.model.tokenizer import Split


Filters: TypeAlias = "tuple[CompiledFilter, ...]"
Rewrites: TypeAlias = "tuple[CompiledRewrite, ...]"
FiltersByKey: TypeAlias = Mapping[str, Filters]  # the filters of a condition, by manifest key such as `order.filters`


class Problem(Protocol):
    def __call__(self, code: str, *keys: str | int, hint: str | None = None, **parameters: Any) -> Diagnostic:
        """Return the diagnostic. `keys` is a path below the condition."""


class Tokenization(Protocol):
    @property
    def lowercase(self) -> bool:
        """Whether text is converted to lower case."""

    @property
    def split(self) -> Split:
        """How text is split into words."""

    @property
    def splitting(self) -> str:
        """The split and its version, for content keys."""


@dataclass(frozen=True)
class TextFile:
    label: str
    path: Path
    sha256: str
    key: str

    @property
    def parsed(self) -> bool:
        return ".conllu" in self.path.name


@dataclass(frozen=True)
class Condition:
    """A condition: the values of its keys, its filters and texts, and access to other conditions by name.

    While conditions are checked, `values` are as written: some are missing, and some may be invalid. A condition has
    several corpora if random choices are drawn anew for each seed of the run (`redraw`), or for each draw of a placebo
    (`draw`, from 1), with models of the seed `model_seed`.
    """

    name: str
    values: Mapping[str, Any]
    interventions: Sequence[Any]
    filters: FiltersByKey
    files: Sequence[TextFile]
    tokenizer: Tokenization
    size_unit: Literal["lines", "tokens"]  # of the common size of all conditions
    other: Callable[[str], Condition]
    problem: Problem
    redraw: int | None = None
    draw: int | None = None
    model_seed: int | None = None
    rewrites: Rewrites = ()

    def drawn(self, redraw: int | None, draw: int | None = None, model_seed: int | None = None) -> Condition:
        other = self.other
        return replace(
            self,
            redraw=redraw,
            draw=draw,
            model_seed=model_seed,
            other=lambda name: replace(other(name), redraw=redraw),
        )

    def is_used_by(self, seed: int) -> bool:
        return seed == self.model_seed if self.draw is not None else self.redraw in (None, seed)

    def files_of(self, key: str) -> list[TextFile]:
        return [file for file in self.files if file.key == key]

    def seed(self, seed: int) -> int:
        return redrawn_seed(seed, self.redraw, self.draw)

    @property
    def redrawn(self) -> dict[str, int]:
        return {name: value for name in ("redraw", "draw") if (value := getattr(self, name)) is not None}

    def filters_of(self, *keys: str) -> Filters:
        return tuple(filter_ for key in keys for filter_ in self.filters.get(key, ()))

    def filter_keys(self, *keys: str) -> list[str]:
        return sorted({filter_.key for filter_ in self.filters_of(*keys)})

    def filter_names(self, *keys: str) -> str:
        return ", ".join(dict.fromkeys(filter_.name for filter_ in self.filters_of(*keys)))


def redrawn_seed(seed: int, *draws: int | None) -> int:
    if all(draw is None for draw in draws):
        return seed
    text = "\x1f".join(str(number) for number in (seed, *draws))
    return int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest()[:7])


@dataclass(frozen=True)
class BaseCorpus:
    """The base corpus. `matched` and `match_counts` take the content key of a filter; counts are by sentence."""

    store: Store
    sentences: Sentences
    matched: Callable[[str], Indices]
    match_counts: Callable[[str], Indices]

    def matching(self, filters: Filters) -> Indices:
        import numpy as np

        return np.unique(np.concatenate([self.everything()[:0], *(self.matched(filter_.key) for filter_ in filters)]))

    def others(self, sids: Indices) -> Indices:
        import numpy as np

        return np.delete(self.everything(), sids)

    def everything(self) -> Indices:
        import numpy as np

        return np.arange(len(self.sentences.words), dtype=np.int64)

    def ranks(self, seed: str) -> Any:
        from runner.corpus.sentence_arrays import sentence_ranks

        return sentence_ranks(seed, self.sentences.sources, self.sentences.numbers)
