"""FICT1xx: what is wrong with the text itself."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = ()
