"""Numeric options, the option `--format`, the options of a manifest, and the options that the user gave.

A type of numbers has a range, and a reason for it that the message of a wrong value gives. NaN is in no range. Ranges
of numbers that manifests have too are those of the manifests.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from functools import reduce, wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from runner.errors import InputError
from runner.machine import PATTERN

if TYPE_CHECKING:
    from runner.execute.cache import Cache
    from runner.steps.plan import RunPlan


MAX_NUMBER = 2**31 - 1
MAX_PROCESSES = 1024
_MAX_SHOWN = 40  # characters of a wrong value


class BoundedInt(click.IntRange):
    def __init__(self, min: int, max: int, reason: str) -> None:  # noqa: A002 - named as in click
        super().__init__(min, max)
        self.reason = reason

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            number: int = super().convert(value, param, ctx)
        except click.BadParameter:
            expected = f"a whole number from {self.min:,} to {self.max:,}"
            self.fail(f"{shown_value(value)} is not {expected} ({self.reason}).", param, ctx)
        return number


class BoundedFloat(click.FloatRange):
    def __init__(self, min: float, max: float, reason: str, *, min_open: bool = False) -> None:  # noqa: A002 - as in click
        super().__init__(min, max, min_open=min_open)
        self.reason = reason

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number: float = super().convert(value, param, ctx)
        except click.BadParameter:
            number = float("nan")
        if math.isnan(number):  # it passes every bound
            bounds = f"{'above' if self.min_open else 'from'} {self.min:,} to {self.max:,}"
            self.fail(f"{shown_value(value)} is not a number {bounds} ({self.reason}).", param, ctx)
        return number


def shown_value(value: object) -> str:
    text = str(value)
    return repr(text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…")


class Count(BoundedInt):
    def __init__(self, min: int = 0) -> None:  # noqa: A002 - named as in click
        super().__init__(min, MAX_NUMBER, "a store numbers its sentences with 31 bits")


class Workers(BoundedInt):
    def __init__(self, min: int = 1) -> None:  # noqa: A002 - named as in click
        super().__init__(min, MAX_PROCESSES, "each takes memory and a processor")


SEED = BoundedInt(0, MAX_NUMBER, "random generators take 31 bits on every platform")


F = TypeVar("F", bound=Callable[..., Any])


def relations(*lines: str) -> Callable[[F], F]:
    """Return a decorator that checks lines such as `--limit, --words requires SUITE` and `--each excludes --dry-run`.

    An option, an option with a value (`--format html`), or an argument (`STORE`) is on either side; the right one may
    have alternatives: `--suite or --runs`, `--engine spark or spark-duckdb`. Lists are separated by commas.
    """

    def decorate(command: F) -> F:
        @wraps(command)
        def wrapper(*arguments: Any, **options: Any) -> Any:
            for line in lines:
                _check_relation(click.get_current_context(), line)
            return command(*arguments, **options)

        wrapper.relations = (*lines, *getattr(command, "relations", ()))  # type: ignore[attr-defined]
        return cast("F", wrapper)

    return decorate


def parts_of_relation(line: str) -> tuple[list[str], str, list[str]]:
    left, verb, right = re.split(" (requires|excludes) ", line)
    return left.split(", "), verb, right.split(", ")


def _check_relation(context: click.Context, line: str) -> None:
    names, verb, others = parts_of_relation(line)
    for name in names:
        for other in others if _is_given(context, name) else ():
            holds = any(_is_given(context, each) for each in alternatives(other))
            if verb == "requires" and not holds:
                raise click.UsageError(f"{name} requires {other}", context)
            if verb == "excludes" and holds:
                raise click.UsageError(f"{name} and {other} exclude each other", context)


def related_parameter(command: click.Command, relation: str) -> click.Parameter:
    name = relation.partition(" ")[0]
    for parameter in command.params:
        metavar = (parameter.metavar or parameter.name or "").upper().strip("[].")
        if name in parameter.opts or (isinstance(parameter, click.Argument) and name == metavar):
            return parameter
    raise KeyError(f"{command.name} has no parameter {name}")


def alternatives(relation: str) -> list[str]:
    first, *others = relation.split(" or ")
    name = first.partition(" ")[0]
    return [first, *(other if other.startswith("-") else f"{name} {other}" for other in others)]


def _is_given(context: click.Context, name: str) -> bool:
    parameter, value = related_parameter(context.command, name), name.partition(" ")[2]
    found = context.params[parameter.name or ""]
    if value:
        return bool(found == value)
    source = context.get_parameter_source(parameter.name or "")
    return source is click.core.ParameterSource.COMMANDLINE and found not in (None, (), [])


def given_options(*names: str) -> list[str]:
    context = click.get_current_context()
    return [
        parameter.opts[0]
        for parameter in context.command.params
        if parameter.name in names
        and context.get_parameter_source(parameter.name) is click.core.ParameterSource.COMMANDLINE
    ]


def format_option(
    *formats: str,
    help: str = "Output format.",  # noqa: A002 - named as in click
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option("--format", "output_format", type=click.Choice(formats), default=formats[0], help=help)


def check_suffix(output: Path | None, output_format: str, formats: Collection[str]) -> None:
    named_format = None if output is None else output.suffix.lower().removeprefix(".")
    if named_format in formats and named_format != output_format:
        raise click.UsageError(f"--output {output} requires --format {named_format}")


def check_written(option: str, output: Path | None, *suffixes: str) -> None:
    accepted = (*suffixes, ".htm") if ".html" in suffixes else suffixes
    if output is not None and output.suffix.lower() not in accepted:
        raise click.UsageError(f"{option} writes a {' or '.join(suffixes)} file, not {output.name}.")


PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def combined(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Return a decorator that does what decorators do that stand above each other."""
    return lambda command: reduce(lambda decorated, add: add(decorated), reversed(decorators), command)


