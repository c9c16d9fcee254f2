"""FICT4xx: what the language has and this version does not, and its limits."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = ()
