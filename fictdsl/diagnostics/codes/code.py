"""An entry of the catalogue of diagnostics."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Severity

# The tree that the examples of corpus errors modify.
DOGS_BARK = "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem: its code, its name, the template of its message and an explanation."""

    code: str
    name: str
    message: str  # a template for str.format
    explanation: str
    severity: Severity = Severity.ERROR
    bad: str = ""  # an example with the problem: a filter without its first line, part of a manifest, commands, …
    good: str = ""  # the corrected example
