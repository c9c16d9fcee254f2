"""Thousands of generated filters on generated treebanks, by both engines, with a count of what was tried.

    python -m tests.properties.many --pairs 20000 [--treebanks 4] [--seed 1]

A pair is one filter (a member of a family is one) on one treebank of twenty sentences. The treebanks of a filter
are queried together, which a filter cannot notice, and compared sentence by sentence. The first fault (other
matches, other words for an action, rows twice or out of order, an error of the database, a well-typed filter that is refused) is reduced to
a small filter and one sentence, printed, and ends the run with 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentence import Sentence
from tests.support.engines import (
    UnsupportedError,
    by_reference,
    by_sql,
    compiled,
    database,
    taken_by_reference,
    taken_by_sql,
)
from tests.support.strategies.dice import Dice
from tests.support.strategies.filters import Project, constructs, make_project
from tests.support.strategies.reduce import reduced
from tests.support.strategies.sentences import make_sentence

SENTENCES = 20  # of a treebank
FRESH = 300  # filters after which new treebanks are drawn
GROUPS = 10  # of treebanks, with which filters take turns


@dataclass
class Tally:
    """What has been tried so far."""

    pairs: int = 0
    filters: int = 0
    treebanks: int = 0
    matching_pairs: int = 0
    matches: int = 0
    constructs: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the pairs and print the tally; 1 if there is a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--treebanks", type=int, default=4, help="treebanks for each filter")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    start, tally, fault = time.perf_counter(), Tally(), None
    banks = _banks(options.seed, options.treebanks)
    for project in _projects(options.seed):
        bank, connection = next(banks)
        fault = _try(project, bank, connection, tally)
        if fault is not None or tally.pairs >= options.pairs:
            break
    if fault is not None:
        print(fault)
    _print(tally, time.perf_counter() - start)
    return 0 if fault is None else 1


def _projects(seed: int) -> Iterator[Project]:
    number = seed * 1_000_000_000
    while True:
        yield make_project(Dice.rolled(number))
        number += 1


def _banks(seed: int, size: int) -> Iterator[tuple[list[Sentence], object]]:
    """Groups of `size` treebanks in a row, each group with its database, for one filter after the other."""
    number = -1 - seed * 1_000_000_000
    while True:
        groups = []
        for _ in range(GROUPS):
            bank = []
            for _ in range(size * SENTENCES):
                bank.append(make_sentence(Dice.rolled(number)))
                number -= 1
            groups.append((bank, database(bank)))
        for turn in range(FRESH):
            yield groups[turn % GROUPS]


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
    except UnsupportedError as reason:
        tally.unsupported[str(reason)] += 1
        return None
    except Exception as fault:  # noqa: BLE001 - whatever goes wrong with a well-typed filter is what is looked for
        return _reduced(project, bank, fault)
    tally.seconds["compiling"] += compiled_at - begun
    tally.constructs.update(constructs(project))
    tally.treebanks = max(tally.treebanks, GROUPS * len(bank) // SENTENCES * (1 + tally.filters // FRESH))
    return None


def _compare(each: CompiledFilter, bank: list[Sentence], connection: object, tally: Tally) -> None:
    begun = time.perf_counter()
    sql, sql_taken = by_sql(connection, each), taken_by_sql(connection, each)
    between = time.perf_counter()
    reference = by_reference(each, bank)
    taken = taken_by_reference(each, bank, reference)
    tally.seconds["SQL"] += between - begun
    tally.seconds["reference"] += time.perf_counter() - between
    for place, sentence in enumerate(bank):
        assert sql.get(place) == reference.get(place), _difference(each, sentence, sql.get(place), reference.get(place))
    for action, one, other in zip(each.ir.actions, sql_taken, taken, strict=True):
        for place, sentence in enumerate(bank):
            here = one.get(place), other.get(place)
            assert here[0] == here[1], f"{action}\n{_difference(each, sentence, *here)}"
    tally.filters += 1
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


def _print(tally: Tally, seconds: float) -> None:
    print(f"{tally.pairs} pairs of filter and treebank: {tally.filters} filters, {tally.treebanks} treebanks of")
    print(f"{SENTENCES} sentences; {tally.matching_pairs} pairs with a match, {tally.matches} matches; {seconds:.0f} s")
    print("filters that match no, some, all sentences:", *(tally.outcomes[k] for k in ("none", "some", "all")))
    print("projects with each construct:", ", ".join(f"{k} {n}" for k, n in tally.constructs.most_common()))
    print("seconds:", ", ".join(f"{name} {value:.0f}" for name, value in tally.seconds.items()))
    if tally.unsupported:
        print("beyond a limit, skipped:", dict(tally.unsupported.most_common()))


if __name__ == "__main__":
    sys.exit(main())
