"""What a manifest names: found, refused, or told with the nearest name."""

import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import pytest

from runner.errors import InputError
from runner.manifest.model import Scoring
from runner.manifest.text import read_draft
from runner.score.convention import ALIASES, CHOICES, CONVENTIONS
from runner.steps.names import TextName
from runner.steps.paths import Roots
from runner.steps.plan import RunPlan
from runner.steps.resolve import resolve

TREE = "1\tShe\tshe\tPRON\tPRP\tGender=Fem\t2\tnsubj\t_\t_\n2\truns\trun\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
MANIFEST = """
[experiment]
name = "x"
seeds = [1]
[corpus]
train = ["a.conllu"]
valid = ["b.conllu"]
[[condition]]
name = "one"
remove = ["${filters}/fict15/agr-pp-mod.fict"]
[[model]]
preset = "transformer-128"
[[model]]
preset = "lstm-128"
training = { epochs = 7, learning-rate = 0.5 }
[training]
tokens = 1000
"""


def resolved(folder, text=MANIFEST, **roots):
    (folder / "fictc.toml").touch()
    for name in ("a.conllu", "b.conllu"):
        if not (folder / name).exists():
            (folder / name).write_text(TREE)
    (folder / "m.toml").write_text(text)
    draft = read_draft(folder / "m.toml")
    return resolve(draft, Roots.of(draft.folder, **roots))


def problems(folder, text, **roots):
    with pytest.raises(InputError) as caught:
        resolved(folder, text, **roots)
    return {(p.code, p.source.position(p.span.start)[0]) for p in caught.value.diagnostics}


def test_settings_come_from_the_preset_then_the_manifest_then_the_model(tmp_path):
    models = resolved(tmp_path).models
    assert models["transformer-128"].training.tokens == 1000
    assert models["transformer-128"].training.epochs is None
    assert models["lstm-128"].training.epochs == 7
    assert models["lstm-128"].training.tokens is None
    assert models["lstm-128"].training.learning_rate == 0.5
    assert models["lstm-128"].training.block == 40  # the preset's


def test_all_that_is_not_there_is_told_at_once(tmp_path):
    text = MANIFEST.replace("a.conllu", "aa.conllu").replace("agr-pp-mod", "agr-pp-mud").replace("lstm-128", "lstm-12")
    assert problems(tmp_path, text) == {("FICT607", 6), ("FICT607", 10), ("FICT605", 14)}


def test_a_filter_that_does_not_compile_is_told_in_its_own_file(tmp_path):
    (tmp_path / "bad.fict").write_text("fict 1\n\nfilter bad { match { A -[nsubj]-> A } }\n")
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, MANIFEST.replace("${filters}/fict15/agr-pp-mod.fict", "bad.fict"))
    (problem,) = caught.value.diagnostics
    assert problem.code.startswith("FICT2")
    assert problem.source.name.endswith("bad.fict")


def test_data_must_be_given_and_nothing_outside_is_read(tmp_path):
    text = MANIFEST.replace('"a.conllu"', '"${data}/a.conllu"')
    project, data = tmp_path / "project", tmp_path / "data"
    project.mkdir()
    data.mkdir()
    (data / "a.conllu").write_text(TREE)
    assert problems(project, text) == {("FICT609", 6)}
    assert resolved(project, text, data=data).files["train"] == (("a.conllu", data / "a.conllu"),)
    outside = MANIFEST.replace('"a.conllu"', '"../data/a.conllu"')
    assert problems(project, outside) == {("FICT608", 6)}
    (project / "link.conllu").symlink_to(data / "a.conllu")
    assert problems(project, MANIFEST.replace('"a.conllu"', '"link.conllu"')) == {("FICT608", 6)}
    (project / "folder").mkdir()
    (project / "link.conllu").rename(project / "folder" / "link.conllu")
    assert problems(project, MANIFEST.replace('"a.conllu"', '"folder"')) == {("FICT608", 6)}
    assert resolved(project, outside, allowed=(data,)).files["train"][0][0] == "a.conllu"


def test_a_missing_data_folder_is_reported_once(tmp_path):
    text = MANIFEST.replace('"a.conllu"', '"${data}/a.conllu", "${data}/b.conllu"')
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, text)
    [problem] = caught.value.diagnostics
    assert (problem.code, problem.hint) == ("FICT609", "add `--data PATH` to the command, with the folder of the data")


