"""Where sentences stand, and their words."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fictdsl.draw.tree import words
from runner.corpus.sentence_texts import SentenceLocation, conllu_blocks, locate
from tests.support import corpora

BLOCK = """# sent_id = s
1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tdo\tdo\tAUX\t_\t_\t3\taux\t_\t_
2\tn't\tnot\tPART\t_\t_\t3\tadvmod\t_\t_
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\t_\t_\t0\troot\t_\tX=1
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\tSpaceAfter=No|X=2
"""


def test_places_and_trees(tmp_path: Path) -> None:
    nameless = BLOCK.removeprefix("# sent_id = s\n")
    store = corpora.store(tmp_path, f"{BLOCK}\n{nameless}\n{BLOCK.replace('go', 'come')}\n")
    chosen = np.array([1, 2])
    assert list(locate(store, chosen)) == [
        SentenceLocation(1, "corpus.conllu", 2, None),
        SentenceLocation(2, "corpus.conllu", 3, "s"),
    ]
    assert [[word.form for word in words(block)] for block in conllu_blocks(store, chosen)] == [
        ["do", "n't", "go", "."],
        ["do", "n't", "come", "."],
    ]