def gathered(name: str, make: Callable[..., object], /, **options_of_parameters: str) -> Callable[[F], F]:
    """Return a decorator that gives a command one value instead of the options that `make` takes as parameters."""
    option_names = {parameter: parameter for parameter in signature(make).parameters} | options_of_parameters

    def decorate(command: F) -> F:
        @wraps(command)
        def wrapper(**options: Any) -> Any:
            values = {parameter: options.pop(key) for parameter, key in option_names.items() if key in options}
            return command(**options, **{name: make(**values)})

        return cast("F", wrapper)

    return decorate


def _input_options(default_cache: str) -> Callable[[F], F]:
    return combined(
        click.option("--data", type=FOLDER, help="Directory that ${data} refers to in the manifest."),
        click.option(
            "--allow",
            type=FOLDER,
            multiple=True,
            help="Additional directory that the manifest may read. May be repeated.",
        ),
        click.option(
            "--cache", type=FOLDER, envvar="FICTC_CACHE", help=f"Cache of finished steps [default: {default_cache}]."
        ),
    )


_MANIFEST = click.argument("manifest", type=FILE)
# --data, --allow, --cache and --output; with MANIFEST; MANIFEST without --output
folder_options = combined(
    _input_options(".cache beside the directory of this run: runs/.cache"),
    click.option("--output", type=FOLDER, help="Directory of this run [default: runs/NAME]."),
)
manifest_options = combined(folder_options, _MANIFEST)
manifest_inputs = combined(_input_options("runs/.cache"), _MANIFEST)


def _check_device(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    if value is not None and not re.fullmatch(PATTERN, value):
        raise click.BadParameter(f"`{value}` is not cpu, mps, cuda, cuda:N or auto")
    return value


device_option = click.option(
    "--device",
    callback=_check_device,
    metavar="DEVICE",
    help="cpu, mps, cuda, cuda:1 for one of several GPUs, or auto for a GPU if there is one [default: that of the "
    "manifest, or auto].",
)


def check_exists(path: Path) -> None:
    from fictdsl.diagnostics.suggest import nearest

    if not path.exists() and path.suffix != ".toml":
        name = nearest(path.name, sorted(folder.name for folder in path.parent.glob("*") if folder.is_dir()))
        hint = f"the nearest folder is {path.parent / name}" if name else None
        raise InputError.of("FICT890", path=path, what="folder of a run", hint=hint)


def load_plan(
    manifest: Path,
    data: Path | None,
    allow: tuple[Path, ...],
    output: Path | None,
    cache: Path | None,
    device: str | None = None,
) -> tuple[RunPlan, Cache, Path]:
    from runner.execute.planned import plan_of
    from runner.manifest.text import read_draft

    return plan_of(read_draft(manifest), data, allow, output, cache, device)