def test_a_feature_that_a_source_never_has_is_refused_unless_allowed(tmp_path):
    text = MANIFEST.replace("agr-pp-mod", "binding-c-command")
    assert problems(tmp_path, text) == {("FICT610", 10)}
    allowed = text.replace('name = "one"', 'name = "one"\nallow-missing = true')
    assert resolved(tmp_path, allowed).conditions["one"].filters_of("remove")[0].name == "binding-c-command"
    (tmp_path / "a.conllu").write_text(TREE.replace("Gender=Fem", "Gender=Fem|Reflex=Yes"))
    assert resolved(tmp_path, text).filters["one"]


def test_a_feature_that_the_generated_sample_lacks_is_refused_unless_allowed(tmp_path):
    sample = "sample = { sentences = 100, pairs = 2, seed = 3 }"
    text = MANIFEST.replace('train = ["a.conllu"]\nvalid = ["b.conllu"]', sample)
    text = text.replace("${filters}/fict15/agr-pp-mod.fict", "own.fict")
    own = tmp_path / "own.fict"
    own.write_text("fict 1 filter own { match { X[deprel = root, upos = VERB, Moood != Imp] } }")
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, text)
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT610"
    assert problem.message.endswith("the feature Moood, which does not occur in the generated sample")
    command = "`fictc sample --output sample --sentences 100 --seed 3 && fictc lint "
    assert problem.hint.startswith(command)
    assert {code for code, _ in problems(tmp_path, text.replace("seeds = [1]", "seeds = []"))} == {"FICT604", "FICT610"}
    assert resolved(tmp_path, text.replace('name = "one"', 'name = "one"\nallow-missing = true')).filters["one"]
    own.write_text(own.read_text().replace("Moood", "Mood"))
    assert resolved(tmp_path, text).filters["one"]


def test_keys_follow_content_and_not_names_or_formatting(tmp_path):
    def keys(text):
        return {step.id: step.recipe for step in RunPlan(resolved(tmp_path, text), {}).steps()}

    before = keys(MANIFEST)
    commented = keys(
        MANIFEST.replace("seeds = [1]", "# the only one\nseeds = [ 1 ]").replace('name = "x"', 'name = "y"')
    )
    assert commented == before
    (tmp_path / "copy.fict").write_text(
        "fict 1\n# the same, in other words\nfilter copy { match { R -[nsubj]-> P -[=nmod]-> Q\n\nP << Q  Q << R } }\n"
    )
    same = keys(MANIFEST.replace("${filters}/fict15/agr-pp-mod.fict", "copy.fict"))
    assert same == before
    (tmp_path / "a.conllu").write_text(TREE + TREE)
    after = keys(MANIFEST)
    assert after["store:valid"] == before["store:valid"]
    assert after["train:one/lstm-128/1"] != before["train:one/lstm-128/1"]


