# ruff: noqa: T201 - a command, which prints
"""Thousands of generated filters on thousands of generated treebanks, by both engines, with a count of what was tried.

    python -m tests.properties.many --pairs 20000 [--treebanks 4] [--seed 1]

A pair is one filter (each member of a family is one) on one treebank of twenty sentences. The treebanks of a
filter are queried together, which a filter cannot notice, and compared one by one. The first disagreement is
shrunk, printed with its sentence, and ends the run with 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from hypothesis import HealthCheck, Phase, given, seed, settings

from fictdsl.compiler import CompiledFilter
from fictdsl.reference.sentence import Sentence
from tests.support.engines import Found, UnsupportedError, by_reference, by_sql, compiled, database
from tests.support.strategies.filters import Project, constructs, projects
from tests.support.strategies.sentences import sentences

SENTENCES = 20
POOL = 60  # treebanks; filters take turns with them


@dataclass
class Tally:
    """What has been tried so far."""

    pairs: int = 0
    filters: int = 0
    matching_pairs: int = 0
    matches: int = 0
    constructs: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    unsupported: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)


def main(arguments: list[str] | None = None) -> int:
    """Run the pairs and print the tally; 1 if the engines disagree."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--treebanks", type=int, default=4, help="treebanks for each filter")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    start, tally = time.perf_counter(), Tally()
    banks = _banks(options.seed, options.treebanks)
    while tally.pairs < options.pairs:
        rest = options.pairs - tally.pairs
        try:
            _run(banks, tally, options.seed + tally.filters, max(20, rest // options.treebanks))
        except AssertionError as problem:
            print(problem)
            _print(tally, time.perf_counter() - start)
            return 1
    _print(tally, time.perf_counter() - start)
    return 0


def _settings(examples: int, *phases: Phase) -> settings:
    return settings(
        max_examples=examples, phases=phases, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )


def _banks(number: int, size: int) -> list[tuple[object, list[list[Sentence]]]]:
    """Connections, each over `size` treebanks."""
    pool: list[Sentence] = []

    @seed(number)
    @_settings(POOL * SENTENCES, Phase.generate)
    @given(sentences())
    def collect(sentence: Sentence) -> None:
        pool.append(sentence)

    collect()
    treebanks = [pool[i : i + SENTENCES] for i in range(0, len(pool) - SENTENCES + 1, SENTENCES)]
    groups = [treebanks[i : i + size] for i in range(0, len(treebanks) - size + 1, size)]
    return [(database([sentence for bank in group for sentence in bank]), group) for group in groups]


def _run(banks: list, tally: Tally, number: int, examples: int) -> None:
    @seed(number)
    @_settings(examples, Phase.generate, Phase.shrink)
    @given(projects())
    def run(project: Project) -> None:
        begun = time.perf_counter()
        try:
            filters = compiled(project)
        except UnsupportedError as reason:
            tally.unsupported[str(reason)] += 1
            return
        tally.seconds["compile"] += time.perf_counter() - begun
        tally.constructs.update(constructs(project))
        for each in filters:
            connection, group = banks[tally.filters % len(banks)]
            _compare(project, each, connection, group, tally)

    run()


def _compare(project: Project, each: CompiledFilter, connection: object, group: list, tally: Tally) -> None:
    every = [sentence for bank in group for sentence in bank]
    begun = time.perf_counter()
    sql = by_sql(connection, each)
    between = time.perf_counter()
    reference = by_reference(each, every)
    tally.seconds["sql"] += between - begun
    tally.seconds["reference"] += time.perf_counter() - between
    for place, sentence in enumerate(every):
        assert sql.get(place) == reference.get(place), _shown(project, each, sentence, sql, reference, place)
    tally.filters += 1
    tally.pairs += len(group)
    hit = {place // SENTENCES for place in reference}
    tally.matching_pairs += len(hit)
    tally.matches += sum(map(len, reference.values()))
    share = "none" if not reference else "all" if len(reference) == len(every) else "some"
    tally.outcomes[share] += 1


def _shown(project: Project, each: CompiledFilter, sentence: Sentence, sql: Found, reference: Found, place: int) -> str:
    files = [project.text(), *(f"-- {path}: {entries}" for path, entries in project.lists.items())]
    words = "\n".join(str(word) for word in sentence.words)
    return "\n".join([
        "THE ENGINES DISAGREE on", *files, f"filter {each.name}", each.statement().text, words, str(sentence.meta),
        f"{sentence.sent_id=} {sentence.doc=} {sentence.text=}",
        f"SQL       {sorted(map(sorted, sql.get(place, ())))}",
        f"reference {sorted(map(sorted, reference.get(place, ())))}",
    ])  # fmt: skip


def _print(tally: Tally, seconds: float) -> None:
    print(
        f"{tally.pairs} pairs of filter and treebank, {tally.filters} filters, {POOL} treebanks of {SENTENCES} "
        f"sentences, {seconds:.0f} s"
    )
    print(f"pairs with a match: {tally.matching_pairs}; matches: {tally.matches}")
    print(f"filters that match none, some, all sentences: {[tally.outcomes[k] for k in ('none', 'some', 'all')]}")
    print("projects with each construct:", ", ".join(f"{k} {n}" for k, n in tally.constructs.most_common()))
    print("seconds:", {name: round(value) for name, value in tally.seconds.items()})
    if tally.unsupported:
        print("not supported yet (skipped):", dict(tally.unsupported.most_common()))


if __name__ == "__main__":
    sys.exit(main())
