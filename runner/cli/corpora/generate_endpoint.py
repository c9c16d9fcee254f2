"""`fictc generate --endpoint`: prompts to a language model behind an address, and its texts as lines of JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.messages import say
from runner.cli.shared.numbers import Real, Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    from runner.generate.documents import Known, Recipe
    from runner.generate.lemmas import Lemmas


def endpoint_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what is asked, and how."""
    options = (
        click.option(
            "--endpoint", metavar="URL", help="An OpenAI-compatible address, such as http://localhost:8000/v1."
        ),
        click.option("--model", metavar="NAME", help="The model to ask for."),
        click.option("--temperature", type=Real(0), default=0.7, show_default=True, help="Of the model."),
        click.option("--reasoning", metavar="EFFORT", help="Reasoning effort, for models that have one: medium."),
        click.option("--max-tokens", type=Whole(1), help="The most tokens of an answer."),
        click.option("--parallel", type=Whole(1), default=4, show_default=True, help="Requests at a time."),
        click.option("--attempts", type=Whole(1), default=6, show_default=True, help="For each document."),
        click.option(
            "--timeout", type=Real(0.1), default=300.0, show_default=True, help="Seconds for one answer in all."
        ),
        click.option(
            "--pause",
            type=Real(0),
            default=1.0,
            show_default=True,
            help="Seconds before a second attempt, doubled after each.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return progress_option(command)


def ask_endpoint(
    recipe: Recipe,
    lemmas: Lemmas,
    against: Known,
    output: Path,
    url: str,
    *,
    model: str | None,
    temperature: float,
    reasoning: str | None,
    max_tokens: int | None,
    parallel: int,
    attempts: int,
    timeout: float,
    pause: float,
    progress: Style,
) -> None:
    """Ask for the documents of a recipe and write them to a .jsonl file, with the answers beside it."""
    import os

    from runner.generate.answers import write
    from runner.generate.completion import CUT_OFF
    from runner.generate.endpoint import Endpoint, Journal, ask
    from runner.generate.prompts import prompts
    from runner.sample.words.lexicon import BASIC
    from runner.workspace import atomic_write, lock

    if model is None:
        raise click.UsageError("--endpoint needs --model")
    given = {"temperature": temperature, "reasoning_effort": reasoning, "max_tokens": max_tokens}
    settings = {name: value for name, value in given.items() if value is not None}
    token = _token(os.environ.get("OPENAI_API_KEY", ""))
    endpoint = Endpoint(_address(url), model, settings, token, attempts, timeout, pause)
    basic = [noun.lemma for nouns in BASIC.nouns.values() for noun in nouns]
    wanted = prompts(recipe, lemmas.words or basic)
    journal = Journal(output.with_name(output.name + ".answers"))
    with lock(journal.path.with_name(journal.path.name + ".lock")), progress_bar("Asking", progress) as advance:
        texts = ask(endpoint, wanted, journal, parallel=parallel, progress=advance)
        with atomic_write(output) as temp:
            told = write(recipe.paradigm, wanted, texts, against, temp)
    say(f"{output}: {told['documents']:,} documents, {told['words']:,} words", err=True)
    if cut := sum(str(record["problem"]).startswith(CUT_OFF) for record in journal.records()):
        say(f"answers that were cut off, and asked for again: {cut:,}", err=True)
    if told["removed_in_suite"]:
        say(f"{told['removed_in_suite']:,} sentences were left out: a suite has them", err=True)
    if told["unknown_words"]:
        say(f"unknown to the tokenizer: {sum(told['unknown_words'].values()):,} words", err=True)


def _address(url: str) -> str:
    """The address, if requests can be sent to it."""
    import httpx

    try:
        read = httpx.URL(url)
        reason = "" if read.scheme in {"http", "https"} and read.host else "no http:// or https:// with a host"
        reason = reason or ("" if read.port is None or 0 < read.port < 65536 else f"no port: {read.port}")
    except (httpx.InvalidURL, UnicodeError) as error:
        reason = str(error)
    if reason:
        raise click.UsageError(f"--endpoint is no address, such as http://localhost:8000/v1: {reason}")
    return url


def _token(value: str) -> str | None:
    """A token without the white space around it, if a header can hold it; messages never show it."""
    token = value.strip()
    if not (token.isascii() and token.isprintable()):
        raise click.UsageError("OPENAI_API_KEY has a character that no header can hold: a token is printable ASCII")
    return token or None