def test_names_that_stand_in_a_result_are_in_its_key(tmp_path):
    """Stages are kept under the names of their filters, and a paradigm may be called as its file is."""

    def keys(text):
        plan = RunPlan(resolved(tmp_path, text), {})
        return plan.corpora[TextName("one")].recipe, plan.suites["pairs"].recipe

    for name in ("old", "new"):
        (tmp_path / f"{name}.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
        (tmp_path / f"{name}.fict").write_text(f"fict 1\n\nfilter {name} {{ match {{ X[upos = VERB] }} }}\n")
    text = MANIFEST.replace('remove = ["${filters}/fict15/agr-pp-mod.fict"]', 'order = { filters = ["old.fict"] }')
    text = text[: text.index("[[model]]")] + '[[model]]\npreset = "lstm-128"\ntraining = { epochs = 1 }\n'
    before = keys(text + SUITE.replace("pairs.csv", "old.csv"))
    assert keys(text + SUITE.replace("pairs.csv", "old.csv")) == before
    assert keys(text + SUITE.replace("pairs.csv", "new.csv"))[1] != before[1]
    assert keys(text.replace("old.fict", "new.fict") + SUITE.replace("pairs.csv", "old.csv"))[0] != before[0]


def test_sentences_are_numbered_in_the_order_of_their_files_which_is_in_the_key(tmp_path):
    def store(files):
        return RunPlan(resolved(tmp_path, MANIFEST.replace('["a.conllu"]', files)), {}).stores["train"].recipe

    assert store('["a.conllu", "b.conllu"]') == store('["*.conllu"]') != store('["b.conllu", "a.conllu"]')


SUITE = """
[[evaluate]]
name = "pairs"
path = "pairs.csv"
convention = "fict"
scoring = { normalise = "nce", first-token = "scored", context = "bos" }
"""


def test_fields_of_a_convention_are_set_beside_its_preset(tmp_path):
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    found = resolved(tmp_path, MANIFEST + SUITE).conventions["pairs"]
    given = {"normalise": "mean", "first_token": "scored", "context": "bos"}
    assert found == {**asdict(CONVENTIONS["fict"]), **given}


def test_both_conventions_are_recorded_where_there_are_both_kinds_of_models(tmp_path):
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    suite = SUITE[: SUITE.index("scoring")]
    causal = resolved(tmp_path, MANIFEST + suite)
    assert causal.recorded_conventions == causal.conventions == {"pairs": asdict(CONVENTIONS["fict"])}
    both = resolved(tmp_path, MANIFEST + '[[model]]\npreset = "bert-128"\n' + suite)
    assert both.conventions == causal.conventions
    assert both.recorded_conventions == {
        "pairs": {**asdict(CONVENTIONS["fict"]), "masked": both.convention("pairs", "bert-128")}
    }
    assert both.recorded_conventions["pairs"]["masked"]["probability"] == "pll"


@pytest.mark.parametrize("tokenise", ["regex", "ptb", "none"])
def test_only_scores_of_split_texts_depend_on_the_version_of_the_splitting(tokenise, tmp_path, monkeypatch):
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    found = resolved(tmp_path, MANIFEST + SUITE.replace('normalise = "nce"', f'tokenise = "{tokenise}"'))

    def keys():
        plan = RunPlan(found, {})
        return [
            plan.cells[0].scores["pairs"].inputs,
            *[step.inputs for step in plan.unigrams.values()],
        ]

    before = keys()
    monkeypatch.setattr("runner.steps.suites.SPLITTING", 0)
    assert {content != other for content, other in zip(before, keys(), strict=True)} == {tokenise != "none"}


def test_what_a_convention_cannot_be_is_told_with_its_line(tmp_path):
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    line = len(MANIFEST.splitlines()) + 6
    for field, code in (
        ('probability = "pll"', "FICT813"),
        ('context = "cls"', "FICT604"),
        ('kontext = "bos"', "FICT602"),
    ):
        text = MANIFEST + SUITE.replace('normalise = "nce", first-token = "scored", context = "bos"', field)
        assert problems(tmp_path, text) == {(code, line)}


def test_the_fields_of_a_manifest_are_those_of_a_convention():
    for name, values in CHOICES.items():
        known = get_args(get_args(Scoring.model_fields[name].annotation)[0])
        assert set(known) == {*values, *ALIASES.get(name, ())}
    assert set(Scoring.model_fields) == set(CHOICES)


PARSED = """
[[evaluate]]
name = "pairs"
path = "pairs.csv"
parses = ["b.conllu"]
[[condition]]
name = "more"
inject = { text = ["b.conllu"], fraction = 0.1 }
"""


def test_a_folder_without_conllu_is_told_wherever_it_stands(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    text = MANIFEST.replace('valid = ["b.conllu"]', 'valid = ["b.conllu"]\ntest = ["b.conllu"]') + PARSED
    assert resolved(tmp_path, text).files["test"]
    everywhere = text.replace("a.conllu", "empty").replace("b.conllu", "empty")
    after = len(MANIFEST.splitlines()) + 1
    assert problems(tmp_path, everywhere) == {("FICT607", line) for line in (6, 7, 8, after + 5, after + 8)}


def test_a_store_is_no_folder_of_conllu(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "store.json").touch()
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, MANIFEST.replace('"a.conllu"', '"store"'))
    assert caught.value.diagnostics[0].hint.startswith("it is a store")


def test_a_pattern_that_matches_several_files_is_no_suite_tokenizer_or_model(tmp_path):
    for name in ("p1.csv", "p2.csv"):
        (tmp_path / name).write_text("good,bad\nDogs bark.,Dogs barks.\n")
    for name in ("t1", "t2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tokenizer.json").touch()
    for table in (
        '[[evaluate]]\nname = "x"\npath = "p*.csv"\n',
        '[tokenizer]\nkind = "saved"\npath = "t*"\n',
        '[tokenizer]\nkind = "saved"\npath = "t1"\n[[model]]\npreset = "lstm-128"\nname = "y"\nfrom = "t*"\n',
    ):
        with pytest.raises(InputError) as caught:
            resolved(tmp_path, MANIFEST + table)
        (problem,) = caught.value.diagnostics
        assert problem.code == "FICT604"
        assert problem.source.position(problem.span.start)[0] == len((MANIFEST + table).splitlines())
        assert re.search(r"matches 2: (p1.csv, p2.csv|t1, t2)$", problem.message)
    assert resolved(tmp_path, MANIFEST + '[[evaluate]]\nname = "x"\npath = "p1*"\n').suites[0].path.name == "p1.csv"


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (None, "it has no config.json"),
        ("[1]", "its config.json is not a JSON object"),
        ('{"architectures": 5}', "its config.json is not a JSON object"),
        ('{"n_positions": "many"}', "its config.json has 'many' as the number of positions"),
    ],
)
def test_a_folder_that_is_no_saved_model_or_tokenizer_is_told_beside_all_else(tmp_path, config, reason):
    (tmp_path / "saved").mkdir()
    if config is not None:
        (tmp_path / "saved" / "config.json").write_text(config)
    (tmp_path / "pairs.csv").write_text("good,bad\nDogs bark.,Dogs barks.\n")
    text = MANIFEST.replace("a.conllu", "aa.conllu")
    text += '[tokenizer]\nkind = "saved"\npath = "saved"\n'
    text += '[[model]]\npreset = "bert-128"\nname = "old"\nfrom = "saved"\n'
    text += '[[condition]]\nname = "two"\norder = { key = "genre" }\n'
    text += SUITE.replace('normalise = "nce"', 'probability = "pll"')
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, text)
    at = {name: text[: text.index(name)].count("\n") + 1 for name in ('path = "saved"', "from", "order", "scoring")}
    found = {
        (p.code, p.source.position(p.span.start)[0], p.message.partition(": ")[2]) for p in caught.value.diagnostics
    }
    assert {one for one in found if one[0] == "FICT801"} == {
        ("FICT801", at['path = "saved"'], "it has no tokenizer, such as tokenizer.json"),
        ("FICT801", at["from"], reason),
    }
    assert {one[:2] for one in found} >= {("FICT607", 6), ("FICT645", at["order"]), ("FICT813", at["scoring"])}


