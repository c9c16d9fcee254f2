"""The command line: a click group that loads a command's module only when it is called."""

from __future__ import annotations

import gc
from functools import partial
from importlib import import_module

import click
from click.shell_completion import CompletionItem

# each with its module below `runner.cli` and the line that `fictc --help` prints
COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("experiments.run", "Run an experiment: corpora, models, scores, report."),
    "plan": ("experiments.plan", "Show what a run would do, what is done already, and why the rest is not."),
    "status": ("experiments.status", "Say which cells of a run are done, running, failed or waiting."),
    "compile": ("filters.compile", "Turn filters into SQL, or show any stage on the way."),
    "lint": ("filters.lint", "Check filters, and put right what is safe to."),
    "fmt": ("filters.fmt", "Bring filters into their one layout."),
    "rule": ("filters.rule", "Say what a message means, with examples."),
    "config": ("filters.config", "Show the settings of a project, and where each comes from."),
    "test": ("examples.test", "Run the example sentences beside each filter."),
    "match": ("query.match", "Print the sentences of a corpus that a filter matches."),
    "count": ("query.count", "Count what filters match in a corpus."),
    "apply": ("corpora.apply", "Write a corpus as the actions of filters leave it."),
    "show": ("show.show", "Show matches in context, bound words highlighted."),
    "explain": ("filters.explain", "Say in plain words what a filter does, and what each step of it keeps."),
    "lsp": ("filters.lsp", "Serve an editor: diagnostics, completion, hover, rename, formatting."),
    "diff": ("query.diff", "Compare what two filters match in a corpus."),
    "diff-corpus": ("query.diff_corpus", "Compare two training corpora of a run."),
    "coverage": ("query.coverage", "Say which share of a benchmark's items filters match."),
    "stats": ("stats.stats", "Count and compare what the parts of a corpus are made of."),
    "import": ("corpora.import_", "Make a corpus store from CoNLL-U files."),
    "annotate": ("corpora.annotate", "Parse raw text with Stanza into a corpus store."),
    "export": ("corpora.export", "Write a store's sentences as text, exactly as they came in."),
    "store": ("corpora.store", "Look into a store, check that it is undamaged, split or merge it, add to it."),
    "index": ("corpora.index", "Make a store quick to search, at the cost of disk."),
    "generate": ("corpora.generate", "Make text with a construction in it, to be injected."),
    "corrupt": ("corpora.corrupt", "Make minimal pairs by corrupting sentences, to be judged."),
    "sample": ("corpora.sample", "Generate the embedded sample: gold trees and minimal pairs."),
    "score": ("results.score", "Score a saved model on minimal pairs."),
    "report": ("results.report", "Make the report of a run again from its results."),
    "fetch": ("corpora.fetch", "Download treebanks and benchmarks, checked by sha256."),
    "completion": ("filters.completion", "Make a shell complete fictc commands."),
    "run-cell": ("experiments.run_cell", "Run one cell of an experiment from a job file."),
}


class LazyGroup(click.Group):
    """Import the module of a command, which calls its click command `command`, only when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Names in the order of an experiment rather than of the alphabet."""
        return [name for name in COMMANDS if name != "run-cell"]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the one module that is needed."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        command: click.Command = import_module(f"runner.cli.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first word names. Raises UsageError with the nearest name if there is none."""
        from fictdsl.diagnostics.suggest import did_you_mean

        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            hint = did_you_mean(name, self.list_commands(ctx))
            ctx.fail(f"No such command '{name}'{f'; {hint}' if hint else ''}.")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and options that begin so, without importing a command."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*(CompletionItem(name, help=COMMANDS[name][1]) for name in names), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fictc", prog_name="fictc")
@click.pass_context
def fictc(context: click.Context) -> None:
    """Describe a construction, remove it from a corpus, and see what a language model learns without it."""
    from runner.cli.shared.heartbeat import Heartbeat

    context.obj = context.with_resource(Heartbeat(context.invoked_subcommand or ""))


def main() -> None:
    """Entry point: one message for a mistake, an exit code that says whose it was."""
    gc.set_threshold(10_000, 20, 20)  # what is imported lives on: to look for garbage among it takes a while
    from runner.cli.shared.exit import leave
    from runner.cli.shared.outcome import run_command

    leave(run_command(partial(fictc, prog_name="fictc")))
