"""Apply a saved tokenizer to texts. A tokenizer that fails or does not end is reported with the text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from fictdsl.diagnostics.display import quotation
from runner.machine import QUERY_THREAD
from runner.model.saved.saved import first_line, unreadable

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SECONDS = 3.0  # for one text; a text of 100,000 words needs less than half a second


def tokenized(tokenizer: PreTrainedTokenizerBase, texts: Sequence[str], **options: bool) -> Any:
    """Return the encoding of texts.

    A regular expression in a tokenizer.json may take years for one text. Raises InputError (FICT801) with the folder
    and the text if the tokenizer fails, for example for lack of an unknown token, or needs more than `SECONDS`.
    """
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
    """Raise InputError (FICT801) if a tokenizer fails on a text or needs too long for it."""
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
        """Wait, and return whether the call has ended."""
        self.join(seconds)
        return not self.is_alive()


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Discard what is written to standard error in the context: a library in Rust prints its stack when it fails."""
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
