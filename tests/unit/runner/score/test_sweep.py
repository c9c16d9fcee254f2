"""Models of a folder, in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.score.convention import Convention
from runner.score.ratings import Rated, Sentences
from runner.score.suite_files import Pair, Suite
from runner.score.sweep import models_in, sweep
from tests.support.models import GPT2, NEOX, saved


def test_numbers_in_names_sort_as_numbers_and_text_as_text(tmp_path: Path) -> None:
    names = ["5", "10", "009", "checkpoint-10", "checkpoint-9", "checkpoint-1a", "final", "zeta", "alpha"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").touch()
    assert [path.name for path in models_in(tmp_path)] == [
        *("5", "009", "10", "alpha", "checkpoint-1a", "checkpoint-9", "checkpoint-10", "final", "zeta")
    ]


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("spec", [GPT2, NEOX])
def test_sentences_that_are_too_long_have_no_score_or_a_warning(tmp_path, spec, words):
    model = saved(spec)
    model.model.save_pretrained(tmp_path)
    model.tokenizer.save_pretrained(tmp_path)
    long, short = "the cat " * 20 + ".", "the cat sees ."
    notes = []

    def swept(suite, **options):
        notes.clear()
        (scores,) = sweep(tmp_path, suite, lambda _: Convention(), words=words, on_note=notes.append, **options)
        return scores.table

    pairs = Suite("s", [Pair("p", "", "", 0, long, short), Pair("p", "", "", 1, short, "the cat see .")])
    table = swept(pairs, skip_long=True)
    assert [score is None for score in table.column("score_good").to_pylist()] == [True, False]
    assert table.column("tokens_good").to_pylist() == [41, 4]
    assert [note.code for note in notes] == ["FICT827"]
    assert notes[0].message.endswith("1 sentence of more than 32 tokens, the longest of 41")
    assert table.slice(1).equals(swept(Suite("s", pairs.items[1:])).replace_schema_metadata(None))
    assert notes == []
    rated = swept(Sentences("s", [Rated(long, 1.0), Rated(short, 2.0)]), skip_long=True)
    assert [score is None for score in rated.column("score").to_pylist()] == [True, False]
    if spec is NEOX:
        assert swept(pairs).column("score_good").null_count == 0
        assert [note.code for note in notes] == ["FICT828"]
    else:
        with pytest.raises(InputError, match="has 41 tokens, more than the 32"):
            swept(pairs)


@pytest.mark.parametrize(
    ("adds", "context", "warned"), [(True, "none", True), (True, "bos", False), (False, "none", False)]
)
def test_scores_that_differ_from_minicons_by_the_bos_are_warned_of(tmp_path, adds, context, warned):
    from tokenizers.processors import TemplateProcessing

    model = saved(GPT2)
    model.model.save_pretrained(tmp_path)
    if adds:
        template = TemplateProcessing(single="<eos> $A", special_tokens=[("<eos>", 1)])
        model.tokenizer.backend_tokenizer.post_processor = template
    model.tokenizer.save_pretrained(tmp_path)
    notes = []
    suite = Suite("s", [Pair("p", "", "", 0, "the cat sees .", "the cat see .")])
    list(sweep(tmp_path, suite, lambda _: Convention(context=context), on_note=notes.append))
    assert [note.code for note in notes] == (["FICT829"] if warned else [])
