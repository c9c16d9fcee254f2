"""The matches of a sentence that are applied."""

from __future__ import annotations

from fictdsl.compiler import compile_text
from runner.corpus.rewrite import new_counts
from runner.corpus.rewrite_actions import Candidate, Counts, SentenceSeed, apply_matches
from runner.corpus.rewrite_draft import read_stored

BLOCK = "\n".join(
    f"{number}\t{form}\t_\tX\t_\t_\t{number - 1}\t{'dep' if number > 1 else 'root'}\t_\t_"
    for number, form in enumerate("abc", start=1)
)
REWRITE = "fict 1\nrewrite r { match { A[form = a]  maybe { A -> B } } reverse subtree(B) }"


def applied(*matches: tuple[int, ...]) -> tuple[list[int], Counts]:
    rewrites = compile_text(REWRITE).rewrites
    counts, candidates = new_counts(rewrites), [Candidate(0, words) for words in matches]
    draft, _ = apply_matches(read_stored(BLOCK, "a b c"), rewrites, candidates, SentenceSeed(0, "", 1), counts)
    return draft.order, counts


def test_one_match_is_applied() -> None:
    order, counts = applied((1, 2))
    assert order == [1, 3, 2]
    assert (counts.rewrites[0].taken, counts.rewrites[0].sentences) == (1, 1)


def test_a_match_without_a_bound_action_is_not_counted() -> None:
    order, counts = applied((1, 0))
    assert order == [1, 2, 3]
    assert (counts.rewrites[0].taken, counts.rewrites[0].invalid, counts.rewrites[0].overlapping) == (0, 0, 0)


def test_the_second_of_two_overlapping_matches_is_left_out() -> None:
    order, counts = applied((1, 2), (1, 3), (1, 0))
    assert order == [1, 3, 2]
    assert (counts.rewrites[0].taken, counts.rewrites[0].overlapping) == (1, 1)
