"""`rewrite = […]`: sentences changed by the rewrites of `.fict` files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fictdsl.semantics import operations as op
from runner.conditions.condition import BaseCorpus, Condition
from runner.conditions.intervention import Key, TreeEdit, filter_list
from runner.conditions.shares import (
    OPTIONS,
    removal_content,
    sentences_to_rewrite,
    share_content,
    share_description,
    share_problems,
)

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledRewrite
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.conditions.edits import Trees
    from runner.corpus.rewrite_actions import Counts
    from runner.corpus.store import Store


REWRITTEN, COUNTS = "rewritten.jsonl", "rewrites.json"


class Rewrite(TreeEdit[tuple[str, ...]]):
    key = "rewrite"
    usage = "rewrite = [FILE, …]"
    doc = "with sentences changed by the rewrites of these files, which are applied together"
    value = filter_list()
    options: ClassVar = {**OPTIONS, "with": Key(Literal["original"] | None, None)}
    filter_lists = ("rewrite",)
    rewrite_lists = ("rewrite",)
    results = (REWRITTEN, COUNTS)

    def check(self, condition: Condition) -> Iterator[Diagnostic]:
        yield from share_problems(condition, self.key, condition.filters.get(self.key, ()))
        keys = [rewrite.key for rewrite in condition.rewrites]
        for name in sorted({rewrite.name for rewrite in condition.rewrites if keys.count(rewrite.key) > 1}):
            yield condition.problem("FICT606", self.key, kind="rewrite", name=name)

    def content(self, condition: Condition) -> dict[str, Any]:
        seed = {"seed": condition.values["seed"]} if any(map(_uses_seed, condition.rewrites)) else {}
        rewrites = [
            {"key": rewrite.key} | ({"name": rewrite.name} if any(map(_uses_hash, rewrite.operations)) else {})
            for rewrite in condition.rewrites
        ]
        removal = removal_content(condition)
        preceding_removal = {} if removal is None else {"after": removal}
        share = share_content(condition, condition.filters_of(self.key))
        content = {"rewrites": rewrites} | seed | preceding_removal
        return content | ({"share": share} if share else {})

    def keeps_originals(self, condition: Condition) -> bool:
        return bool(condition.values["with"] == "original")

    def describe(self, condition: Condition) -> str:
        originals = ", beside their originals" if self.keeps_originals(condition) else ""
        names = ", ".join(rewrite.name for rewrite in condition.rewrites)
        return f"sentences rewritten by {names}{originals}{share_description(condition)}"

    def trees(self, condition: Condition, store: Store, base: BaseCorpus, folder: Path | None) -> Trees:
        from runner.conditions.edits import rewritten_trees
        from runner.corpus.rewrite import Rewriting

        sids = sentences_to_rewrite(condition, condition.filters_of(self.key), base)
        rewriting = Rewriting(store, condition.rewrites, condition.values["seed"], sids=sids)
        with ExitStack() as stack:
            file = None
            if folder is not None:
                file = stack.enter_context((folder / REWRITTEN).open("w", encoding="utf-8", newline="\n"))

            def sink(texts: dict[str, Any]) -> None:
                if file is not None:
                    file.write(json.dumps(texts, ensure_ascii=False) + "\n")

            yield from rewritten_trees(rewriting, sink)
        if folder is not None:
            _write_counts(condition.rewrites, rewriting.counts, folder / COUNTS)


def _write_counts(rewrites: Sequence[CompiledRewrite], counts: Counts, path: Path) -> None:
    rewrite_counts = [
        {"name": rewrite.name, **asdict(count)} for rewrite, count in zip(rewrites, counts.rewrites, strict=True)
    ]
    content = {"rewrites": rewrite_counts, "losses": {name: number for name, number in counts.losses.items() if number}}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _uses_hash(operation: op.Operation) -> bool:
    match operation:
        case op.Order(key=key):
            return key == "chance"
        case op.Shuffle(by_length=by_length, window=window):
            return not by_length and window is None
    return False


def _uses_seed(rewrite: CompiledRewrite) -> bool:
    return any(_uses_hash(operation) or isinstance(operation, op.Shuffle) for operation in rewrite.operations)


INTERVENTION = Rewrite()