def test_an_injected_text_is_utf8(tmp_path):
    (tmp_path / "latin.txt").write_bytes("Dogs bark.\nA caf\xe9.\n".encode("latin-1"))
    text = MANIFEST + '[[condition]]\nname = "more"\ninject = { text = ["latin.txt"], fraction = 0.1 }\n'
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, text)
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT701"
    assert problem.source.name.endswith("latin.txt")
    assert "0xE9" in problem.message


LISTS = """
[lists]
pets = "words.txt"
"""


def with_lists(folder, lists=LISTS, words="She\n", **roots):
    (folder / "words.txt").write_text(words)
    (folder / "pets.fict").write_text(
        "fict 1 list pets = {x} list others = {x} filter pet { match { N[lower(form) in @pets] } }"
    )
    return MANIFEST.replace("${filters}/fict15/agr-pp-mod.fict", "pets.fict") + lists


def test_the_words_of_a_list_are_those_of_its_file(tmp_path):
    def keys(text):
        return {step.id: step.recipe for step in RunPlan(resolved(tmp_path, text), {}).steps()}

    plain, given = keys(with_lists(tmp_path, "")), keys(with_lists(tmp_path))
    again, other = keys(with_lists(tmp_path)), keys(with_lists(tmp_path, words="He\n"))
    assert given == again
    assert (
        len({keys["corpus one"] if "corpus one" in keys else keys["corpus:one"] for keys in (plain, given, other)}) == 3
    )
    found = resolved(tmp_path, with_lists(tmp_path))
    assert found.filters["one"]["remove"][0].lists[0].entries == ("she",)
    assert found.lists["pets"].file == "words.txt"


