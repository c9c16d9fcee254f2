"""Sets of small filters that run together, over treebanks in which names differ only by case.

They cover what the other strategies never draw: two names that are equal up to case, features or keys that the treebank
lacks, and several filters, files, lists and patterns at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from fictdsl.reference.sentence import Sentence, Word
from tests.support.strategies.dice import Dice

# a treebank has some of each row; a filter may use any that is a valid name
FEATURES = (
    ("Voice", "VOICE", "voice", "VoiCe"),
    ("PronType", "Prontype", "prontype"),
    ("Number[psor]", "Number[PSOR]"),
)
ABSENT = ("Voise", "Prontyp", "VOICe", "Number[é]", "Number[É]")
MISC = ("Gloss", "gloss", "GLOSS", "a b", "A b", "x'\"y", "X'\"y")
META = ("genre", "Genre", "a b", "A b", "it's", "It's")
VALUES = ("Yes", "yes", "YES", "1", "2")
FORMS = ("dog", "Dog", "the", "The", "DOG")
LIKE_TABLES = (r"\"r0\"", r"\"r1\"", r"\" AS MATERIALIZED (")  # like the names and definitions of a statement's tables
UPOS = ("NOUN", "VERB", "DET")
DEPRELS = ("nsubj", "obj", "det")
ACTIONS = (
    "",
    "",
    "remove sentence",
    "keep sentence",
    "remove node(X)",
    "mask subtree(X)",
    "count node(X)",
    "count sentence",
)


@dataclass(frozen=True)
class Bank:
    """Sentences, the features that are in a layer instead of their CoNLL-U, and the names that occur."""

    sentences: tuple[Sentence, ...]
    layered: tuple[str, ...]
    features: tuple[str, ...]

    def files(self) -> tuple[Sentence, ...]:
        """Return the sentences without the features of the layer."""
        return tuple(
            replace(
                sentence,
                words=tuple(
                    replace(word, feats={name: of for name, of in word.feats.items() if name not in self.layered})
                    for word in sentence.words
                ),
            )
            for sentence in self.sentences
        )


@dataclass(frozen=True)
class FilterSet:
    """Files of the language by name, and the arguments of a command that names their filters."""

    files: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> list[Path]:
        """Write the files to a folder with its own project settings. Return their paths, in order."""
        folder.mkdir(parents=True)
        (folder / "pyproject.toml").touch()
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        return [folder / name for name in self.files]


def make_bank(dice: Dice) -> Bank:
    """Draw a few sentences with features, keys and comments whose names differ by case; some are in a layer."""
    present = tuple(name for row in FEATURES for name in dice.different(row, 1, len(row)))
    sentences = tuple(_sentence(dice, present) for _ in range(dice.between(4, 8)))
    capitals = [name for name in present if name[0].isupper()]
    layered = dice.different(capitals, 0, 3) if dice.flag() else []
    return Bank(sentences, tuple(layered), present)


def _sentence(dice: Dice, features: tuple[str, ...]) -> Sentence:
    size = dice.between(1, 4)
    words = tuple(
        Word(
            id=number,
            form=dice.pick(FORMS),
            lemma=dice.pick(FORMS),
            upos=dice.pick(UPOS),
            feats={name: (dice.pick(VALUES),) for name in sorted(dice.different(features, 0, 3))},
            head=number - 1,
            deprel=dice.pick(DEPRELS) if number > 1 else "root",
            misc={key: (dice.pick(VALUES),) for key in dice.different(MISC, 0, 2)},
        )
        for number in range(1, size + 1)
    )
    meta = {key: (dice.pick(VALUES),) for key in dice.different(META, 0, 2)}
    return Sentence(words, meta, None, None, " ".join(word.form for word in words))


def make_set(dice: Dice) -> FilterSet:
    """Draw two to six filters in one to three files, which share names of lists, patterns and filters."""
    number = dice.between(2, 6)
    places = [dice.below(min(3, number)) for _ in range(number)]
    files = {}
    for place in dict.fromkeys(places):
        filters = "".join(_filter(dice, f"f{index}") for index in range(places.count(place)))
        files[f"{'abc'[place]}.fict"] = f"fict 1\n{_shared(dice)}{filters}"
    return FilterSet(files)


def _shared(dice: Dice) -> str:
    """Draw lists and patterns whose names differ by case; another file uses the same names for others."""
    lists = "".join(
        f"list {name} = {{{', '.join(dice.different(FORMS, 0, 3))}}}\n" for name in ("some", "Some", "SOME")
    )
    patterns = "".join(f"pattern {name}(A) {{ A[{_test(dice)}] }}\n" for name in ("has_it", "Has_it"))
    return lists + patterns


def _filter(dice: Dice, name: str) -> str:
    family = dice.often(15)
    match = f"X[{_feature(dice)} = $p]" if family else _match(dice)
    values = f" for p in {{{', '.join(dice.different(VALUES[:3], 1, 3))}}}" if family else ""
    return f"filter {name}{values} {{ match {{ {match} }} {dice.pick(ACTIONS)} }}\n"


def _match(dice: Dice) -> str:
    test = _test(dice)
    return dice.pick(
        [
            f"X[{test}]",
            f"X[{test}]",
            f"X:{dice.pick(UPOS)}[{test}]",
            f"X[{test}] -> Y",
            f"X < Y[{test}]",
            f"X[{test}]  without {{ X -> Y[{_test(dice)}] }}",
            f"either {{ X[{test}] }} or {{ X[{_test(dice)}] }}",
            f"X  sentence[{_sentence_test(dice)}]",
            f"X {dice.pick(['has_it(X)', 'Has_it(X)', 'Has_it(X) has_it(Y)'])}",
            f"X -> Y  X.{_feature(dice)} {dice.pick(['=', '!='])} Y.{_feature(dice)}",
        ]
    )


def _test(dice: Dice) -> str:
    feature = _feature(dice)
    simple = dice.pick(
        [
            f"{feature} = {dice.pick(VALUES)}",
            f"{feature} = {dice.pick(VALUES)}",
            f"{feature} != {dice.pick(VALUES)}",
            f"has {feature}",
            f"not has {feature}",
            f"{feature} = /{dice.pick(['y.*', 'Y.*', '[0-9]'])}/",
            f"{feature} in {{{', '.join(dice.different(VALUES, 1, 3))}}}",
            f"misc.{_key(dice, MISC)} = {dice.pick(VALUES)}",
            f"not has misc.{_key(dice, MISC)}",
            f"misc.{_key(dice, MISC)} < 2",
            f"{dice.pick(['form', 'lemma'])} in @{dice.pick(['some', 'Some', 'SOME'])}",
            f"phrase = {dice.pick(FORMS)}",
            f'form = "{dice.pick(LIKE_TABLES)}" or {feature} = Yes',
        ]
    )
    return f"{simple}, {feature} != {dice.pick(VALUES)}" if dice.often(20) else simple


def _sentence_test(dice: Dice) -> str:
    key = _key(dice, META)
    return dice.pick([f"meta.{key} = {dice.pick(VALUES)}", f"not has meta.{key}", f"meta.{key} < 2", "length > 2"])


def _feature(dice: Dice) -> str:
    named = [name for row in FEATURES for name in row if name[0].isupper()]
    return dice.pick([*named, *named, *ABSENT])


def _key(dice: Dice, keys: tuple[str, ...]) -> str:
    key = dice.pick(keys)
    return key if key.isidentifier() and not dice.flag() else '"' + key.replace('"', '\\"') + '"'
