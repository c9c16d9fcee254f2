"""Prompts for an endpoint, one per document: a genre, a sub-genre, lemmas, and the template of a paradigm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.generate.genres import genres
from runner.generate.recipe import Recipe
from runner.generate.targets import TEMPLATES
from runner.sample.words.rng import Rng

REQUIRED_LEMMAS = 4


@dataclass(frozen=True, slots=True)
class Prompt:
    """The prompt for document `number`, from 1, with its random choices."""

    number: int
    genre: str
    subgenre: str
    lemmas: tuple[str, ...]
    text: str


def prompts(recipe: Recipe, lemmas: Sequence[str]) -> list[Prompt]:
    """Return one prompt per `words_per_target` words. The random choices of prompt n do not depend on the paradigm."""
    return [_prompt(recipe, lemmas, number) for number in range(1, -(-recipe.words // recipe.words_per_target) + 1)]


def _prompt(recipe: Recipe, lemmas: Sequence[str], number: int) -> Prompt:
    rng = Rng(recipe.seed, f"prompt/{number}")
    genre = rng.choice(genres())
    subgenre = rng.choice(genre.subgenres)
    required_lemmas = tuple(dict.fromkeys(rng.choice(lemmas) for _ in range(REQUIRED_LEMMAS)))
    lines = [
        f"Write a text of about {recipe.words_per_target} words that reads as if it had been written for its readers.",
        "",
        f"Genre: {genre.name}",
        f"Sub-genre: {subgenre}",
        f"Words that must occur, in any inflected form: {', '.join(required_lemmas)}",
    ]
    if recipe.paradigm is not None:
        lines += [
            "",
            "Exactly one sentence of the text has this form, in its own words:",
            f"  {recipe.paradigm}: {TEMPLATES[recipe.paradigm]}",
            "It must fit into what stands around it.",
        ]
    lines += ["", "Write plain prose in paragraphs. Do not speak of grammar, of this request, or of any rule."]
    return Prompt(number, genre.name, subgenre, required_lemmas, "\n".join(lines))
