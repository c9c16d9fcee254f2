"""`corrupt = {…}` of an evaluation: minimal pairs derived from parsed sentences."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import model_validator

from runner.toml_tables import SHARE, Range, Seed, TomlTable


class Corrupt(TomlTable):
    """`corrupt = {…}`: how many pairs of each operation, from which sentences, and how words are written.

    `key` and `value` select the sentences with this comment. With `words` "tags" or "unk", tags or the tokenizer's
    unknown token replace the rarest words of the base corpus, which make up a share `alpha` of all words.
    """

    pairs: Annotated[int, Range(1, 10**9, "no corpus has more sentences")] = 200
    key: str | None = None
    value: str | None = None
    seed: Seed = 0
    words: Literal["plain", "tags", "unk"] = "plain"
    alpha: Annotated[float, SHARE] = 0.1
    tags: Literal["xpos", "upos"] = "xpos"

    @model_validator(mode="after")
    def _check_key_and_value(self) -> Corrupt:
        if (self.key is None) != (self.value is None):
            raise ValueError("key and value require each other")
        return self

    @model_validator(mode="after")
    def _check_unused(self) -> Corrupt:
        for name in ("alpha", "tags"):
            if name in self.model_fields_set and "words" not in self.model_fields_set:
                raise ValueError(f'{name} requires words, which is "tags" or "unk" if rare words are replaced')
        return self
