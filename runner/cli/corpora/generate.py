"""`fictc generate`: documents with one sentence of a paradigm among plain ones, from templates, as CoNLL-U."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.corpora.generate_endpoint import ask_endpoint, endpoint_options
from runner.cli.shared.complete import filters as complete
from runner.cli.shared.filters import load_filters
from runner.cli.shared.lists import lists_option
from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Whole

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.generate.lemmas import Lemmas


@click.command("generate")
@click.argument("paradigm", required=False, metavar="[PARADIGM]")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A .conllu file; with --endpoint a .jsonl file.",
)
@click.option("--words", "-n", type=Whole(1), default=10_000, show_default=True, help="Words in all.")
@click.option("--every", type=click.IntRange(40), default=330, show_default=True, help="Words for one target sentence.")
@click.option(
    "--lemmas",
    default="basic",
    show_default=True,
    metavar="SOURCE",
    help="Where nouns, verbs and adjectives come from: basic (the sample's), wordfreq, a store, or a list of words.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Minimal pairs of which no sentence may be generated.",
)
@click.option(
    "--tokenizer",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="A saved tokenizer: other words than it knows are avoided.",
)
@click.option(
    "--check",
    "filters",
    multiple=True,
    metavar="FILTER",
    shell_complete=complete,
    help="Filters that must match every target sentence and no other; else the exit code is 1. Not with --endpoint.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Another seed makes other text.")
@lists_option
@endpoint_options
def command(
    paradigm: str | None,
    output: Path,
    words: int,
    every: int,
    lemmas: str,
    suites: tuple[Path, ...],
    tokenizer: Path | None,
    filters: tuple[str, ...],
    seed: int,
    lists: ListOverrides,
    endpoint: str | None,
    **asking: Any,
) -> None:
    """Generate documents, each with one sentence of PARADIGM among plain ones, with their trees.

    PARADIGM is a paradigm of BLiMP for which the targeted-injection paper gives a template; without one, the
    documents have plain sentences alone: the control. Document n has the same genre, sub-genre, lemmas and length for
    every paradigm and for the control.

    With --endpoint, a language model behind an OpenAI-compatible address writes them: each prompt has a genre, a
    sub-genre, some lemmas and the template. OUTPUT is then a .jsonl file that `fictc annotate` parses. Every prompt and
    every answer is kept in OUTPUT.answers, and the same command goes on where it stopped. A token is read from
    OPENAI_API_KEY.

    \b
    Example:
      fictc generate only_npi_scope -o only.conllu -n 20000 --suite blimp
      fictc generate only_npi_scope -o only.conllu --check filters/injection/only-npi-scope.fict
      fictc generate -o control.conllu -n 20000
      fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000/v1 --model gpt-oss-120b
    """
    from runner.generate.documents import Recipe
    from runner.generate.files import known, write
    from runner.score.suites.suite import load_suite
    from runner.workspace import atomic_write

    _check_paradigm(paradigm)
    if endpoint is not None and filters:
        after = "`fictc annotate` parses it, and `fictc count` says what a filter matches"
        raise click.UsageError(f"--check asks for trees, and --endpoint writes text alone\n{after}")
    pairs = (pair for suite in suites for pair in load_suite(suite).items)
    against = known((text for pair in pairs for text in (pair.good, pair.bad)), tokenizer)
    if endpoint is not None:
        ask_endpoint(Recipe(paradigm, words, every, seed), _lemmas(lemmas), against, output, endpoint, **asking)
        return
    with atomic_write(output) as temp:
        told = write(Recipe(paradigm, words, every, seed), _lemmas(lemmas), against, temp)
    _tell(output, told)
    if filters and not _right(output, load_filters(filters, lists)):
        raise click.exceptions.Exit(1)


def _check_paradigm(name: str | None) -> None:
    from fictdsl.diagnostics.suggest import did_you_mean
    from runner.generate.targets import TARGETS

    if name is not None and name not in TARGETS:
        hint = did_you_mean(name, TARGETS) or f"paradigms: {', '.join(TARGETS)}"
        raise click.UsageError(f"there is no template for {name}\n{hint}")


def _lemmas(source: str) -> Lemmas:
    from runner.corpus.store.opening import Store
    from runner.generate.lemmas import Lemmas, listed, of_store, of_wordfreq, of_words

    path = Path(source)
    match source:
        case "basic":
            return Lemmas()
        case "wordfreq":
            return of_wordfreq()
        case _ if path.is_file():
            return of_words(listed(path))
        case _:
            return of_store(Store.open(path))


def _tell(output: Path, told: dict[str, Any]) -> None:
    counts = f"{told['documents']:,} documents, {told['words']:,} words, {told['targets']:,} target sentences"
    say(f"{output}: {counts}", err=True)
    if told["removed_in_suite"]:
        say(f"{told['removed_in_suite']:,} sentences were drawn again: a suite has them", err=True)
    if told["removed_lemmas"] or told["removed_with_unknown_words"]:
        lemmas, others = told["removed_lemmas"], told["removed_with_unknown_words"]
        say(f"unknown words: {lemmas:,} lemmas left out, {others:,} sentences drawn again", err=True)


def _right(path: Path, filters: Sequence[CompiledFilter]) -> bool:
    """Say how many target sentences, and how many others, the filters match; whether it is all and none."""
    from tempfile import TemporaryDirectory

    from runner.corpus.ingest.import_conllu import import_files
    from runner.corpus.query.matches import matching_sids
    from runner.corpus.sentences.arrays import read_values

    with TemporaryDirectory() as folder:
        store = import_files([path], Path(folder) / "store")
        marked = {sid for sid, value in enumerate(read_values(store, "paradigm")) if value is not None}
        found = set(matching_sids(store, [item.statement() for item in filters]).tolist())
        others = store.info.sentences - len(marked)
    hit = f"{len(found & marked):,} of {len(marked):,} target sentences"
    say(f"matched: {hit}, {len(found - marked):,} of {others:,} others", err=True)
    return found == marked
