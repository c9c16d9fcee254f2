"""`fictc generate --endpoint`: request documents from a language model and write them as JSON lines."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.options.numbers import BoundedFloat, BoundedInt, Workers
from runner.cli.options.relations import option
from runner.cli.shared.messages import print_message
from runner.cli.shared.progress import Style, progress_bar, progress_option
from runner.counted import counted

if TYPE_CHECKING:
    from runner.generate.documents import Constraints
    from runner.generate.endpoint import Endpoint
    from runner.generate.lemmas import Lemmas
    from runner.generate.recipe import Recipe

# Options that are combined into an `Endpoint`
_ENDPOINT_OPTIONS = ("model", "temperature", "reasoning", "max_tokens", "attempts", "timeout", "pause")


_endpoint_option = partial(option, requires="--endpoint")


def endpoint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for requests to a language model.

    The command receives them as `endpoint`, `parallel` and `progress`. Without `--endpoint`, `endpoint` is None.
    """
    click_options = (
        option(
            "--endpoint",
            metavar="URL",
            help="Base URL of an OpenAI-compatible API, such as http://localhost:8000/v1.",
            requires="--model",
        ),
        _endpoint_option("--model", metavar="NAME", help="Name of the model."),
        _endpoint_option(
            "--temperature",
            type=BoundedFloat(0, 100, "a higher one draws tokens evenly"),
            default=0.7,
            show_default=True,
            help="Sampling temperature.",
        ),
        _endpoint_option(
            "--reasoning", metavar="EFFORT", help="Reasoning effort, such as medium, for models that support it."
        ),
        _endpoint_option(
            "--max-tokens",
            type=BoundedInt(1, 10_000_000, "no model writes more"),
            help="Maximum number of tokens per answer.",
        ),
        _endpoint_option("--parallel", type=Workers(), default=4, show_default=True, help="Concurrent requests."),
        _endpoint_option(
            "--attempts",
            type=BoundedInt(1, 100, "the pauses between more would take a day"),
            default=6,
            show_default=True,
            help="Attempts per document.",
        ),
        _endpoint_option(
            "--timeout",
            type=BoundedFloat(0.1, 86_400, "a day"),
            default=300.0,
            show_default=True,
            help="Maximum seconds per answer.",
        ),
        _endpoint_option(
            "--pause",
            type=BoundedFloat(0, 300, "no pause is longer"),
            default=1.0,
            show_default=True,
            help="Seconds before the second attempt; doubled after each attempt.",
        ),
    )

    @wraps(command)
    def wrapper(*, endpoint: str | None, **arguments: Any) -> Any:
        options = {name: arguments.pop(name) for name in _ENDPOINT_OPTIONS}
        return command(endpoint=None if endpoint is None else _endpoint(endpoint, **options), **arguments)

    for add in reversed(click_options):
        wrapper = add(wrapper)
    return progress_option(wrapper)


def _endpoint(
    url: str,
    *,
    model: str,
    temperature: float,
    reasoning: str | None,
    max_tokens: int | None,
    attempts: int,
    timeout: float,
    pause: float,
) -> Endpoint:
    from runner.generate.endpoint import Endpoint

    options = {"temperature": temperature, "reasoning_effort": reasoning, "max_tokens": max_tokens}
    parameters = {name: value for name, value in options.items() if value is not None}
    api_key = _checked_api_key(os.environ.get("OPENAI_API_KEY", ""))
    return Endpoint(_checked_url(url), model, parameters, api_key, attempts, timeout, pause)


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
    """Request the documents of a recipe, and write them to a .jsonl file and all answers to a journal beside it."""
    from runner.generate.answers import write_answers
    from runner.generate.completion import CUT_OFF
    from runner.generate.endpoint import Journal, request_texts
    from runner.generate.prompts import prompts
    from runner.sample.words.lexicon import BASIC
    from runner.workspace import atomic_write, lock

    basic_nouns = [noun.lemma for nouns in BASIC.nouns.values() for noun in nouns]
    document_prompts = prompts(recipe, lemmas.words or basic_nouns)
    journal = Journal(output.with_name(output.name + ".answers"))
    with lock(journal.path.with_name(journal.path.name + ".lock")), progress_bar("Asking", progress) as advance:
        texts = request_texts(endpoint, document_prompts, journal, parallel=parallel, progress=advance)
        with atomic_write(output) as temp:
            summary = write_answers(recipe.paradigm, document_prompts, texts, constraints, temp)
    documents, words = counted(summary["documents"], "document"), counted(summary["words"], "word")
    print_message(f"{output}: {documents}, {words}", err=True)
    if cut_off_count := sum(str(record["problem"]).startswith(CUT_OFF) for record in journal.records()):
        print_message(f"answers cut off and requested again: {cut_off_count:,}", err=True)
    if summary["removed_in_suite"]:
        print_message(f"found in a suite: {counted(summary['removed_in_suite'], 'sentence')} omitted", err=True)
    if summary["unknown_words"]:
        unknown_words = counted(sum(summary["unknown_words"].values()), "word")
        print_message(f"unknown to the tokenizer: {unknown_words}", err=True)


def _checked_url(url: str) -> str:
    """Return the URL. Raises UsageError if it is not a valid HTTP or HTTPS URL."""
    import httpx

    try:
        parsed = httpx.URL(url)
        reason = (
            "" if parsed.scheme in {"http", "https"} and parsed.host else "expected http:// or https:// with a host"
        )
        reason = reason or (
            "" if parsed.port is None or 0 < parsed.port < 65536 else f"port {parsed.port} is out of range"
        )
    except (httpx.InvalidURL, UnicodeError) as error:
        reason = str(error)
    if reason:
        raise click.UsageError(f"--endpoint expects a URL such as http://localhost:8000/v1: {reason}")
    return url


def _checked_api_key(value: str) -> str | None:
    """Return the API key without surrounding white space, or None if it is empty.

    Raises UsageError if it has characters that an HTTP header cannot contain.
    """
    api_key = value.strip()
    if not (api_key.isascii() and api_key.isprintable()):
        raise click.UsageError(
            "OPENAI_API_KEY has a character that is not printable ASCII, which an HTTP header cannot contain"
        )
    return api_key or None
