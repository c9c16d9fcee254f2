"""Sets of small filters that run together, over treebanks in which names differ only by case.

They cover what the other strategies never draw: two names that are equal up to case, features or keys that the treebank
lacks, and several filters, files, lists and patterns at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from fictdsl.reference.sentences import Sentence, Word
from tests.support.strategies.rng import Rng

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


def make_bank(rng: Rng) -> Bank:
    """Draw a few sentences with features, keys and comments whose names differ by case; some are in a layer."""
    present = tuple(name for row in FEATURES for name in rng.different(row, 1, len(row)))
    sentences = tuple(_sentence(rng, present) for _ in range(rng.between(4, 8)))
    capitals = [name for name in present if name[0].isupper()]
    layered = rng.different(capitals, 0, 3) if rng.flag() else []
    return Bank(sentences, tuple(layered), present)


def _sentence(rng: Rng, features: tuple[str, ...]) -> Sentence:
    size = rng.between(1, 4)
    words = tuple(
        Word(
            id=number,
            form=rng.pick(FORMS),
            lemma=rng.pick(FORMS),
            upos=rng.pick(UPOS),
            feats={name: (rng.pick(VALUES),) for name in sorted(rng.different(features, 0, 3))},
            head=number - 1,
            deprel=rng.pick(DEPRELS) if number > 1 else "root",
            misc={key: (rng.pick(VALUES),) for key in rng.different(MISC, 0, 2)},
        )
        for number in range(1, size + 1)
    )
    meta = {key: (rng.pick(VALUES),) for key in rng.different(META, 0, 2)}
    return Sentence(words, meta, None, None, " ".join(word.form for word in words))


def make_set(rng: Rng) -> FilterSet:
    """Draw two to six filters in one to three files, which share names of lists, patterns and filters."""
    number = rng.between(2, 6)
    places = [rng.below(min(3, number)) for _ in range(number)]
    files = {}
    for place in dict.fromkeys(places):
        filters = "".join(_filter(rng, f"f{index}") for index in range(places.count(place)))
        files[f"{'abc'[place]}.fict"] = f"fict 1\n{_shared(rng)}{filters}"
    return FilterSet(files)


def _shared(rng: Rng) -> str:
    """Draw lists and patterns whose names differ by case; another file uses the same names for others."""
    lists = "".join(f"list {name} = {{{', '.join(rng.different(FORMS, 0, 3))}}}\n" for name in ("some", "Some", "SOME"))
    patterns = "".join(f"pattern {name}(A) {{ A[{_test(rng)}] }}\n" for name in ("has_it", "Has_it"))
    return lists + patterns


def _filter(rng: Rng, name: str) -> str:
    family = rng.often(15)
    match = f"X[{_feature(rng)} = $p]" if family else _match(rng)
    values = f" for p in {{{', '.join(rng.different(VALUES[:3], 1, 3))}}}" if family else ""
    return f"filter {name}{values} {{ match {{ {match} }} {rng.pick(ACTIONS)} }}\n"


def _match(rng: Rng) -> str:
    test = _test(rng)
    return rng.pick(
        [
            f"X[{test}]",
            f"X[{test}]",
            f"X:{rng.pick(UPOS)}[{test}]",
            f"X[{test}] -> Y",
            f"X < Y[{test}]",
            f"X[{test}]  without {{ X -> Y[{_test(rng)}] }}",
            f"either {{ X[{test}] }} or {{ X[{_test(rng)}] }}",
            f"X  sentence[{_sentence_test(rng)}]",
            f"X {rng.pick(['has_it(X)', 'Has_it(X)', 'Has_it(X) has_it(Y)'])}",
            f"X -> Y  X.{_feature(rng)} {rng.pick(['=', '!='])} Y.{_feature(rng)}",
        ]
    )


def _test(rng: Rng) -> str:
    feature = _feature(rng)
    simple = rng.pick(
        [
            f"{feature} = {rng.pick(VALUES)}",
            f"{feature} = {rng.pick(VALUES)}",
            f"{feature} != {rng.pick(VALUES)}",
            f"has {feature}",
            f"not has {feature}",
            f"{feature} = /{rng.pick(['y.*', 'Y.*', '[0-9]'])}/",
            f"{feature} in {{{', '.join(rng.different(VALUES, 1, 3))}}}",
            f"misc.{_key(rng, MISC)} = {rng.pick(VALUES)}",
            f"not has misc.{_key(rng, MISC)}",
            f"misc.{_key(rng, MISC)} < 2",
            f"{rng.pick(['form', 'lemma'])} in @{rng.pick(['some', 'Some', 'SOME'])}",
            f"phrase = {rng.pick(FORMS)}",
            f'form = "{rng.pick(LIKE_TABLES)}" or {feature} = Yes',
        ]
    )
    return f"{simple}, {feature} != {rng.pick(VALUES)}" if rng.often(20) else simple


def _sentence_test(rng: Rng) -> str:
    key = _key(rng, META)
    return rng.pick([f"meta.{key} = {rng.pick(VALUES)}", f"not has meta.{key}", f"meta.{key} < 2", "length > 2"])


def _feature(rng: Rng) -> str:
    named = [name for row in FEATURES for name in row if name[0].isupper()]
    return rng.pick([*named, *named, *ABSENT])


def _key(rng: Rng, keys: tuple[str, ...]) -> str:
    key = rng.pick(keys)
    return key if key.isidentifier() and not rng.flag() else '"' + key.replace('"', '\\"') + '"'
