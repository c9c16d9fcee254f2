"""A split of the corpus: exact shares, no doubles, nothing reserved, labels that say what is in it."""

from __future__ import annotations

from collections import Counter

import pytest

from runner.sample.corpus import FILTERS, MIXTURE, SplitCounts, is_reserved, sentence_counts, split_sentences


@pytest.mark.parametrize("size", [1, 7, 100, 1_234])
def test_shares_add_up(size: int) -> None:
    assert sum(sentence_counts(size).values()) == size


def test_every_construction_has_its_share() -> None:
    size = 1_047
    found = Counter(sentence.constructions[0] for sentence in split_sentences("train", size, 1, set()))
    total = sum(weight for _, weight in MIXTURE.values())
    assert sum(found.values()) == size
    for name, (_, weight) in MIXTURE.items():
        assert abs(found[name] - size * weight / total) < 1


def test_no_sentence_comes_twice_and_none_is_reserved() -> None:
    seen: set[str] = set()
    train = [sentence.text for sentence in split_sentences("train", 1_000, 1, seen)]
    test = [sentence.text for sentence in split_sentences("test", 1_000, 1, seen)]
    assert len({*train, *test}) == 2_000
    assert not any(map(is_reserved, (*train, *test)))


def test_a_construction_without_new_sentences_repeats_itself() -> None:
    class Everything(set[str]):
        def __contains__(self, _: object) -> bool:
            return True

    assert len(list(split_sentences("train", 60, 1, Everything()))) == 60


def test_seeds_and_splits_differ_and_equal_ones_agree() -> None:
    def first(split: str, seed: int) -> tuple[str, ...]:
        return tuple(sentence.text for sentence in split_sentences(split, 30, seed, set()))

    assert first("train", 1) == first("train", 1)
    assert len({first(split, seed) for split in ("train", "test") for seed in (1, 2)}) == 4


def test_blocks_carry_id_text_and_constructions() -> None:
    sentence = next(split_sentences("valid", 10, 1, set()))
    lines = sentence.conllu().splitlines()
    assert lines[0] == "# sent_id = valid-000001"
    assert lines[1] == f"# text = {sentence.text}"
    assert lines[2] == f"# constructions = {', '.join(sentence.constructions)}"
    assert sentence.constructions[0] in MIXTURE


def test_the_tally_names_every_filter() -> None:
    tally = SplitCounts()
    for sentence in split_sentences("train", 200, 1, set()):
        tally.add(sentence)
    counts = tally.as_json(FILTERS)
    assert counts["sentences"] == 200
    assert set(counts["filters"]) == set(FILTERS)
    assert counts["filters"]["agr-pp-mod"] == counts["constructions"]["agr-pp-mod"] > 0
