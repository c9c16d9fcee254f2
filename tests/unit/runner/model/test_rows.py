"""Rows: every token predicted exactly once, sentences or packed, whatever the block."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.errors import InputError
from runner.model.token_rows import RowTable, TokenFile, write_tokens

SENTENCES = [[2, 3, 4], [], [5], [6, 7, 8, 9, 2, 3]]


def token_file(sentences, separator=1) -> TokenFile:
    flat = np.array([i for s in sentences for i in s], np.uint16)
    offsets = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    return TokenFile(None, flat, offsets, 10, separator, 0)


def rows_of(table, numbers=None):
    found = []
    for number in range(len(table)) if numbers is None else numbers:
        batch = table.batch(np.array([number]))
        found.append(batch.ids[0, : batch.lengths[0] + 1].tolist())
    return found


def test_sentence_rows_begin_and_end_with_the_separator():
    table = RowTable.of(token_file(SENTENCES), "sentence", 100)
    assert rows_of(table) == [[1, 2, 3, 4, 1], [1, 1], [1, 5, 1], [1, 6, 7, 8, 9, 2, 3, 1]]
    assert table.predicted_tokens == 10 + 4


def test_document_rows_are_whole_documents_with_the_separator_between_sentences():
    file = replace(token_file(SENTENCES), documents=np.array([0, 1, 3]))
    table = RowTable.of(file, "document", 100)
    assert rows_of(table) == [[1, 2, 3, 4, 1], [1, 1, 5, 1], [1, 6, 7, 8, 9, 2, 3, 1]]
    assert rows_of(RowTable.of(file, "document", 2)) == [
        [1, 2, 3], [3, 4, 1], [1, 1, 5], [5, 1], [1, 6, 7], [7, 8, 9], [9, 2, 3], [3, 1],
    ]  # fmt: skip
    undivided = RowTable.of(token_file(SENTENCES), "document", 100)
    assert rows_of(undivided) == rows_of(RowTable.of(token_file(SENTENCES), "sentence", 100))


def test_a_long_sentence_is_read_in_windows_that_hand_over_one_token():
    table = RowTable.of(token_file(SENTENCES), "sentence", 3)
    assert rows_of(table) == [[1, 2, 3, 4], [4, 1], [1, 1], [1, 5, 1], [1, 6, 7, 8], [8, 9, 2, 3], [3, 1]]


def test_packed_rows_cut_the_stream():
    table = RowTable.of(token_file(SENTENCES), "packed", 4)
    assert rows_of(table) == [[1, 2, 3, 4, 1], [1, 1, 5, 1, 6], [6, 7, 8, 9, 2], [2, 3, 1]]


def test_batches_are_padded_on_the_right():
    batch = RowTable.of(token_file(SENTENCES), "sentence", 100).batch(np.array([2, 0]))
    assert batch.lengths.tolist() == [2, 4]
    assert batch.ids.shape == (2, 5)
    assert batch.ids[0, :3].tolist() == [1, 5, 1]
    assert batch.predicted_tokens == 6


def test_a_text_needs_a_separator():
    with pytest.raises(InputError):
        RowTable.of(token_file(SENTENCES, separator=None), "packed", 4)


texts = st.lists(st.lists(st.integers(2, 9), max_size=12), min_size=1, max_size=30)


@given(
    texts, st.sampled_from(["sentence", "document", "packed"]), st.integers(1, 9), st.integers(1, 7), st.integers(0, 99)
)
def test_an_epoch_predicts_every_token_and_every_closing_separator_once(sentences, rows, block, size, seed):
    file = replace(token_file(sentences), documents=np.arange(0, len(sentences), 3))
    table = RowTable.of(file, rows, block)
    steps = table.epoch_batches(size, seed, 0)
    assert sorted(int(row) for step in steps for row in step) == list(range(len(table)))
    assert len(steps) == -(-len(table) // size)
    assert all(len(step) <= size for step in steps)
    predicted = Counter(token for row in rows_of(table) for token in row[1:])
    assert predicted == Counter([token for s in sentences for token in [*s, 1]])
    assert all(2 <= len(row) <= block + 1 for row in rows_of(table))


@given(texts, st.integers(1, 9), st.integers(1, 40))
def test_in_order_every_row_comes_once_within_the_budget(sentences, block, budget):
    table = RowTable.of(token_file(sentences), "sentence", block)
    batches = list(table.batches(budget))
    assert sum(batch.predicted_tokens for batch in batches) == table.predicted_tokens
    assert all(len(b.lengths) == 1 or b.lengths.max() * len(b.lengths) <= budget for b in batches)


def test_epochs_and_seeds_shuffle_differently_and_again_the_same():
    table = RowTable.of(token_file([[i % 8 + 2] * (i % 5) for i in range(200)]), "sentence", 100)

    def order(seed, epoch):
        return [step.tolist() for step in table.epoch_batches(8, seed, epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_rows_of_like_length_go_together(tmp_path):
    random = np.random.default_rng(0)
    sentences = [[2] * int(n) for n in random.integers(1, 40, 4000)]
    table = RowTable.of(write_tokens(sentences, tmp_path, vocabulary=10, separator=1, unknown=0), "sentence", 100)
    places = sum(table.lengths[step].max() * len(step) for step in table.epoch_batches(8, 1, 0))
    assert places < 1.1 * table.predicted_tokens


@pytest.mark.parametrize(
    ("rows", "block", "expected"),
    [
        ("sentence", 100, [[2, 3, 4], [6, 7, 8, 9, 2, 3]]),
        ("sentence", 3, [[2, 3, 4], [6, 7, 8, 9], [9, 2, 3]]),
        ("document", 100, [[2, 3, 4], [5], [6, 7, 8, 9, 2, 3]][::2]),
        ("packed", 4, [[2, 3, 4, 5, 6], [6, 7, 8, 9, 2], [2, 3]]),
    ],
)
def test_without_a_frame_rows_are_the_words_alone(rows, block, expected):
    file = replace(token_file(SENTENCES), documents=np.array([0, 1, 3]))
    table = RowTable.of(file, rows, block, "none")
    assert rows_of(table) == expected
    assert Counter(table.targets().tolist()) == Counter(i for row in expected for i in row[1:])


def test_the_targets_are_what_rows_predict():
    for rows, block in (("sentence", 3), ("packed", 4)):
        table = RowTable.of(token_file(SENTENCES), rows, block)
        assert Counter(table.targets().tolist()) == Counter(i for row in rows_of(table) for i in row[1:])
    assert RowTable.of(token_file([[5], [], [6]]), "sentence", 9, "none").targets().tolist() == []