def test_a_list_of_the_manifest_must_be_there_and_of_use(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for lists, code in {
        '[lists]\npet = "words.txt"': "FICT293",
        '[lists]\nothers = "words.txt"': "FICT604",
        '[lists]\npets = "word.txt"': "FICT607",
        '[lists]\npets = "../words.txt"': "FICT608",
        '[lists]\npets = "${data}/words.txt"': "FICT609",
        "[lists]\npets = 1": "FICT604",
        "lists = 1": "FICT604",
    }.items():
        text = with_lists(project, "")
        text = f"{lists}\n{text}"
        (tmp_path / "words.txt").write_text("x\n")
        found = problems(project, text)
        assert {where for where, _ in found} == {code}, lists
        assert {line for _, line in found} <= {1, 2}, lists


PATH_KEYS = {
    "train": ('train = ["a.conllu"]', "train = [{}]"),
    "remove": ('remove = ["${filters}/fict15/agr-pp-mod.fict"]', "remove = [{}]"),
    "audit": ("[[model]]\n", "audit = [{}]\n[[model]]\n"),
    "lists": ("[[condition]]\n", "[lists]\nwords = {}\n[[condition]]\n"),
    "suite": ("[training]\n", '[[evaluate]]\nname = "s"\npath = {}\n[training]\n'),
    "parses": ("[training]\n", '[[evaluate]]\nname = "s"\npath = "a.conllu"\nparses = [{}]\n[training]\n'),
    "model": ('preset = "lstm-128"\n', 'preset = "lstm-128"\nfrom = {}\n'),
    "tokenizer": ("[training]\n", '[tokenizer]\nkind = "saved"\npath = {}\n[training]\n'),
    "inject": ("[[model]]\n", '[[condition]]\nname = "i"\ninject = {{ text = [{}], fraction = 0.1 }}\n[[model]]\n'),
}


def _with_path(key, path):
    """The manifest with another path for a key, and the line of that path."""
    old, new = PATH_KEYS[key]
    text = MANIFEST.replace(old, new.format(f'"{path}"'), 1)
    return text, next(number for number, line in enumerate(text.splitlines(), 1) if f'"{path}"' in line)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("path", ["", " ", "pipe", "link", "zero", "folder", "a**b"])
@pytest.mark.parametrize("key", PATH_KEYS)
def test_paths_that_lead_to_no_file_are_refused_at_their_line(key, path, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder/x.conllu")
    text, line = _with_path(key, path)
    found = problems(tmp_path, text, allowed=(Path("/dev"),))
    assert ("FICT604", line) in found


def test_rated_sentences_have_no_paradigms(tmp_path):
    (tmp_path / "rated.conllu").write_text(f"# rating = 1\n{TREE}")
    suite = '[[evaluate]]\nname = "s"\npath = "rated.conllu"\n'
    assert resolved(tmp_path, MANIFEST + suite).suites[0].kind == "sentences"
    line = len((MANIFEST + suite).splitlines()) + 1
    assert problems(tmp_path, f'{MANIFEST}{suite}paradigms = ["x"]\n') == {("FICT604", line)}


SYNTAXGYM = """{"meta": {"name": "g"}, "predictions": [{"formula": "(1;%a%) < (1;%b%"}], "items": [
  {"item_number": 1, "conditions": [{"condition_name": "a", "regions": [{"region_number": 1, "content": "x"}]}]}]}"""


@pytest.mark.parametrize(
    ("file", "content", "more", "message"),
    [
        ("rated.csv", "sentence,rating\nDogs bark.,3\nCats meow.,good\n", "", "the rating `good` is not a number"),
        ("rated.csv", "sentence,rating\n", "", "it contains no sentence"),
        (
            "rated.csv",
            "sentence,rating\nDogs bark.,\nCats meow.,3\n",
            "limit = 1",
            "none of its sentences has a rating",
        ),
        ("rated.csv", "sentence,rating\nDogs bark.,3\n", 'paradigms = ["x"]', "has no paradigm `x`"),
        ("rated.txt", "Dogs bark.\n", "", "none of its sentences has a rating"),
        ("gym.json", SYNTAXGYM, "", "is not part of a formula"),
        ("gym.json", SYNTAXGYM.replace("items", "Items"), "", "'items' is missing"),
    ],
)
def test_ratings_and_syntaxgym_suites_are_read(file, content, more, message, tmp_path):
    (tmp_path / file).write_text(content)
    with pytest.raises(InputError) as caught:
        resolved(tmp_path, f'{MANIFEST}[[evaluate]]\nname = "s"\npath = "{file}"\n{more}\n')
    (problem,) = caught.value.diagnostics
    assert message in problem.message


def test_mistakes_in_a_file_of_pairs_are_reported_with_all_others(tmp_path):
    (tmp_path / "pairs.jsonl").write_text('{"good": "A b.", "bad": "B a."}\n{"good": "A b."}\n')
    text = MANIFEST.replace('name = "one"', 'name = "one"\ntargets = ["s/p"]').replace("lstm-128", "lstm-12")
    found = problems(tmp_path, f'{text}[[evaluate]]\nname = "s"\npath = "pairs.jsonl"\n')
    assert {code for code, _ in found} == {"FICT605", "FICT812"}


def test_mistakes_in_later_lines_of_a_folder_of_pairs_are_reported_with_all_others(tmp_path):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "p.jsonl").write_text('{"good": "A b.", "bad": "B a."}\n{"good": "A b."}\n')
    text = MANIFEST.replace("lstm-128", "lstm-12") + '[[evaluate]]\nname = "s"\npath = "s"\n'
    for target in ("s/q", "another/q"):  # a name that no first line has
        targeted = text.replace('name = "one"', f'name = "one"\ntargets = ["{target}"]')
        assert {code for code, _ in problems(tmp_path, targeted)} == {"FICT605", "FICT812"}


def test_a_wrong_limit_does_not_make_a_suite_unreadable(tmp_path):
    (tmp_path / "rated.csv").write_text("sentence,rating\nDogs bark.,3\n")
    text = f'{MANIFEST}[[evaluate]]\nname = "s"\npath = "rated.csv"\nlimit = '
    assert {code for code, _ in problems(tmp_path, text + '"1"')} == {"FICT604"}
    assert {code for code, _ in problems(tmp_path, text + "0")} == {"FICT604"}


def test_another_mistake_does_not_change_how_a_suite_is_read(tmp_path):
    (tmp_path / "trees.txt").write_text(TREE)
    (tmp_path / "rated.csv").write_text("sentence,rating\nDogs bark.,3\nCats sleep.,\n")
    text = MANIFEST.replace("seeds = [1]", "seeds = []")
    corrupted = f'{text}[[evaluate]]\nname = "c"\npath = "trees.txt"\ncorrupt = {{ pairs = 2 }}\n'
    assert {code for code, _ in problems(tmp_path, corrupted)} == {"FICT604"}
    assert {code for code, _ in problems(tmp_path, corrupted.replace("= 2", '= "2"'))} == {"FICT604"}
    limited = f'{text}[[evaluate]]\nname = "s"\npath = "rated.csv"\nlimit = 1\n'
    assert {code for code, _ in problems(tmp_path, limited)} == {"FICT604"}


def test_a_file_may_have_the_characters_of_a_pattern_in_its_name(tmp_path):
    manifest = MANIFEST.replace('"a.conllu"', '"a[1].conllu"')
    (tmp_path / "a[1].conllu").write_text(TREE)
    assert [label for label, _ in resolved(tmp_path, manifest).files["train"]] == ["a[1].conllu"]
    (tmp_path / "a1.conllu").write_text(TREE)
    assert [label for label, _ in resolved(tmp_path, manifest).files["train"]] == ["a1.conllu"]


def test_a_file_of_two_texts_is_a_warning(tmp_path):
    (tmp_path / "b.conllu").write_text(TREE + TREE)
    assert all(warning.kind != "shared-file" for warning in resolved(tmp_path).warnings)
    (tmp_path / "copy.conllu").write_text(TREE)
    text = MANIFEST.replace('["b.conllu"]', '["b.conllu", "copy.conllu"]\ntest = ["b.conllu"]')
    shared = [str(warning) for warning in resolved(tmp_path, text).warnings if warning.kind == "shared-file"]
    assert shared == [
        "warning: [corpus]: the validation text shares files with the training text: copy.conllu",
        "warning: [corpus]: the test text shares files with the validation text: b.conllu",
    ]


def test_a_link_to_a_file_of_the_same_text_is_a_warning(tmp_path):
    (tmp_path / "b.conllu").write_text(TREE + TREE)
    (tmp_path / "link.conllu").symlink_to(tmp_path / "a.conllu")
    text = MANIFEST.replace('["a.conllu"]', '["a.conllu", "link.conllu", "a.conllu"]')
    shared = [str(warning) for warning in resolved(tmp_path, text).warnings if warning.kind == "shared-file"]
    assert shared == [
        "warning: [corpus]: the training text has the same content more than once: a.conllu and link.conllu"
    ]


def test_copies_of_editors_and_hidden_files_in_a_folder_are_no_corpus_files(tmp_path):
    (tmp_path / "trees").mkdir()
    for name in ("a.conllu", "a.conllu~", "a.conllu.bak", "b.conllu.orig", ".c.conllu"):
        (tmp_path / "trees" / name).write_text(TREE)
    files = resolved(tmp_path, MANIFEST.replace("a.conllu", "trees")).files["train"]
    assert [path.name for _, path in files] == ["a.conllu"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("trees/*.conllu", ["a"]),
        ("trees/**/*.conllu", ["a"]),
        ("trees/*", ["a"]),
        ("trees/.*.conllu", [".b"]),
        ("trees/.*/*.conllu", ["a-copy"]),
        ("trees/.copies/*.conllu", ["a-copy"]),
    ],
)
def test_hidden_files_match_only_a_pattern_that_names_some(pattern, names, tmp_path):
    (tmp_path / "trees" / ".copies").mkdir(parents=True)
    for name in ("a", ".b", ".copies/a-copy"):
        (tmp_path / "trees" / f"{name}.conllu").write_text(TREE)
    files = resolved(tmp_path, MANIFEST.replace("a.conllu", pattern)).files["train"]
    assert [path.name.removesuffix(".conllu") for _, path in files] == names


