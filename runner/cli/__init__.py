"""The command line: a click group that imports the module of a command only when it is called."""

from __future__ import annotations

import gc
from functools import partial
from importlib import import_module

import click
from click.shell_completion import CompletionItem

# name → module in `runner.cli`, summary in `fictc --help`
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("run", "Run an experiment: corpora, models, scores, report."),
    "plan": ("experiment", "Show the steps of a run, which are done, and why the others are not."),
    "corpora": ("experiment", "Write the training corpora of an experiment, for other trainers."),
    "status": ("experiment", "Show which cells of a run are done, running, failed or waiting."),
    "power": ("report", "Show what other numbers of seeds and pairs would detect and prove."),
    "compile": ("explain", "Compile filters to SQL, or print an intermediate stage."),
    "lint": ("lint", "Check filters, and apply safe fixes."),
    "fmt": ("fmt", "Format filters."),
    "translate": ("fmt", "Translate queries of Grew and Semgrex to filters."),
    "rule": ("explain", "Explain a diagnostic, with examples."),
    "config": ("config", "Show the settings of a project and where each is set."),
    "test": ("test", "Run the example sentences of each filter."),
    "match": ("match", "Print the sentences of a corpus that a filter matches."),
    "count": ("count", "Count the matches of filters in a corpus."),
    "apply": ("apply", "Apply the actions of filters to a corpus."),
    "show": ("show", "Show matches in context, with bound words highlighted."),
    "explore": ("explore", "Open a page that searches stores: matches, trees, counts, near misses."),
    "explain": ("explain", "Explain a filter in plain English, and what each step of it keeps."),
    "lsp": ("lsp", "Run the language server: diagnostics, completion, hover, rename, formatting."),
    "diff": ("diff", "Compare what two filters match in a corpus."),
    "coverage": ("coverage", "Report the share of a benchmark's items that filters match."),
    "audit": ("audit", "Judge what filters find, miss and leave in a corpus."),
    "stats": ("stats", "Compute statistics of a corpus and compare its parts."),
    "import": ("import_export", "Import CoNLL-U files into a corpus store."),
    "annotate": ("import_export", "Parse raw text with Stanza into a corpus store."),
    "export": ("import_export", "Export the sentences of a store, exactly as imported."),
    "store": ("store", "Inspect, verify, split, merge or extend a store."),
    "index": ("import_export", "Index a store, for faster queries at the cost of disk space."),
    "generate": ("generate", "Generate text that contains a construction, for injection."),
    "perturb": ("perturb", "Shuffle, reverse or mark every sentence of a corpus."),
    "corrupt": ("perturb", "Make minimal pairs by corrupting sentences."),
    "sample": ("generate", "Generate the embedded sample: gold trees and minimal pairs."),
    "trees": ("trees", "Write gold trees of a benchmark."),
    "score": ("score", "Score a saved model on minimal pairs."),
    "report": ("report", "Rebuild the report of a run from its results."),
    "fetch": ("generate", "Download treebanks and benchmarks, verified by SHA-256."),
    "completion": ("lsp", "Print the script that enables shell completion."),
    "run-cell": ("run", "Run one cell of an experiment from a job file."),
}


class LazyGroup(click.Group):
    """A group that imports the module of a command on first use. A module may define several."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for name in COMMANDS if name != "run-cell"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = vars(import_module(f"runner.cli.{COMMANDS[cmd_name][0]}"))
        return next(each for each in module.values() if isinstance(each, click.Command) and each.name == cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from fictdsl.diagnostics.suggest import did_you_mean

        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"No such command '{name}'{f'; {hint}' if hint else ''}.")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=COMMANDS[name][1]) for name in names), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
@click.version_option(package_name="fictc", prog_name="fictc")
def fictc() -> None:
    """Describe a construction, remove it from a corpus, and see what a language model learns without it."""


def main() -> None:
    from runner.cli.terminal import (
        encode_plainly,
        exit_process,
        ignore_wrong_environment,
        open_closed_streams,
        run_command,
    )

    gc.set_threshold(10_000, 20, 20)
    open_closed_streams()
    encode_plainly()
    ignore_wrong_environment()

    exit_process(run_command(partial(fictc, prog_name="fictc")))
