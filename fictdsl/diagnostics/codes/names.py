"""FICT2xx: names that are missing, doubled or out of place."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = ()
