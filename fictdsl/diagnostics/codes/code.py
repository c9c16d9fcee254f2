"""The shape of one entry of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass

from fictdsl.diagnostics.diagnostic import Severity

# The tree that the examples of corpora show whole, or damaged.
DOGS_BARK = "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem: its number, its name, the template of its message and what it means."""

    code: str
    name: str
    message: str  # a str.format template; its fields are the parameters
    explanation: str
    severity: Severity = Severity.ERROR
    bad: str = ""  # an example of the problem: a filter without its first line, part of a manifest, commands, …
    good: str = ""  # and of what is right
