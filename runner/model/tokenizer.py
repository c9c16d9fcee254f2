"""Text to a word-level tokenizer whose one file splits raw text and looks its words up."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer
    from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast

Split: TypeAlias = Literal["regex", "ptb", "none"]

UNKNOWN, SEPARATOR, MASK = "<unk>", "<eos>", "[MASK]"
SPECIALS = (UNKNOWN, SEPARATOR)  # ids 0 and 1, whatever the text holds; MASK is the next where models fill masks

_NUMBER = r"\p{N}+(?:[.,:/]\p{N}+)*(?!\w)"
_WORD = r"\w+(?:'\w+)*"
_OTHER = r"[^\w\s]"
# Penn Treebank: clitics on their own (do n't, ca n't, John 's, can not)
_SHORT = r"(?i:s|re|ve|ll|d|m)(?!\w)"
_CLITIC = rf"(?i:n't)(?!\w)|'{_SHORT}"
_HOST = rf"\w+?(?=(?i:n't)(?!\w))|(?i:can)(?=(?i:not)(?!\w))|\w+(?:'(?!{_SHORT})\w+)*"
_PATTERNS = {"regex": "|".join((_NUMBER, _WORD, _OTHER)), "ptb": "|".join((_NUMBER, _CLITIC, _HOST, _OTHER))}


def train_word_tokenizer(
    lines: Iterable[str],
    *,
    size: int,
    lowercase: bool = False,
    split: Split = "regex",
    whole: Sequence[str] = (),
    mask: bool = False,
) -> PreTrainedTokenizerFast:
    """The `size` most frequent words of `lines`, ties by code point, after `<unk>` (0), `<eos>` (1), [MASK] if asked.

    The tokenizer takes raw text: it normalises to NFC, writes ’ as ' (unless `split` is `none`), lowers case if
    asked, and splits as `split` says. `regex`: words with their clitics (don't), numbers, single punctuation
    marks. `ptb`: clitics apart (do n't). `none`: at white space only. It adds no special token of its own.
    The strings of `whole` follow the words: each is one token as it is written, before anything else is done to the
    text; one that begins or ends with a letter only where no other letter touches it.
    """
    from tokenizers import AddedToken, Tokenizer
    from tokenizers.models import WordLevel

    normaliser, splitter = _normaliser(lowercase, split), _splitter(split)
    counts: Counter[str] = Counter()
    specials = [*SPECIALS, *([MASK] if mask else [])]
    reserved = uncut(specials, whole)
    for line in lines:
        for piece in reserved.split(line):  # a corpus may hold <unk> itself
            counts.update(word for word, _ in splitter.pre_tokenize_str(normaliser.normalize_str(piece)))
    for special in specials:
        counts.pop(special, None)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    vocabulary = {word: index for index, word in enumerate([*specials, *islice(ranked, size)])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normaliser
    tokenizer.pre_tokenizer = splitter
    tokenizer.add_special_tokens(specials)
    tokenizer.add_tokens([AddedToken(text, single_word=is_word(text), normalized=False) for text in whole])
    return wrapped(tokenizer, mask=mask)


def is_word(text: str) -> bool:
    """Whether a string begins or ends with a letter, so that it must not be part of a longer word."""
    return text[:1].isalnum() or text[-1:].isalnum()


def uncut(specials: Sequence[str], whole: Sequence[str]) -> re.Pattern[str]:
    """What matches a special token anywhere, and a whole one where it is one."""
    return re.compile("|".join([*map(re.escape, specials), *map(_alone, sorted(whole, key=len, reverse=True))]))


def _alone(text: str) -> str:
    return rf"(?<!\w){re.escape(text)}(?!\w)" if is_word(text) else re.escape(text)


def split_words(text: str, split: Split) -> list[str]:
    """The words and marks of a text exactly as a tokenizer with that `split` would cut it, case kept."""
    pieces = _splitter(split).pre_tokenize_str(_normaliser(False, split).normalize_str(text))
    return [word for word, _ in pieces]


def _normaliser(lowercase: bool, split: Split) -> Normalizer:
    from tokenizers.normalizers import NFC, Lowercase, Replace, Sequence

    steps: list[Normalizer] = [NFC()]
    if split != "none":
        steps.append(Replace("’", "'"))
    if lowercase:
        steps.append(Lowercase())
    return Sequence(steps)


def _splitter(split: Split) -> PreTokenizer:
    from tokenizers import Regex
    from tokenizers.pre_tokenizers import Split as Cut
    from tokenizers.pre_tokenizers import WhitespaceSplit

    if split == "none":
        return WhitespaceSplit()
    return Cut(Regex(_PATTERNS[split]), behavior="removed", invert=True)


def opening_id(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """What stands before a row of a masked model: [CLS], or else what begins or ends a sentence."""
    return _first(tokenizer.cls_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.sep_token_id)


def separator_id(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """What closes a sentence: the end-of-sentence token, or else [SEP], or the token for the beginning."""
    return _first(tokenizer.eos_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id)


def _first(*ids: int | None) -> int | None:
    return next((number for number in ids if number is not None), None)


def between_separators(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    """A tokenizer that frames a text as rows of masked models are; one that adds special tokens of its own stays."""
    from tokenizers.processors import TemplateProcessing

    if tokenizer("")["input_ids"]:
        return tokenizer
    frame = opening_id(tokenizer), separator_id(tokenizer)
    specials = [(tokenizer.convert_ids_to_tokens(number), number) for number in frame]
    (opening, _), (closing, _) = specials
    framed = deepcopy(tokenizer)
    template = TemplateProcessing(single=f"{opening} $A {closing}", special_tokens=specials)
    framed.backend_tokenizer.post_processor = template
    return framed


def wrapped(tokenizer: object, *, mask: bool, unknown: bool = True) -> PreTrainedTokenizerFast:
    """A tokenizer as transformers saves and loads it."""
    from transformers import PreTrainedTokenizerFast

    named = {"eos_token": SEPARATOR, "pad_token": SEPARATOR}
    if unknown:
        named["unk_token"] = UNKNOWN
    if mask:
        named["mask_token"] = MASK
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        clean_up_tokenization_spaces=False,
        model_input_names=["input_ids", "attention_mask"],  # what pipelines and other tools read of a padded batch
        **named,
    )
