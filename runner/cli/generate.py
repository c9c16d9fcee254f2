"""`fictc generate`, `sample` and `fetch`: text of templates, an endpoint or the sample; data to download."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.diagnostics.suggest import did_you_mean
from fictdsl.words import counted
from runner.cli.options import FILE, PATH, SEED, BoundedFloat, BoundedInt, Workers, combined, gathered, relations
from runner.cli.progress import Style, progress_bar, progress_option
from runner.cli.query_options import complete_filters, lists_option, load_filters
from runner.cli.terminal import print_message, size_of
from runner.corpus.store import Store
from runner.errors import InputError
from runner.generate import MAX_WORDS, MAX_WORDS_PER_TARGET, MIN_WORDS_PER_TARGET, WORDS_PER_TARGET
from runner.generate.lemmas import (
    Lemmas,
    Recipe,
    lemmas_of_store,
    lemmas_of_wordfreq,
    lemmas_of_words,
    read_word_list,
)
from runner.readers import real_path
from runner.workspace import atomic_write, clean_stale, lock, publish_dir

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.files import ListOverrides
    from runner.generate.documents import Constraints
    from runner.generate.endpoint import Endpoint


def _endpoint(
    endpoint: str | None,
    model: str,
    temperature: float,
    reasoning: str | None,
    max_tokens: int | None,
    attempts: int,
    timeout: float,
    pause: float,
) -> Endpoint | None:
    from runner.generate.endpoint import Endpoint

    if endpoint is None:
        return None
    options = {"temperature": temperature, "reasoning_effort": reasoning, "max_tokens": max_tokens}
    parameters = {name: value for name, value in options.items() if value is not None}
    api_key = _checked_api_key(os.environ.get("OPENAI_API_KEY", ""))
    return Endpoint(_checked_url(endpoint), model, parameters, api_key, attempts, timeout, pause)


# a command receives them as `endpoint`, which may be None, `parallel` and `progress`
endpoint_options = combined(
    progress_option,
    click.option(
        "--endpoint", metavar="URL", help="Base URL of an OpenAI-compatible API, such as http://localhost:8000/v1."
    ),
    click.option("--model", metavar="NAME", help="Name of the model."),
    click.option(
        "--temperature",
        type=BoundedFloat(0, 100, "a higher one draws tokens evenly"),
        default=0.7,
        help="Sampling temperature.",
    ),
    click.option("--reasoning", metavar="EFFORT", help="Reasoning effort, such as medium, for models that support it."),
    click.option(
        "--max-tokens",
        type=BoundedInt(1, 10_000_000, "no model writes more"),
        help="Maximum number of tokens per answer.",
    ),
    click.option("--parallel", type=Workers(), default=4, help="Concurrent requests."),
    click.option(
        "--attempts",
        type=BoundedInt(1, 100, "the pauses between more would take a day"),
        default=6,
        help="Attempts per document.",
    ),
    click.option(
        "--timeout", type=BoundedFloat(0.1, 86_400, "a day"), default=300.0, help="Maximum seconds per answer."
    ),
    click.option(
        "--pause",
        type=BoundedFloat(0, 300, "no pause is longer"),
        default=1.0,
        help="Seconds before the second attempt; doubled after each attempt.",
    ),
    relations(
        "--endpoint requires --model",
        "--parallel, --attempts, --timeout, --pause requires --endpoint",
        "--model, --temperature, --reasoning, --max-tokens requires --endpoint",
    ),
    gathered("endpoint", _endpoint),
)


def ask_endpoint(
    recipe: Recipe,
    lemmas: Lemmas,
    constraints: Constraints,
    output: Path,
    endpoint: Endpoint,
    *,
    parallel: int,
    progress: Style,
) -> None:
    from runner.generate.endpoint import CUT_OFF, Journal, prompts, request_texts, write_answers
    from runner.sample.lexicon import BASIC

    basic_nouns = [noun.lemma for nouns in BASIC.nouns.values() for noun in nouns]
    document_prompts = prompts(recipe, lemmas.words or basic_nouns)
    journal = Journal(output.with_name(output.name + ".answers"))
    with lock(journal.path.with_name(journal.path.name + ".lock")), progress_bar("Asking", progress) as advance:
        texts = request_texts(endpoint, document_prompts, journal, parallel=parallel, progress=advance)
        with atomic_write(output) as temp:
            summary = write_answers(recipe.paradigm, document_prompts, texts, constraints, temp)
    print_message(f"{output}: {_counts(summary, documents='document', words='word')}", err=True)
    if cut_off_count := sum(str(record["problem"]).startswith(CUT_OFF) for record in journal.records()):
        print_message(f"answers cut off and requested again: {cut_off_count:,}", err=True)
    if summary["removed_in_suite"]:
        print_message(f"found in a suite: {counted(summary['removed_in_suite'], 'sentence')} omitted", err=True)
    if summary["unknown_words"]:
        unknown_words = counted(sum(summary["unknown_words"].values()), "word")
        print_message(f"unknown to the tokenizer: {unknown_words}", err=True)


def _checked_url(url: str) -> str:
    import httpx

    reason = ""
    try:
        parsed = httpx.URL(url)
        if parsed.scheme not in {"http", "https"} or not parsed.host:
            reason = "expected http:// or https:// with a host"
        elif parsed.port is not None and not 0 < parsed.port < 65536:
            reason = f"port {parsed.port} is out of range"
    except (httpx.InvalidURL, UnicodeError) as error:
        reason = str(error)
    if reason:
        raise click.UsageError(f"--endpoint expects a URL such as http://localhost:8000/v1: {reason}")
    return url


def _checked_api_key(value: str) -> str | None:
    api_key = value.strip()
    if not (api_key.isascii() and api_key.isprintable()):
        raise click.UsageError(
            "OPENAI_API_KEY has a character that is not printable ASCII, which an HTTP header cannot contain"
        )
    return api_key or None


@click.command("generate")
@click.argument("paradigm", required=False, metavar="[PARADIGM]")
@click.option(
    "--output", "-o", required=True, type=FILE, metavar="FILE", help="Output file: .conllu, or .jsonl with --endpoint."
)
@click.option(
    "--words",
    "-n",
    type=BoundedInt(1, MAX_WORDS, "a hundred million words are a whole corpus"),
    default=10_000,
    help="Total number of words.",
)
@click.option(
    "--every",
    type=BoundedInt(MIN_WORDS_PER_TARGET, MAX_WORDS_PER_TARGET, "a document is in memory"),
    default=WORDS_PER_TARGET,
    help="Words per target sentence.",
)
@click.option(
    "--lemmas",
    default="basic",
    metavar="SOURCE",
    help="Source of nouns, verbs and adjectives: basic (those of the sample), wordfreq, a store, or a word list.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    type=PATH,
    metavar="PATH",
    help="Minimal pairs whose sentences must not be generated.",
)
@click.option(
    "--tokenizer",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Saved tokenizer; words that it does not know are avoided.",
)
@click.option(
    "--check",
    "filters",
    multiple=True,
    metavar="FILTER",
    shell_complete=complete_filters,
    help="Filters that must match exactly the target sentences, else the exit code is 1. Not with --endpoint.",
)
@click.option("--seed", type=SEED, default=0, help="Seed for the random text.")
@lists_option
@relations("--list requires --check")
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
    endpoint: Endpoint | None,
    parallel: int,
    progress: Style,
) -> None:
    """Generate documents, each with one sentence of PARADIGM among plain ones, with their trees.

    PARADIGM is a paradigm of BLiMP with a template in the targeted-injection paper. Without it, the documents have
    plain sentences only, as a control. Document n has the same genre, sub-genre and choice of lemmas and, up to a few
    words, the same length for every paradigm and for the control.

    With --endpoint, a language model at an OpenAI-compatible address writes the documents. Each prompt has a genre, a
    sub-genre, some lemmas and the template. OUTPUT is then a .jsonl file to be parsed by `fictc annotate`. Every prompt
    and answer is kept in OUTPUT.answers, and running the command again resumes it. The API key is read from
    OPENAI_API_KEY.

    \b
    Example:
      fictc generate only_npi_scope -o only.conllu -n 20000 --suite blimp
      fictc generate only_npi_scope -o only.conllu --check filters/injection/only-npi-scope.fict
      fictc generate -o control.conllu -n 20000
      fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000/v1 --model gpt-oss-120b
    """
    from runner.generate.documents import suite_constraints, write_documents
    from runner.score.pair_formats import load_suite

    _check(paradigm, output, writes_trees=endpoint is None)
    if endpoint is not None and filters:
        hint = "parse it with `fictc annotate` and check it with `fictc count`"
        raise click.UsageError(f"--check requires trees, but --endpoint writes text only\n{hint}")
    checked_filters = load_filters(filters, lists) if filters else []
    pairs = (pair for suite in suites for pair in load_suite(suite).items)
    constraints = suite_constraints((text for pair in pairs for text in (pair.good, pair.bad)), tokenizer)
    recipe = Recipe(paradigm, words, every, seed)
    if endpoint is not None:
        ask_endpoint(recipe, _load_lemmas(lemmas), constraints, output, endpoint, parallel=parallel, progress=progress)
        return
    with atomic_write(output) as temp:
        summary = write_documents(recipe, _load_lemmas(lemmas), constraints, temp)
    _print_summary(output, summary)
    if checked_filters and not _matches_targets(output, checked_filters):
        raise click.exceptions.Exit(1)


def _check(paradigm: str | None, output: Path, *, writes_trees: bool) -> None:
    from runner.generate.targets import TARGETS

    if paradigm is not None and paradigm not in TARGETS:
        hint = did_you_mean(paradigm, TARGETS) or f"paradigms: {', '.join(TARGETS)}"
        raise click.UsageError(f"there is no template for {paradigm}\n{hint}")
    suffix = output.suffix.lower()
    if writes_trees and suffix == ".jsonl":
        raise click.UsageError(
            f"--output {output}: the trees are CoNLL-U, for a .conllu file; --endpoint writes .jsonl"
        )
    if not writes_trees and suffix == ".conllu":
        raise click.UsageError(f"--output {output}: --endpoint writes text without trees, for a .jsonl file")


def _load_lemmas(source: str) -> Lemmas:
    if source == "basic":
        return Lemmas()
    path = Path(source)
    if source == "wordfreq":
        lemmas = lemmas_of_wordfreq()
    else:
        lemmas = lemmas_of_words(read_word_list(path)) if path.is_file() else lemmas_of_store(Store.open(path))
    if not lemmas:
        hint = "a word list has one word per line, optionally followed by white space and a count"
        raise click.UsageError(f"--lemmas: {source} has no English noun, verb or adjective that can be used\n{hint}")
    return lemmas


def _counts(summary: Mapping[str, Any], **nouns: str) -> str:
    return ", ".join(counted(summary[key], noun) for key, noun in nouns.items())


def _print_summary(output: Path, summary: Mapping[str, Any]) -> None:
    counts = _counts(summary, documents="document", words="word", targets="target sentence")
    print_message(f"{output}: {counts}", err=True)
    if summary["removed_in_suite"]:
        sentences = counted(summary["removed_in_suite"], "sentence")
        print_message(f"found in a suite: {sentences} resampled", err=True)
    if summary["removed_lemmas"] or summary["removed_with_unknown_words"]:
        lemmas = counted(summary["removed_lemmas"], "lemma")
        sentences = counted(summary["removed_with_unknown_words"], "sentence")
        print_message(f"unknown words: {lemmas} omitted, {sentences} resampled", err=True)


def _matches_targets(path: Path, filters: Sequence[CompiledFilter]) -> bool:
    from tempfile import TemporaryDirectory

    from runner.corpus.import_conllu import import_files
    from runner.corpus.matches import matching_sids
    from runner.corpus.sentence_arrays import read_values

    with TemporaryDirectory() as folder:
        store = import_files([path], Path(folder) / "store")
        target_sids = {sid for sid, value in enumerate(read_values(store, "paradigm")) if value is not None}
        matched_sids = set(matching_sids(store, filters).tolist())
        other_count = store.info.sentences - len(target_sids)
    matched_targets = f"{len(matched_sids & target_sids):,} of {len(target_sids):,} target sentences"
    matched_others = f"{len(matched_sids - target_sids):,} of {other_count:,} others"
    print_message(f"matched: {matched_targets}, {matched_others}", err=True)
    return matched_sids == target_sids


@click.command("sample")
@click.option("--output", "-o", required=True, type=PATH, metavar="DIR", help="Output directory.")
@click.option(
    "--sentences",
    "-n",
    type=BoundedInt(1, 10_000_000, "its lexicon is small"),
    default=20_000,
    help="Training sentences; the validation and test data each have a twentieth of that number.",
)
@click.option(
    "--pairs", type=BoundedInt(0, 100_000, "its lexicon is small"), default=1_000, help="Minimal pairs per paradigm."
)
@click.option("--seed", type=SEED, default=1, help="Seed for the random sample.")
@click.option("--force", is_flag=True, help="Replace an existing sample in DIR, if DIR has no other files.")
@progress_option
def sample(output: Path, sentences: int, pairs: int, seed: int, *, force: bool, progress: Style) -> None:
    """Generate a small English: trees in CoNLL-U and minimal pairs.

    The sentences come from a grammar with a vocabulary of a few hundred words. Their trees are correct by construction,
    in the style of UD English, and comments name the constructions of each sentence: agreement across PPs and relative
    clauses, determiners, reflexives, polarity items, existential there, quantifiers and passives, among plain
    sentences. counts.json has the number of sentences per construction, to check the matches of a filter. The pairs use
    the format and paradigm names of BLiMP.

    \b
    Example:
      fictc sample --output sample --sentences 20000 --pairs 200 --seed 1
      fictc import sample/train.conllu --output sample/store
    """
    from runner.sample.corpus import generate

    replace = _may_replace(output, force=force)
    clean_stale(real_path(output).parent)
    with publish_dir(real_path(output), replace=replace) as folder, progress_bar("Generating", progress) as advance:
        summary = generate(folder, sentences=sentences, pairs=pairs, seed=seed, progress=advance)
    train_size = size_of(summary.splits["train"])
    print_message(f"{output}: {train_size}; {len(summary.pairs)} paradigms of {counted(pairs, 'pair')}", err=True)


def _may_replace(output: Path, *, force: bool) -> bool:
    from runner.sample.corpus import FILES

    if not output.exists():
        return False
    if output.is_dir() and not any(output.iterdir()):
        return True
    if not ((output / "counts.json").is_file() and (output / "train.conllu").is_file()):
        raise InputError.of("FICT831", path=output, reason="is not a generated sample")
    if other_names := sorted(path.name for path in output.iterdir() if path.name not in FILES):
        raise InputError.of("FICT831", path=output, reason=f"has {other_names[0]}, which is not of a sample")
    if not force:
        raise InputError.of("FICT830", path=output, hint="`--force` replaces it")
    return True


@click.command("fetch")
@click.argument(
    "name", metavar="ud-ewt|ud-gum|blimp|blimp-vocabulary|winobias|aann|msr-compression|fict-lists|fict-results"
)
@click.option("--mirror", metavar="URL", help="Download URL/FILE instead of the original address.")
@click.option("--output", "-o", type=PATH, help="Output directory [default: data/NAME].")
@click.option(
    "--registry",
    type=PATH,
    metavar="FILE",
    help="Additional registry of data sets: a TOML file with one table per data set, which contains the `base` URL and "
    "the `files` with their SHA-256.",
)
@progress_option
def fetch_data(name: str, mirror: str | None, output: Path | None, registry: Path | None, progress: Style) -> None:
    """Download a treebank, a benchmark, or the word lists or results of FiCT.

    Apart from this command, only `fictc generate --endpoint` accesses the internet. A file is kept only if its SHA-256
    is the expected one. Files that already exist are not downloaded again.

    \b
    Examples:
      fictc fetch blimp
      fictc fetch ud-ewt --mirror https://example.org/ud-ewt --output data/ewt
    """
    from runner.fetch import data_sets, fetch

    folder = output or Path("data") / name
    with progress_bar(f"Fetching {name}", progress, unit="files") as advance:
        paths = fetch(name, folder, mirror=mirror, registry=registry, progress=advance)
    data_set = data_sets(registry)[name]
    print_message(f"{folder}: {counted(len(paths), 'file')}. {data_set.about}. Licence: {data_set.licence}", err=True)
