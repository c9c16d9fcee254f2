"""Hundreds of thousands of generated filters on generated treebanks, by both engines, with a count of what was tried.

    python -m tests.properties.many --pairs 200000 --jobs 2 [--treebanks 8] [--seed 1]

A pair is one filter (a member of a family is one) on one treebank of twenty sentences. The treebanks of a filter
are queried together, which a filter cannot notice, and compared sentence by sentence: the sentences, the matches, and
what each action takes. The first fault (a difference, rows twice or out of order, an error of the database, a filter
that is refused) is reduced to a small filter and one sentence, printed, and ends the run with 1. So does a construct
of the language, or a shape of a sentence, that was never tried. A round is the same whichever process runs it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentences import Sentence
from tests.support.constructs import CONSTRUCTS, constructs
from tests.support.engines import by_sql, compiled, database, reference_matches, taken_by_reference, taken_by_sql
from tests.support.strategies.filters import Project, make_project
from tests.support.strategies.reduce import reduced
from tests.support.strategies.rng import Rng
from tests.support.strategies.sentences import SHAPES, make_sentence, shapes

SENTENCES = 20  # of a treebank
PROJECTS = 100  # of a round
GROUPS = 4  # of treebanks, with which the filters of a round take turns
SAY = 30.0  # seconds between two lines of progress


@dataclass
class Tally:
    """What has been tried so far."""

    pairs: int = 0
    treebanks: int = 0
    matching_pairs: int = 0
    matches: int = 0
    filters: set[str] = field(default_factory=set)
    constructs: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    fault: str | None = None

    def add(self, other: Tally) -> None:
        """Take in what another process tried."""
        for name in ("pairs", "treebanks", "matching_pairs", "matches"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("constructs", "shapes", "outcomes", "seconds"):
            getattr(self, name).update(getattr(other, name))
        self.filters |= other.filters
        self.slowest = max(self.slowest, other.slowest)
        self.fault = self.fault or other.fault


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the pairs and print the tally; 1 if there is a fault, or a construct that never occurred."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--treebanks", type=int, default=8, help="treebanks for each filter")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args(arguments)
    start, tally = time.perf_counter(), Tally()
    said = start
    for part in _rounds(options.seed, options.treebanks, options.jobs):
        tally.add(part)
        if tally.fault is not None or tally.pairs >= options.pairs:
            break
        if time.perf_counter() - said >= SAY:
            said = time.perf_counter()
            _print_progress(tally.pairs, options.pairs, said - start)
    missing = _print(tally, time.perf_counter() - start)
    return 1 if tally.fault is not None or missing else 0


def _rounds(seed: int, treebanks: int, jobs: int) -> Iterator[Tally]:
    """The tallies of one round after the other, in any order; without end."""
    numbers = ((seed, number, treebanks) for number in range(1_000_000))
    if jobs == 1:
        yield from map(_round, numbers)
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(_round, numbers)


def _round(what: tuple[int, int, int]) -> Tally:
    seed, number, treebanks = what
    tally, first = Tally(), seed * 1_000_000_000 + number * PROJECTS
    banks = list(_banks(seed, number, treebanks, tally))
    for place in range(PROJECTS):
        project = make_project(Rng.seeded(first + place))
        bank, connection = banks[place % GROUPS]
        tally.fault = _try(project, bank, connection, tally)
        if tally.fault is not None:
            break
    return tally


def _banks(seed: int, number: int, size: int, tally: Tally) -> Iterator[tuple[list[Sentence], object]]:
    """The groups of `size` treebanks of a round, each with its database."""
    last = -1 - seed * 1_000_000_000 - number * GROUPS * size * SENTENCES
    for group in range(GROUPS):
        begin = last - group * size * SENTENCES
        bank = [make_sentence(Rng.seeded(begin - place)) for place in range(size * SENTENCES)]
        for sentence in bank:
            tally.shapes.update(shapes(sentence))
        tally.treebanks += size
        yield bank, database(bank)


def _try(project: Project, bank: list[Sentence], connection: object, tally: Tally) -> str | None:
    """Compare the engines on one project and count it; a fault, reduced, if there is one."""
    begun = time.perf_counter()
    try:
        filters = compiled(project)
        for each in filters:
            each.statement()
            each.targets()
        compiled_at = time.perf_counter()
        for each in filters:
            _compare(each, bank, connection, tally)
    except Exception as fault:  # noqa: BLE001 - whatever goes wrong with a well-typed filter is what is looked for
        return _reduced(project, bank, fault)
    tally.seconds["compiling"] += compiled_at - begun
    tally.constructs.update(constructs(project.files()))
    return None


def _compare(each: CompiledFilter, bank: list[Sentence], connection: object, tally: Tally) -> None:
    begun = time.perf_counter()
    sql, sql_taken = by_sql(connection, each), taken_by_sql(connection, each)
    between = time.perf_counter()
    reference = reference_matches(each, bank)
    taken = taken_by_reference(each, bank, reference)
    tally.seconds["SQL"] += between - begun
    tally.seconds["reference"] += time.perf_counter() - between
    tally.slowest = max(tally.slowest, between - begun)
    for place, sentence in enumerate(bank):
        assert sql.get(place) == reference.get(place), _difference(each, sentence, sql.get(place), reference.get(place))
    for action, one, other in zip(each.ir.actions, sql_taken, taken, strict=True):
        for place, sentence in enumerate(bank):
            here = one.get(place), other.get(place)
            assert here[0] == here[1], f"{action}\n{_difference(each, sentence, *here)}"
    tally.filters.add(each.key)
    tally.pairs += len(bank) // SENTENCES
    tally.matching_pairs += len({place // SENTENCES for place in reference})
    tally.matches += sum(map(len, reference.values()))
    tally.outcomes["none" if not reference else "all" if len(reference) == len(bank) else "some"] += 1


def _fault(project: Project, bank: list[Sentence]) -> Exception | None:
    try:
        for each in compiled(project):
            _compare(each, bank, database(bank), Tally())
    except Exception as fault:  # noqa: BLE001 - as above
        return fault
    return None


def _reduced(project: Project, bank: list[Sentence], fault: Exception) -> str:
    """The fault on the smallest project near this one, and on one sentence if that shows it."""
    alone = next(([sentence] for sentence in bank if _same(_fault(project, [sentence]), fault)), bank)
    project = reduced(project, lambda smaller: _same(_fault(smaller, alone), fault))
    files = [project.text(), *(f"-- {path}: {entries}" for path, entries in project.lists.items())]
    return "\n".join(["FAULT", *files, str(_fault(project, alone))])


def _same(fault: Exception | None, other: Exception) -> bool:
    return type(fault) is type(other) and str(fault)[:20] == str(other)[:20]


def _difference(each: CompiledFilter, sentence: Sentence, sql: object, reference: object) -> str:
    words = [str(word) for word in sentence.words]
    around = f"{sentence.sent_id=} {sentence.doc=} {sentence.text=} {sentence.meta=}"
    found = [f"SQL       {sql}", f"reference {reference}"]
    return "\n".join(["the engines differ on " + each.name, each.statement().text, *words, around, *found])


def _print_progress(done: int, wanted: int, seconds: float) -> None:
    rate = done / seconds
    left = (wanted - done) / rate / 60 if rate else float("inf")
    print(f"{done:,} of {wanted:,} pairs, {rate:.0f} a second, {left:.0f} min left", file=sys.stderr, flush=True)


def _print(tally: Tally, seconds: float) -> list[str]:
    """Print the tally; what should have been tried and never was."""
    if tally.fault is not None:
        print(tally.fault)
    rate = tally.pairs / seconds if seconds else 0
    print(f"{tally.pairs:,} pairs of filter and treebank in {seconds:.0f} s, {rate:.0f} a second; 0 skipped")
    print(f"{len(tally.filters):,} different filters, {tally.treebanks:,} treebanks of {SENTENCES} sentences")
    print(f"{tally.matching_pairs:,} pairs with a match, {tally.matches:,} matches")
    print("filters that match no, some, all sentences:", *(tally.outcomes[k] for k in ("none", "some", "all")))
    print("seconds:", ", ".join(f"{name} {value:.0f}" for name, value in tally.seconds.items()))
    print(f"slowest filter: {tally.slowest:.1f} s of SQL")
    print("projects with each construct:")
    for name in sorted(CONSTRUCTS):
        print(f"{tally.constructs[name]:>9,}  {name}")
    print("sentences of each shape:")
    for name in SHAPES:
        print(f"{tally.shapes[name]:>9,}  {name}")
    missing = [*(name for name in sorted(CONSTRUCTS) if not tally.constructs[name])]
    missing += [name for name in SHAPES if not tally.shapes[name]]
    if missing:
        print("never tried:", ", ".join(missing))
    return missing


if __name__ == "__main__":
    sys.exit(main())
