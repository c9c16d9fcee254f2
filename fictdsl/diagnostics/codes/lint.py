"""FICT5xx: legal, and probably not what was meant."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = ()
