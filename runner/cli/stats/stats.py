"""`fictc stats`: statistics of a corpus and its parts."""

from __future__ import annotations

import click

from runner.cli.stats.cooccurrence import cooccurrence
from runner.cli.stats.counts import association, frequency, marked
from runner.cli.stats.divergence import divergence
from runner.cli.stats.overlap import overlap


@click.group("stats")
def command() -> None:
    """Compute statistics of a corpus and compare its parts.

    `--by KEY` splits a corpus into parts by `source`, `doc`, `sent_id` or any comment, such as `# genre = weblog`. With
    `--until SEPARATOR`, only the value before the first SEPARATOR names the part.

    \b
    Examples:
      fictc stats frequency stores/ewt --layer upos --by sent_id --until -
      fictc stats divergence stores/ewt --by sent_id --until - --output genres.html
      fictc stats marked stores/childes --by speaker_role
      fictc stats association stores/childes --by speaker_role --value Mother --layer lemma
      fictc stats cooccurrence fict15/passive.fict fict15/npi-only.fict --corpus stores/ewt
      fictc stats overlap stores/ewt blimp
    """


for _subcommand in (frequency, divergence, marked, association, cooccurrence, overlap):
    command.add_command(_subcommand)