def test_folders_of_a_glob_may_have_wildcards(tmp_path):
    project = tmp_path / "project [1]"
    for name in ("en/x", "de/x", "de/y"):
        (project / "trees" / name).mkdir(parents=True)
        (project / "trees" / name / "train.conllu").write_text(TREE.replace("She", name))
    text = MANIFEST.replace('"a.conllu"', '"trees/*/x/*.conllu"')
    found = [path.parent.parent.name for _, path in resolved(project, text).files["train"]]
    assert found == ["de", "en"]
    with pytest.raises(InputError) as caught:
        resolved(project, text.replace("trees/*/x", "trees/*/z"))
    assert [(each.code, each.hint) for each in caught.value.diagnostics] == [("FICT607", None)]


def draw_warnings(folder, redraw="none", seeds="[1, 2]", other_seed=0):
    text = f"""
[experiment]
name = "x"
seeds = {seeds}
[corpus]
sample = {{ sentences = 200 }}
[size]
redraw = "{redraw}"
[[model]]
preset = "lstm-128"
"""
    for name, seed in (("a", 0), ("b", other_seed)):
        text += f"""
[[condition]]
name = "{name}"
remove = ["${{filters}}/fict15/passive.fict"]
[[condition]]
name = "{name}-control"
remove-random = "{name}"
seed = {seed}
[[condition]]
name = "{name}-placebo"
remove-random = "{name}"
draws = 2
"""
    return [str(warning) for warning in resolved(folder, text).warnings if warning.kind == "draws"]


def test_draws_that_seeds_or_controls_share_are_told(tmp_path):
    assert draw_warnings(tmp_path) == [
        "warning: [size]: all seeds share one sample and one control draw, so that intervals say nothing about other "
        'draws, however many seeds there are; `redraw = "seed"` draws them anew for each seed',
        "warning: a-control and b-control: these controls are drawn with the same seed, so that they lack mostly the same "
        "sentences and share their luck; a different `seed` in each makes them independent",
    ]
    assert len(draw_warnings(tmp_path, other_seed=1)) == 1
    assert draw_warnings(tmp_path, seeds="[1]", other_seed=1) == []
    assert draw_warnings(tmp_path, redraw="seed", other_seed=1) == []
