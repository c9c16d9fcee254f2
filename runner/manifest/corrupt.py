"""`corrupt = {…}` of an evaluation: minimal pairs made of parsed sentences, as the word/tag hybrid is scored on."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from runner.manifest.part import Part


class Corrupt(Part):
    """`pairs` of each operation, from the sentences with a `value` of the comment `key`; and how words are written.

    With `words` "tags" or "unk", the rarest words of the training corpus, a share `alpha`, are their tags, or the
    tokenizer's unknown word.
    """

    pairs: int = Field(200, ge=1)
    key: str | None = None
    value: str | None = None
    seed: int = Field(0, ge=0)
    words: Literal["plain", "tags", "unk"] = "plain"
    alpha: float = Field(0.1, ge=0, le=1, strict=False)
    tags: Literal["xpos", "upos"] = "xpos"

    @model_validator(mode="after")
    def _both(self) -> Corrupt:
        if (self.key is None) != (self.value is None):
            raise ValueError("key and value belong together")
        return self
