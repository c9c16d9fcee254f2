"""Rows of matches on the page of the explorer."""

from __future__ import annotations

from runner.corpus.sentence_texts import SentenceLocation
from runner.explore.markup import Row, markup

BLOCK = """1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_
1\tin\tin\tADP\t_\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_
3\tPark\tPark\tNOUN\t_\t_\t0\troot\t_\t_"""


def test_a_dot_separates_the_words_of_a_contraction() -> None:
    html = markup("rows", [Row(SentenceLocation(0, "de.conllu", 1, None), BLOCK, {"N": 3})], "text")
    assert '<i data-w="1">in</i>·<i data-w="2">dem</i> <b data-w="3">Park<sub>N</sub></b>' in html
