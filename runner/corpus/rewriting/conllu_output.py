"""Write a changed sentence as CoNLL-U."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runner.corpus.rewriting.draft import Draft
from runner.corpus.rewriting.spelling import Spelling
from runner.corpus.rewriting.stored import HEAD, LEMMA, StoredSentence, spacing
from runner.corpus.text.surface import Token

_TEXT = re.compile(r"#[ \t]*text[ \t]*=")
_SPACE_AFTER_KEYS = ("SpaceAfter", "SpacesAfter")
_SPACE_BEFORE_KEYS = ("SpacesBefore",)
_STALE_KEYS = ("start_char", "end_char", "TokenRange", "Entity")  # entries of MISC that describe the old text


def as_conllu(draft: Draft, spelling: Spelling) -> str:
    """Return the lines of a sentence with new ids, without the empty line after it.

    `# text` and the spacing in MISC describe the new text. Empty nodes, enhanced edges and the entries of MISC that
    describe the old text are omitted.
    """
    numbers = {word: number for number, word in enumerate(draft.order, start=1)} | {0: 0}
    heads = draft.heads()
    lines = _comments(draft.stored.comments, spelling.text)
    tokens = spelling.tokens()
    for index, token in enumerate(tokens):
        if token.first != token.last:
            misc = _misc(spelling, tokens, index, _misc_of_token(draft.stored, token.first))
            token_id = f"{numbers[token.first]}-{numbers[token.last]}"
            lemma_to_feats = draft.stored.token_rows[token.first][LEMMA:HEAD]
            lines.append("\t".join([token_id, token.form, *lemma_to_feats, *"___", misc]))
        for word in range(token.first, token.last + 1):
            row = list(draft.row(word))
            row[0], row[1] = str(numbers[word]), spelling.forms.get(word, row[1])
            row[6], row[8] = str(numbers[heads[word]]), "_"
            if heads[word] == 0 and (word in draft.inserted or draft.stored.heads[word]):
                row[7] = "root"
            row[9] = (
                _misc(spelling, tokens, index, row[9]) if token.first == token.last else _without_stale_entries(row[9])
            )
            lines.append("\t".join(row))
    line_end = draft.stored.end
    return "\n".join(line + line_end for line in lines)


def _comments(comments: Sequence[str], text: str) -> list[str]:
    """Return the comments with the new text in place of the first `# text`."""
    lines = list(comments)
    for index, comment in enumerate(lines):
        if match := _TEXT.match(comment):
            lines[index] = f"{match[0]} {text}"
            break
    return lines


def _misc_of_token(stored: StoredSentence, first: int) -> str:
    return next(token.misc for token in stored.tokens if token.start == first)


def _without_stale_entries(misc: str) -> str:
    entries = [entry for entry in misc.split("|") if entry.partition("=")[0] not in _STALE_KEYS]
    return "|".join(entries) or "_"


def _misc(spelling: Spelling, tokens: Sequence[Token], index: int, misc: str) -> str:
    """Return the MISC of a surface token with the entries about the space before and after it.

    The entries between two tokens that were also adjacent before are kept. The new first and last tokens get the
    entries of the old first and last tokens about the edges of the sentence.
    """
    stored, last_index = spelling.draft.stored, len(tokens) - 1
    token = tokens[index]
    misc = _without_stale_entries(misc)
    if index == last_index:
        entries = spacing(stored.token_miscs[stored.size])
    elif tokens[index + 1].first == token.last + 1 <= stored.size and token.last in stored.token_miscs:
        entries = spacing(stored.token_miscs[token.last])
    else:
        entries = [] if spelling.gap_after(token.last) else ["SpaceAfter=No"]
    misc = _with_spacing(misc, _SPACE_AFTER_KEYS, entries)
    if index == 0:
        return _with_spacing(misc, _SPACE_BEFORE_KEYS, spacing(_first_misc(stored), _SPACE_BEFORE_KEYS))
    was_adjacent = tokens[index - 1].last + 1 == token.first
    return misc if was_adjacent else _with_spacing(misc, _SPACE_BEFORE_KEYS, [])


def _first_misc(stored: StoredSentence) -> str:
    """Return the MISC of the first surface token."""
    return next((token.misc for token in stored.tokens if token.start == 1), stored.rows[1][9])


def _with_spacing(misc: str, keys: Sequence[str], new_entries: Sequence[str]) -> str:
    """Return a MISC column with `new_entries` as its only entries with one of `keys`."""
    if spacing(misc, keys) == list(new_entries):
        return misc
    entries = [entry for entry in misc.split("|") if entry != "_" and entry.partition("=")[0] not in keys]
    return "|".join([*entries, *new_entries]) or "_"
