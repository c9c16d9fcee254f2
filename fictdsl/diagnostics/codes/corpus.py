"""FICT7xx: corpora, CoNLL-U and stores."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = ()
