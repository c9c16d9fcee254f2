"""Word-level and byte-level BPE tokenizers for raw text, special tokens of any tokenizer, and safe calls of it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from fictdsl.terminal_text import quotation
from runner.errors import InputError
from runner.machine import QUERY_THREAD

if TYPE_CHECKING:
    from tokenizers.normalizers import Normalizer
    from tokenizers.pre_tokenizers import PreTokenizer
    from transformers import PreTrainedTokenizerBase, PreTrainedTokenizerFast


Split: TypeAlias = Literal["regex", "ptb", "none"]

UNKNOWN, SEPARATOR, MASK = "<unk>", "<eos>", "[MASK]"
SPECIALS = (UNKNOWN, SEPARATOR)  # ids 0 and 1; MASK is 2 if a model needs it

# UAX 29: no word ends at a format character (WB4), such as a zero-width non-joiner or a soft hyphen, nor at MidLetter
# between letters (WB6, WB7), Hebrew quotation marks included (WB7a-c). As in CLDR, a colon is not MidLetter.
_FORMAT = r"[\p{Cf}&&[^\x{200B}]]*"
_LETTERS = rf"(?:(?:\w|\x{{05F3}}){_FORMAT})"
_MID_LETTER = (
    r"(?<=[\p{L}\p{M}\p{Cf}])(?:[\x{00B7}\x{055F}\x{05F4}\x{2027}]|(?<=\p{Hebrew})\")" + _FORMAT + r"(?=\p{L})"
)
_NUMBER = rf"{_FORMAT}\p{{N}}+(?:[.,:/]\p{{N}}+)*{_FORMAT}(?!{_FORMAT}\w)"
_HEBREW_END = r"(?:(?<=\p{Hebrew})'(?!\w))?"
_WORD = rf"{_FORMAT}{_LETTERS}+(?:(?:'{_FORMAT}|{_MID_LETTER}){_LETTERS}+)*{_HEBREW_END}"
_EMOJI = r"\p{Extended_Pictographic}[\x{1F3FB}-\x{1F3FF}\x{FE0F}]*"
_OTHER = rf"{_FORMAT}{_EMOJI}(?:\x{{200D}}{_EMOJI})+|{_FORMAT}(?!\p{{Cf}})[^\w\s]{_FORMAT}|[^\w\s]"
# Penn Treebank: separate clitics (do n't, ca n't, John 's, can not)
_CLITIC_ENDING = r"(?i:s|re|ve|ll|d|m)(?!\w)"
_CLITIC = rf"(?i:n't)(?!\w)|'{_CLITIC_ENDING}"
_HOST = (
    rf"{_LETTERS}+?(?=(?i:n't)(?!\w))|(?i:can)(?=(?i:not)(?!\w))|"
    rf"{_FORMAT}{_LETTERS}+(?:(?:'(?!{_CLITIC_ENDING}){_FORMAT}|{_MID_LETTER}){_LETTERS}+)*{_HEBREW_END}"
)
SPLITTING = 2  # raised when a text is split into other words; a part of the keys of what depends on words
_PATTERNS = {"regex": "|".join((_NUMBER, _WORD, _OTHER)), "ptb": "|".join((_NUMBER, _CLITIC, _HOST, _OTHER))}


def train_word_tokenizer(
    lines: Iterable[str],
    *,
    size: int,
    lowercase: bool = False,
    split: Split = "regex",
    added: Sequence[str] = (),
    mask: bool = False,
) -> PreTrainedTokenizerFast:
    """Train a tokenizer with the `size` most frequent words of `lines`. Equally frequent words are in code point order.

    The vocabulary is `<unk>` (0), `<eos>` (1), with `mask` `[MASK]` (2), the words, and the tokens of `added`. Raw text
    is normalised to NFC, and ’ is replaced by ' (unless `split` is `none`). `regex` splits it into words with their
    clitics (don't), numbers and single punctuation marks, but not at format characters or at MidLetter of UAX 29
    (می‌روم, צה״ל). `ptb` also separates clitics (do n't); `none` splits at white space only.

    Tokens of `added` are matched literally before normalisation, but not as a part of a word or number.
    """
    from tokenizers import AddedToken, Tokenizer
    from tokenizers.models import WordLevel

    normaliser, splitter = _normaliser(lowercase, split), _splitter(split)
    counts: Counter[str] = Counter()
    specials = [*SPECIALS, *([MASK] if mask else [])]
    reserved = reserved_pattern(specials, added)
    for line in lines:
        for piece in reserved.split(line):  # a corpus may contain <unk> itself
            counts.update(word for word, _ in splitter.pre_tokenize_str(normaliser.normalize_str(piece)))
    for special in specials:
        counts.pop(special, None)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    vocabulary = {word: index for index, word in enumerate([*specials, *islice(ranked, size)])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.normalizer = normaliser
    tokenizer.pre_tokenizer = splitter
    tokenizer.add_special_tokens(specials)
    tokenizer.add_tokens([AddedToken(text, single_word=has_word_boundary(text), normalized=False) for text in added])
    return wrap_tokenizer(tokenizer, mask=mask)


def has_word_boundary(text: str) -> bool:
    return text[:1].isalnum() or text[-1:].isalnum()


def reserved_pattern(specials: Sequence[str], added: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join([*map(re.escape, specials), *map(_token_pattern, sorted(added, key=len, reverse=True))]))


def _token_pattern(text: str) -> str:
    return rf"(?<!\w){re.escape(text)}(?!\w)" if has_word_boundary(text) else re.escape(text)


def split_words(text: str, split: Split) -> list[str]:
    words = _splitter(split).pre_tokenize_str(_normaliser(False, split).normalize_str(text))
    return [word for word, _ in words]


def unsplit_pattern(tokenizer: PreTrainedTokenizerBase) -> re.Pattern[str] | None:
    contents = [str(token) for token in getattr(tokenizer, "added_tokens_decoder", {}).values()]
    tokens = [content for content in contents if content.strip()]
    return re.compile(f"({reserved_pattern((), tokens).pattern})") if tokens else None


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
    """Return the id that opens a row of a masked model: CLS, or else BOS, EOS, SEP or None."""
    return _first_id(tokenizer.cls_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.sep_token_id)


def separator_id(tokenizer: PreTrainedTokenizerBase) -> int | None:
    """Return the id that closes a sentence: EOS, or else SEP, BOS or None."""
    return _first_id(tokenizer.eos_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id)


def _first_id(*ids: int | None) -> int | None:
    return next((token_id for token_id in ids if token_id is not None), None)


def id_count(tokenizer: PreTrainedTokenizerBase) -> int:
    """Return the highest id plus 1: the rows that an embedding needs. It exceeds `len` if the ids have gaps."""
    last_id: int = max([len(tokenizer) - 1, *tokenizer.get_vocab().values()])
    return last_id + 1


def with_special_tokens(tokenizer: PreTrainedTokenizerBase) -> PreTrainedTokenizerBase:
    from tokenizers.processors import TemplateProcessing

    if tokenizer("")["input_ids"]:
        return tokenizer
    special_ids = opening_id(tokenizer), separator_id(tokenizer)
    specials = [(tokenizer.convert_ids_to_tokens(token_id), token_id) for token_id in special_ids]
    (opening, _), (closing, _) = specials
    result = deepcopy(tokenizer)
    template = TemplateProcessing(single=f"{opening} $A {closing}", special_tokens=specials)
    result.backend_tokenizer.post_processor = template
    return result


def wrap_tokenizer(tokenizer: object, *, mask: bool, unknown: bool = True) -> PreTrainedTokenizerFast:
    from transformers import PreTrainedTokenizerFast

    special_tokens = {"eos_token": SEPARATOR, "pad_token": SEPARATOR}
    if unknown:
        special_tokens["unk_token"] = UNKNOWN
    if mask:
        special_tokens["mask_token"] = MASK
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        clean_up_tokenization_spaces=False,
        model_input_names=["input_ids", "attention_mask"],  # expected by pipelines and other tools
        **special_tokens,
    )


def lowercases(tokenizer: PreTrainedTokenizerBase) -> bool:
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return bool(getattr(tokenizer, "do_lower_case", False))
    normaliser = backend.normalizer
    return normaliser is not None and normaliser.normalize_str("A") == normaliser.normalize_str("a")


def train_bpe_tokenizer(
    lines: Iterable[str], *, size: int, lowercase: bool = False, added: Sequence[str] = (), mask: bool = False
) -> PreTrainedTokenizerFast:
    """Train byte-pair encoding as in GPT-2, with at most `size` subwords including all 256 bytes.

    The vocabulary starts with `<eos>` (0) and, with `mask`, `[MASK]` (1), and ends with the tokens of `added`. An added
    token includes a preceding space; no space is added before the first word.
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
    from tokenizers import AddedToken

    # lstrip: otherwise the space before an added token would be a separate token
    tokens = [AddedToken(text, single_word=has_word_boundary(text), normalized=False, lstrip=True) for text in added]
    tokenizer.add_tokens(tokens)
    return tokenizer


def unreadable(folder: Path, reason: str) -> InputError:
    return InputError.of("FICT801", path=folder, reason=reason)


def first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


SECONDS = 3.0  # for one text; a text of 100,000 words needs less than half a second


def tokenized(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], **options: bool) -> Any:
    """Return the encoding of texts. Raises InputError (FICT801) if it fails or takes more than `SECONDS`."""
    with _quiet_stderr():
        call = _Call(tokenizer, texts, options)
        if not call.ends_within(SECONDS) or call.error is not None:
            for text in texts:
                _check(tokenizer, text, options)
        call.join()  # every text alone is fast enough
    if call.error is not None:
        raise unreadable(Path(tokenizer.name_or_path), first_line(call.error)) from call.error
    return call.result


def _check(tokenizer: PreTrainedTokenizerBase, text: str, options: dict[str, bool]) -> None:
    call = _Call(tokenizer, [text], options)
    if not call.ends_within(SECONDS):
        reason = f'its tokenizer needs more than {SECONDS:g} s for the text "{quotation(text)}"'
        raise unreadable(Path(tokenizer.name_or_path), reason)
    if call.error is not None:
        reason = f'its tokenizer fails on the text "{quotation(text)}": {first_line(call.error)}'
        raise unreadable(Path(tokenizer.name_or_path), reason) from call.error


class _Call(Thread):
    """A call of a tokenizer in a thread of its own. Nothing can stop the thread, but the process may exit."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], options: dict[str, bool]) -> None:
        super().__init__(name=QUERY_THREAD, daemon=True)
        self._arguments = tokenizer, list(texts), options
        self.result: Any = None
        self.error: BaseException | None = None
        self.start()

    def run(self) -> None:
        tokenizer, texts, options = self._arguments
        try:
            self.result = tokenizer(texts, **options)
        except BaseException as error:  # noqa: BLE001 - libraries in Rust raise PanicException, which is no Exception
            self.error = error

    def ends_within(self, seconds: float) -> bool:
        self.join(seconds)
        return not self.is_alive()


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    try:
        stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # it is closed
        yield
        return
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)
