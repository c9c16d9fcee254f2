"""`fictc audit`: the group of its commands."""

from __future__ import annotations

import click

from runner.cli.audit_parser import parser
from runner.cli.audit_sheets import read, sheet


@click.group("audit", commands=[sheet, read, parser])
def command() -> None:
    """Judge what filters find, miss and leave in a corpus.

    \b
    Example:
      fictc audit sheet fict15/passive --corpus stores/ewt --output passive-audit.csv
      fictc audit read passive-audit.csv
      fictc audit parser fict15/passive --gold stores/ewt-test --parsed stores/ewt-test-parsed
    """
