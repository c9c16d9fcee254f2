"""Text to a byte-level BPE tokenizer, and a saved tokenizer of any kind to one with more whole tokens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from runner.model.tokenizer import MASK, SEPARATOR, is_word, uncut, wrapped

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

BYTES = 256  # entries that every byte-level vocabulary has, so that no text is unknown to it


def train_bpe_tokenizer(
    lines: Iterable[str], *, size: int, lowercase: bool = False, whole: Sequence[str] = (), mask: bool = False
) -> PreTrainedTokenizerFast:
    """At most `size` pieces of the words of `lines`, all 256 bytes among them, by byte-pair encoding as in GPT-2.

    Before them stand `<eos>` (0) and, with `mask`, `[MASK]` (1); after them the strings of `whole`, as in
    `train_word_tokenizer`, each with the space before it. A space belongs to the word that follows, and none is put
    before the first one. Text is normalised to NFC, and lower-cased if asked.
    """
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as Decoder
    from tokenizers.models import BPE
    from tokenizers.normalizers import NFC, Lowercase, Sequence
    from tokenizers.pre_tokenizers import ByteLevel
    from tokenizers.trainers import BpeTrainer

    specials = [SEPARATOR, *([MASK] if mask else [])]
    tokenizer = Tokenizer(BPE())
    tokenizer.normalizer = Sequence([NFC(), Lowercase()] if lowercase else [NFC()])
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    tokenizer.decoder = Decoder()
    trainer = BpeTrainer(
        vocab_size=size + len(specials),
        special_tokens=specials,
        initial_alphabet=sorted(ByteLevel.alphabet()),
        show_progress=False,
    )
    reserved = uncut(specials, whole)
    tokenizer.train_from_iterator((piece for line in lines for piece in reserved.split(line)), trainer)
    made = wrapped(tokenizer, mask=mask, unknown=False)
    return with_tokens(made, whole)


def with_tokens(tokenizer: PreTrainedTokenizerBase, whole: Sequence[str]) -> PreTrainedTokenizerBase:
    """The tokenizer with the strings of `whole` as tokens that are never cut; those that it has already stay."""
    from tokenizers import AddedToken

    # what stands before a token may be a space, which must not become a token of its own
    tokens = [AddedToken(text, single_word=is_word(text), normalized=False, lstrip=True) for text in whole]
    tokenizer.add_tokens(tokens)
    return tokenizer
