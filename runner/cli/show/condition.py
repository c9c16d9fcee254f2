"""`fictc show --condition`: what a condition of a manifest changes, counted, and sentences with the change marked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from runner.cli.shared.messages import say
from runner.cli.shared.terminal import faint, highlighted, styled, terminal_width

if TYPE_CHECKING:
    from runner.cli.show.request import Wanted
    from runner.corpus.query.matched_sentences import Found
    from runner.corpus.sentences.common_size import Indices
    from runner.execute.prepare.changes import Changes
    from runner.execute.prepare.prepare import Preparation

T = TypeVar("T")


def show_condition(
    manifest: Path, name: str, wanted: Wanted, data: Path | None, allow: tuple[Path, ...], cache: Path | None
) -> None:
    """Make the condition's corpus, if it is not there, and print what was changed."""
    from fictdsl.diagnostics.suggest import did_you_mean
    from runner.cli.shared.manifest import plan_of
    from runner.execute.prepare.changes import changes
    from runner.execute.prepare.prepare import Preparation
    from runner.steps.interventions import describe_condition

    plan, store, _ = plan_of(manifest, data, allow, None, cache)
    if name not in plan.corpora:
        hint = did_you_mean(name, plan.corpora) or f"conditions: {', '.join(plan.corpora)}"
        raise click.UsageError(f"{manifest} has no condition {name}\n{hint}")
    made = Preparation(plan, store, lambda event: None)  # noqa: ARG005
    made.corpora()
    found = changes(made, name)
    if wanted.kind == "jsonl":
        for entry in _entries(made, found, wanted):
            click.echo(json.dumps(entry, ensure_ascii=False))
        return
    click.echo(f"{highlighted(name)}: {describe_condition(name, plan.resolved)}")
    say(f"{found.sentences:,} sentences, of {found.base:,} in the base corpus")
    for line in _sections(made, found, wanted):
        click.echo(line)


def _some(every: Sequence[T] | Indices, wanted: Wanted) -> list[T]:
    """The first few, or as many by chance, in their order."""
    import numpy as np

    from runner.corpus.query.matched_sentences import chosen

    number = wanted.sample or wanted.number or 5
    seed = wanted.seed if wanted.seed is not None else (0 if wanted.sample else None)
    return [every[place] for place in chosen(np.arange(len(every)), number, seed)]


def _sections(made: Preparation, found: Changes, wanted: Wanted) -> Iterator[str]:
    if len(found.removed):
        how = "not matched" if found.kept else "matched" if found.filters else "taken out by chance"
        yield _title(f"removed, {how}", found.removed, wanted)
        yield from (f"  - {_marked(one)}" for one in _removed(made, found, wanted))
    if found.edited:
        yield _title("edited", found.edited, wanted)
        texts = _texts(made, [edit.sid for edit in _some(found.edited, wanted)])
        for edit in _some(found.edited, wanted):
            yield f"  ~ {_changed(texts[edit.sid], str(edit.text))}"
    if found.injected:
        targets = sum(one.target for one in found.injected)
        yield _title("injected", found.injected, wanted) + (f", {targets:,} targets" if targets else "")
        for one in _some(found.injected, wanted):
            text = highlighted(one.text) if one.target else one.text
            yield f"  + {faint(f'line {one.place:,}')}  {'* ' if one.target else ''}{text}"
    if len(found.replaced):
        yield _title("replaced", found.replaced, wanted)
        texts = _texts(made, _some(found.replaced, wanted))
        yield from (f"  - {text}" for text in texts.values())
    for stage, sids in found.stages:
        yield _title(f"stage {stage}", sids, wanted)
        yield from (f"    {text}" for text in _texts(made, _some(sids, wanted)).values())
    if found.left_out:
        yield f"\nleft out by the common size, a balance or the stages: {found.left_out:,}"


def _title(what: str, every: Sequence[Any] | Indices, wanted: Wanted) -> str:
    shown = len(_some(every, wanted))
    return f"\n{highlighted(what)}: {len(every):,}" + (f", {shown:,} shown" if shown < len(every) else "")


def _texts(made: Preparation, sids: Sequence[int]) -> dict[int, str]:
    import numpy as np

    from runner.corpus.sentences.arrays import read_lines

    order = np.array(sorted(sids), dtype=np.int64)
    lines = dict(zip(order.tolist(), read_lines(made.store("train"), order), strict=True))
    return {int(sid): lines[int(sid)] for sid in sids}


def _removed(made: Preparation, found: Changes, wanted: Wanted) -> list[Found]:
    """Removed sentences, each with the matches of the first filter that matches it."""
    import numpy as np

    from runner.corpus.query.matched_sentences import find

    store, sids = made.store("train"), np.array(_some(found.removed, wanted), dtype=np.int64)
    shown = {one.place.sid: one for one in find(store, None, sids)}
    for compiled in () if found.kept else found.filters:
        for one in find(store, compiled, sids):
            if one.matches and not shown[one.place.sid].matches:
                shown[one.place.sid] = one
    return [shown[sid] for sid in sids.tolist()]


def _marked(one: Found) -> str:
    from fictdsl.draw.context import context

    width = terminal_width()
    return styled(context(one.trees()[0], width and width - 4))


def _changed(before: str, after: str) -> str:
    """A text with what was changed between words: `The {dog → [NN]} barks`."""
    old, new = before.split(" "), after.split(" ")
    pieces: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces += old[a:b]
        else:
            pieces.append(highlighted(f"{{{' '.join(old[a:b])} → {' '.join(new[c:d])}}}"))
    return " ".join(pieces)


def _entries(made: Preparation, found: Changes, wanted: Wanted) -> Iterator[dict[str, Any]]:
    """What the sections show, as plain JSON."""
    counts = {"removed": len(found.removed), "edited": len(found.edited), "injected": len(found.injected)}
    counts |= {"replaced": len(found.replaced), "left_out": found.left_out}
    yield {"sentences": found.sentences, "base": found.base, **counts}
    for sid, text in _texts(made, _some(found.removed, wanted)).items():
        yield {"kind": "removed", "sid": sid, "text": text}
    edits = _some(found.edited, wanted)
    texts = _texts(made, [edit.sid for edit in edits])
    for edit in edits:
        yield {"kind": "edited", "sid": edit.sid, "text": texts[edit.sid], "after": edit.text}
    for one in _some(found.injected, wanted):
        yield {"kind": "injected", "line": one.place, "text": one.text, "target": one.target}
    for sid, text in _texts(made, _some(found.replaced, wanted)).items():
        yield {"kind": "replaced", "sid": sid, "text": text}
    for stage, sids in found.stages:
        yield {"kind": "stage", "stage": stage, "sentences": len(sids)}
