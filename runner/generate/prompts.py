"""A recipe into prompts, one for each document: a genre, a sub-genre, some lemmas, and the template of a paradigm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runner.generate.documents import Recipe
from runner.generate.genres import genres
from runner.generate.targets import TEMPLATES
from runner.sample.words.rng import Dice

LEMMAS = 4  # that a text must have


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked for document `number`, from 1, and the choices that went into it."""

    number: int
    genre: str
    subgenre: str
    lemmas: tuple[str, ...]
    text: str


def prompts(recipe: Recipe, lemmas: Sequence[str]) -> list[Prompt]:
    """A prompt for every `every` words of the recipe; prompt n of every paradigm and of none chooses the same."""
    return [_prompt(recipe, lemmas, number) for number in range(1, -(-recipe.words // recipe.every) + 1)]


def _prompt(recipe: Recipe, lemmas: Sequence[str], number: int) -> Prompt:
    dice = Dice(recipe.seed, f"prompt/{number}")
    genre = dice.pick(genres())
    subgenre = dice.pick(genre.subgenres)
    chosen = tuple(dict.fromkeys(dice.pick(lemmas) for _ in range(LEMMAS)))
    lines = [
        f"Write a text of about {recipe.every} words that reads as if it had been written for its readers.",
        "",
        f"Genre: {genre.name}",
        f"Sub-genre: {subgenre}",
        f"Words that must occur, in any inflected form: {', '.join(chosen)}",
    ]
    if recipe.paradigm is not None:
        lines += [
            "",
            "Exactly one sentence of the text has this form, in its own words:",
            f"  {recipe.paradigm}: {TEMPLATES[recipe.paradigm]}",
            "It must fit into what stands around it.",
        ]
    lines += ["", "Write plain prose in paragraphs. Do not speak of grammar, of this request, or of any rule."]
    return Prompt(number, genre.name, subgenre, chosen, "\n".join(lines))
