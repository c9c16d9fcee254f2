"""Train a byte-level BPE tokenizer, and add tokens to any tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from runner.model.tokenizer import MASK, SEPARATOR, has_word_boundary, reserved_pattern, wrap_tokenizer

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast


def train_bpe_tokenizer(
    lines: Iterable[str], *, size: int, lowercase: bool = False, added: Sequence[str] = (), mask: bool = False
) -> PreTrainedTokenizerFast:
    """Train byte-pair encoding as in GPT-2, with at most `size` subwords including all 256 bytes.

    The vocabulary starts with `<eos>` (0) and, with `mask`, `[MASK]` (1), and ends with the tokens of `added`, as in
    `train_word_tokenizer`. An added token includes a preceding space. A space is part of the subword after it, and no
    space is added before the first word. Text is normalised to NFC and, with `lowercase`, lowercased.
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
    reserved = reserved_pattern(specials, added)
    tokenizer.train_from_iterator((piece for line in lines for piece in reserved.split(line)), trainer)
    return add_tokens(wrap_tokenizer(tokenizer, mask=mask, unknown=False), added)


def add_tokens(tokenizer: PreTrainedTokenizerBase, added: Sequence[str]) -> PreTrainedTokenizerBase:
    """Add strings as tokens that are never split, and return the tokenizer."""
    from tokenizers import AddedToken

    # lstrip: otherwise the space before an added token would be a separate token
    tokens = [AddedToken(text, single_word=has_word_boundary(text), normalized=False, lstrip=True) for text in added]
    tokenizer.add_tokens(tokens)
    return tokenizer
