"""Count the words of a store by form, tag and lemma."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from runner.corpus.store.opening import Store
from runner.corpus.store.run_query import run_query

CANDIDATES = 1_000  # words that may be inserted into sentences
ContentLemma: TypeAlias = tuple[str, str, int, int, int, int]

_FREQUENT = """
SELECT form_l, count(*) AS n FROM tokens
WHERE CASE WHEN upos IS NULL THEN form = form_l ELSE upos NOT IN ('PROPN', 'PUNCT', 'SYM', 'X') END
AND regexp_full_match(form_l, '\\p{L}+') GROUP BY form_l ORDER BY n DESC, form_l LIMIT ?
"""
_CONTENT = """
WITH objects AS (SELECT DISTINCT sid, head FROM tokens WHERE deprel IN ('obj', 'ccomp', 'xcomp'))
SELECT t.lemma, t.upos, count(*) AS n, count(*) FILTER (t.xpos IN ('NNS', 'VBD', 'VBN')) AS other,
  count(*) FILTER (t.deprel = 'amod') AS attributive, count(o.sid) AS objects
FROM tokens t LEFT JOIN objects o ON o.sid = t.sid AND o.head = t.id
WHERE t.upos IN ('NOUN', 'ADJ', 'VERB') AND regexp_full_match(t.lemma, '[a-z]{3,}')
GROUP BY t.lemma, t.upos ORDER BY n DESC, t.lemma, t.upos LIMIT ?
"""


def form_frequencies(store: Store, *, lowercase: bool, apostrophes_alike: bool = False) -> Counter[str]:
    """Return the frequency of each word form of a store, with ' for ’ if `apostrophes_alike`."""
    counts: Counter[str] = Counter()
    for form, count in _rows(store, "SELECT form, count(*) FROM tokens GROUP BY form"):
        word = form.replace("’", "'") if apostrophes_alike else form
        counts[word.lower() if lowercase else word] += count
    return counts


def frequent_words(store: Store) -> list[str]:
    """Return the `CANDIDATES` most frequent lowercase forms that consist of letters, except names.

    Words without UPOS count only if the corpus has them in lower case.
    """
    return [word for word, _ in _rows(store, _FREQUENT, [CANDIDATES])]


def frequent_tags(store: Store, tags: str) -> dict[str, str]:
    """Return the most frequent tag of each lowercase form. The tags are in the column `tags`, which is upos or xpos."""
    query = f"SELECT form_l, coalesce(mode({tags} ORDER BY {tags}), '_') FROM tokens GROUP BY form_l"  # noqa: S608
    return dict(_rows(store, query))


def content_lemmas(store: Store, limit: int) -> list[ContentLemma]:
    """Return the most frequent nouns, adjectives and verbs of at least three letters from a to z.

    A row has the lemma, its UPOS tag, and four counts: all words, words with the tag NNS, VBD or VBN, attributive
    words, and words with an object or a clausal complement.
    """
    return _rows(store, _CONTENT, [limit])


def _rows(store: Store, query: str, parameters: Sequence[object] = ()) -> list[Any]:
    return run_query(store, lambda connection: connection.execute(query, parameters).fetchall(), tables=["tokens"])
