"""`fictc perturb` and `corrupt`: every sentence of a corpus disturbed, or minimal pairs of disturbed sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import counted
from runner.cli.options import FILE, PATH, SEED, BoundedInt, Count, relations
from runner.cli.query_options import corpus_option, limits_options, open_corpus
from runner.cli.terminal import open_output, print_message
from runner.conditions.perturbation import HOP_DISTANCE, PERTURBATIONS
from runner.corpus.limits import Limits
from runner.corpus.store import Store
from runner.workspace import atomic_write, write_text

if TYPE_CHECKING:
    from runner.conditions.corrupted_pairs import CorruptedPair
    from runner.conditions.perturb import Perturbation


_MAX_UNITS, _REASON = 10**8, "no sentence has more units"


@click.command("perturb")
@click.option("--kind", "-k", type=click.Choice(PERTURBATIONS), required=True, help="Perturbation of every sentence.")
@click.option(
    "--unit",
    type=click.Choice(["word", "token"]),
    default="word",
    help="Words of the trees, or tokens of the tokenizer.",
)
@click.option("--seed", type=SEED, help="Seed for the random choices [default: 0].")
@click.option("--window", type=BoundedInt(2, _MAX_UNITS, _REASON), help="Units per window of shuffle-local.")
@click.option(
    "--distance",
    type=BoundedInt(0, _MAX_UNITS, _REASON),
    help=f"Units after the verb, for hop [default: {HOP_DISTANCE}].",
)
@click.option(
    "--incomplete",
    type=click.Choice(["drop", "end"]),
    help="For hop: drop sentences with fewer than four words after a verb, or put the marker before the final "
    "punctuation [default: drop].",
)
@click.option(
    "--lengths",
    type=(BoundedInt(0, _MAX_UNITS, _REASON), BoundedInt(0, _MAX_UNITS, _REASON)),
    help="Minimum and maximum units per sentence.",
)
@click.option("--tokenizer", type=click.Path(exists=True, file_okay=False, path_type=Path), help="A saved tokenizer.")
@corpus_option()
@limits_options()
@click.option("--output", "-o", type=FILE, help="Output file [default: standard output].")
def command(
    corpus: tuple[Path, ...], limits: Limits, output: Path | None, tokenizer: Path | None, **options: Any
) -> None:
    """Perturb every sentence of a corpus, as `perturb` in a condition does, and write one sentence per line.

    shuffle orders the words by a hash. shuffle-by-length and shuffle-local use the permutation that numpy's generator
    with the seed gives for a list of that length. even-odd puts words at even positions first. reverse, reverse-partial
    and reverse-control insert a marker at the same random position. hop replaces the ending of a verb by a number
    marker some words later.

    \b
    Examples:
      fictc perturb --kind shuffle-local --window 3 --seed 21 --corpus stores/ewt -o local3.txt
      fictc perturb --kind hop --unit token --tokenizer tokenizers/bpe --corpus stores/ewt -o hop.txt
    """
    from pydantic import ValidationError

    from runner.conditions.perturb import Perturbation

    if (options["unit"] == "token") != (tokenizer is not None):
        raise click.UsageError("--unit token and --tokenizer FOLDER require each other")
    settings = {name: value for name, value in options.items() if value is not None}
    try:
        perturbation = Perturbation.model_validate(settings)
    except ValidationError as error:
        raise click.UsageError(error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    store = open_corpus(corpus, limits)
    with open_output(output) as file:
        file.writelines(f"{line}\n".encode() for line in _perturbed_lines(store, perturbation, tokenizer))


def _perturbed_lines(store: Store, perturbation: Perturbation, tokenizer_path: Path | None) -> Iterator[str]:
    from runner.conditions.perturb import perturbed_texts
    from runner.corpus.sentence_arrays import read_lines, read_sentences

    texts: Iterator[tuple[int, str | None]] = enumerate(read_lines(store))
    if perturbation.edits_text:
        texts = ((edit.sid, edit.text) for edit in perturbed_texts(store, perturbation))
    if tokenizer_path is None:
        yield from (text for _, text in texts if text is not None)
        return
    from runner.model.saved import load_tokenizer
    from runner.model.tokenizer import add_tokens, tokenized

    tokenizer = add_tokens(load_tokenizer(tokenizer_path), perturbation.markers)
    change_row, sentences = perturbation.row_change(tokenizer), read_sentences(store)
    for sid, text in texts:
        if text is not None:
            token_ids = tokenized(tokenizer, [text], add_special_tokens=False)["input_ids"][0]
            changed_ids = change_row(sentences.sources[sid], sentences.numbers[sid], token_ids)
            if changed_ids is not None:
                yield " ".join(tokenizer.decode(changed_ids).splitlines())


@click.command("corrupt")
@click.argument("store", metavar="[STORE]", required=False, type=PATH)
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="Output file (.csv).")
@click.option("-n", "pairs_per_operation", type=Count(1), default=200, help="Pairs per operation.")
@click.option("--seed", type=SEED, default=0, help="Seed for the random choices.")
@click.option(
    "--words",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Words to insert, one per line [default: the 1,000 most frequent words of the corpus except proper nouns or, "
    "without UPOS, words not in lower case].",
)
@click.option(
    "--reviewed",
    type=FILE,
    metavar="FILE",
    help="Judged pairs: keep those whose second sentence both annotators found unacceptable.",
)
@relations("-n, --seed, --words requires STORE", "--reviewed excludes STORE")
def corrupt(
    store: Path | None, output: Path, pairs_per_operation: int, seed: int, words: Path | None, reviewed: Path | None
) -> None:
    """Make minimal pairs by corrupting sentences, for judgement by people and for scoring models.

    Three paradigms are made from the sentences of STORE: `delete-root` removes the root, `swap-neighbours` swaps two
    adjacent words, `insert-word` inserts a word between two others. The file has the columns good and bad, like any
    suite, and two columns for judgements: 0 if the corrupted sentence is unacceptable, as intended, else 1. With
    --reviewed, only the pairs with two zeros are written, with all their columns.

    \b
    Example:
      fictc corrupt stores/ewt -o pairs.csv -n 100
      fictc corrupt --reviewed pairs.csv -o kept.csv
    """
    from runner.conditions.corrupted_pairs import review, write_pairs

    if store is None and reviewed is None:
        raise click.UsageError("expected either STORE or --reviewed")
    if reviewed is not None:
        selection = review(reviewed)
        write_text(output, selection.text)
        print_message(f"{output}: {selection.selected:,} of {counted(selection.total, 'pair')}", err=True)
        return
    assert store is not None
    pairs = _corrupted_pairs(store, pairs_per_operation, seed, words)
    with atomic_write(output) as temp:
        write_pairs(pairs, temp)
    print_message(f"{output}: {counted(len(pairs), 'pair')}", err=True)


def _corrupted_pairs(path: Path, pairs_per_operation: int, seed: int, words: Path | None) -> list[CorruptedPair]:
    from runner.conditions.corrupted_pairs import OPERATIONS, corrupted_pairs
    from runner.corpus.raw_text import read_list
    from runner.corpus.statistics import frequent_words

    store = Store.open(path)
    insertable_words = [word for line in read_list(words) for word in line.split()] if words else frequent_words(store)
    pairs = []
    for operation in OPERATIONS:
        operation_pairs = corrupted_pairs(store, operation, pairs_per_operation, seed, insertable_words)
        if len(operation_pairs) < pairs_per_operation:
            print_message(
                f"note: {operation} applies to {counted(len(operation_pairs), 'sentence')}, "
                f"not the {pairs_per_operation:,} requested",
                err=True,
            )
        pairs += operation_pairs
    return pairs
