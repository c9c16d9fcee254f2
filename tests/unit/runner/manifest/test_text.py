"""Manifests: what is accepted, and that every mistake is told at once, at its place."""

from pathlib import Path

import pytest

from runner.errors import InputError
from runner.manifest.text import read_draft

GOOD = """
[experiment]
name = "small"
seeds = [1, 2]

[corpus]
sample = { sentences = 500, pairs = 10, seed = 3 }

[[condition]]
name = "no-pp"
remove = ["${filters}/fict15/agr-pp-mod.fict"]

[[condition]]
name = "control"
remove-random = "no-pp"

[[model]]
preset = "lstm-128"
"""


NO_PP = 'remove = ["${filters}/fict15/agr-pp-mod.fict"]\n'
LAST = 'preset = "lstm-128"\n'
CORRUPT = '[[evaluate]]\nname = "x"\npath = "x.conllu"\ncorrupt = { pairs = 5 }\n'


def draft(tmp_path: Path, text: str):
    path = tmp_path / "manifest.toml"
    path.write_text(text, encoding="utf-8")
    return read_draft(path)


def found(tmp_path: Path, text: str) -> list[tuple[str, int, str]]:
    return [(p.code, p.source.position(p.span.start)[0], p.message) for p in draft(tmp_path, text).problems]


def test_a_sound_manifest_has_no_problems_and_all_defaults(tmp_path):
    manifest = draft(tmp_path, GOOD).manifest
    assert manifest is not None
    assert manifest.experiment.seeds == (1, 2)
    assert manifest.condition[1].remove_random == "no-pp"
    assert manifest.size.count == "smallest"
    assert manifest.report.ties is None  # as the convention of each suite has it


def test_every_mistake_is_told_at_once_with_its_line_and_the_nearest_key(tmp_path):
    text = GOOD.replace("seeds", "sedes").replace("pairs = 10", "pairs = 0").replace('preset = "', 'perset = "')
    problems = draft(tmp_path, text).problems
    told = [(p.code, p.source.position(p.span.start)[0]) for p in problems]
    assert ("FICT602", 4) in told
    assert ("FICT604", 7) in told
    assert ("FICT602", 18) in told
    hints = {p.hint for p in problems if p.code == "FICT602"}
    assert hints == {"the nearest key is `seeds`", "the nearest key is `preset`"}


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        (
            ("[[model]]", '[training]\nepochs = "1"\n[[model]]'),
            "FICT604",
            "a number without quotation marks, found '1'",
        ),
        (("[[model]]", "[training]\npatience = 1.5\n[[model]]"), "FICT604", "it should be a whole number, found 1.5"),
        (("[[model]]", '[tokenizer]\nsize = "4000"\n[[model]]'), "FICT604", "a whole number without quotation marks"),
        (
            ("[[model]]", '[tokenizer]\nlowercase = "no"\n[[model]]'),
            "FICT604",
            "`true` or `false` without quotation marks",
        ),
        (("[[model]]", '[size]\ncount = "4000"\n[[model]]'), "FICT604", "a whole number without quotation marks, or"),
        (("[[model]]", "[size]\ncount = true\n[[model]]"), "FICT604", "a whole number without quotation marks, or"),
        (('name = "small"', "name = 3"), "FICT604", "a string in quotation marks, found 3"),
        (('name = "small"', 'name = "no there"'), "FICT604", "only letters, digits, `.`, `_` and `-`"),
        (('name = "small"', 'name = "small\\n"'), "FICT604", "only letters, digits, `.`, `_` and `-`"),
        (
            ('name = "no-pp"', 'name = "no-pp"\ntargets = ["passive_1"]'),
            "FICT604",
            "a target is SUITE/PARADIGM, such as blimp/existential_there_quantifiers_1, found 'passive_1'",
        ),
        (
            ("[[model]]", '[training]\ndevice = "gpu"\n[[model]]'),
            "FICT604",
            "cpu, mps, cuda, cuda:N or auto, found 'gpu'",
        ),
        (('remove-random = "no-pp"', 'remove-random = "no-p"'), "FICT605", "no-p"),
        (('name = "control"', 'name = "no-pp"'), "FICT606", "no-pp"),
        (('name = "control"', 'name = "full"'), "FICT604", "full"),
        (('name = "control"', 'name = "valid"'), "FICT604", '"valid" is the name of a text of the corpus'),
        (('name = "control"', 'name = "test"'), "FICT604", '"test" is the name of a text of the corpus'),
        (('name = "control"', 'name = "train"'), "FICT604", '"train" is the name of a text of the corpus'),
        (
            ('preset = "lstm-128"', 'preset = "lstm-128"\nname = "unigram"'),
            "FICT604",
            '"unigram" is the name of the baseline',
        ),
        (('remove-random = "no-pp"', ""), "FICT604", "no intervention"),
        (("[[model]]", '[tokenizer]\nkind = "saved"\n[[model]]'), "FICT604", "path and kind"),
        (("[[model]]", '[tokenizer]\npath = "x"\n[[model]]'), "FICT604", "path and kind"),
        (
            ("[[model]]", '[tokenizer]\nkind = "saved"\npath = "x"\nsize = 9\n[[model]]'),
            "FICT604",
            "size has no effect",
        ),
        (("[[model]]", '[tokenizer]\nkind = "bpe"\nsplit = "ptb"\n[[model]]'), "FICT604", "split has no effect"),
        (
            ("[[model]]", f"[tokenizer]\nsize = {10**30}\n[[model]]"),
            "FICT604",
            "from 1 to 10,000,000 (every model has a row of weights for each), found about 1e30",
        ),
        (("[[model]]", f"[tokenizer]\nsize = 0x{'f' * 5000}\n[[model]]"), "FICT604", "found about 1e6021"),
        (("[[model]]", f"[training]\nepochs = -{10**25}\n[[model]]"), "FICT604", "found about -1e25"),
        (
            ("[[model]]", "[report]\nconfidence = 0.9999999999999999\n[[model]]"),
            "FICT604",
            "above 0.5 and at most 0.9999",
        ),
        (
            ('preset = "lstm-128"', f'architecture = "gpt2"\nconfig = {{ n_layer = [1, {{ a = {10**30} }}] }}'),
            "FICT604",
            "from -1,000,000,000,000 to 1,000,000,000,000 (sizes and rates",
        ),
        (("[[model]]", '[tokenizer]\nkind = "bpe"\nsize = 200\n[[model]]'), "FICT604", "at least 256"),
        (("[[model]]", "[training]\ncheckpoints = [20, 10]\n[[model]]"), "FICT604", "ascending order"),
        (("[[model]]", "[training]\ncheckpoints-factor = 3\n[[model]]"), "FICT604", "checkpoints-from"),
        (
            ("[[model]]", "[training]\ncheckpoints-from = 1\ncheckpoints-factor = 1.00000001\n[[model]]"),
            "FICT604",
            "from 1.001 to 1,000,000",
        ),
        (("[[model]]", CORRUPT.replace("5", "5, alpha = 0.3") + "[[model]]"), "FICT604", "alpha requires words"),
        (("[[model]]", CORRUPT.replace("5", '5, tags = "upos"') + "[[model]]"), "FICT604", "tags requires words"),
        (('preset = "lstm-128"', 'preset = "lstm-128"\nfrom = "x"'), "FICT604", "requires its own tokenizer"),
        (("[[model]]", "[training]\nmask-rate = 1.5\n[[model]]"), "FICT604", "above 0 and below 1 (it is a share)"),
        (("[[model]]", "[training]\nepochs = inf\n[[model]]"), "FICT604", "finite number, found inf"),
        (("[[model]]", "[training]\nclip = inf\n[[model]]"), "FICT604", "finite number, found inf"),
        (("[[model]]", "[training]\nwarmup = nan\n[[model]]"), "FICT604", "finite number, found nan"),
        (("[[model]]", "[training]\nbetas = [0.9, 1.5]\n[[model]]"), "FICT604", "at least 0 and below 1"),
        (("[[model]]", '[training]\nkeep = "frist"\n[[model]]'), "FICT604", "'best' or 'last'"),
        (('remove-random = "no-pp"', 'remove-random = "no-pp"\nkeep = ["x.fict"]'), "FICT604", "exclude"),
        (('remove-random = "no-pp"', 'remove-random = "no-pp"\nby = "words"'), "FICT604", "'lengths'"),
        (('name = "no-pp"', 'name = "no-pp"\nby = "lengths"'), "FICT604", "by requires remove-random"),
        (('remove-random = "no-pp"', 'mask-random = "no-pp"'), "FICT605", "no-pp"),
        (('remove-random = "no-pp"', 'mask = ["x.fict"]\ndrop-random = "no-pp"'), "FICT604", "exclude"),
        (('name = "no-pp"', 'name = "no-pp"\ndisjoint = true'), "FICT604", "disjoint requires"),
        (('name = "no-pp"', 'name = "no-pp"\ndraws = 20'), "FICT604", "draws requires remove-random"),
        (('remove-random = "no-pp"', 'remove-random = "no-pp"\ndraws = 0'), "FICT604", "from 1 to 10,000"),
        (("[[model]]", '[size]\nredraw = "seeds"\n[[model]]'), "FICT604", "'none' or 'seed'"),
        (('remove-random = "no-pp"', 'inject = { text = ["x.txt"], fraction = 2.0 }'), "FICT604", "0.5"),
        (('remove-random = "no-pp"', 'inject = { text = ["x.txt"] }'), "FICT604", "one of fraction and like"),
        (('remove-random = "no-pp"', 'inject = { text = ["x.txt"], like = "no-pp" }'), "FICT605", "no-pp"),
        (
            ('remove-random = "no-pp"', 'inject = { text = ["x.txt"], like = "c", fractoin = 0.1 }'),
            "FICT602",
            "fractoin",
        ),
        (('name = "no-pp"', 'name = "no-pp"\norder = { stages = ["a"] }'), "FICT604", "one of filters and key"),
        (('name = "no-pp"', 'name = "no-pp"\norder = { key = "a" }\nbalance = { key = "a" }'), "FICT604", "exclude"),
        (('name = "no-pp"', 'name = "no-pp"\nbalance = { key = "a", rest = "last" }'), "FICT604", "rest"),
        (
            ('name = "no-pp"', 'name = "no-pp"\norder = { key = "a", stages = ["b", "c"], levels = [["b", "c"]] }'),
            "FICT604",
            "levels requires balance",
        ),
        (
            ('name = "no-pp"', 'name = "no-pp"\norder = { key = "a", seed = 1 }'),
            "FICT604",
            "seed requires balance or shuffle",
        ),
        (
            ('name = "no-pp"', 'name = "no-pp"\nsubstitute = { alpha = 1.5 }'),
            "FICT604",
            "from 0 to 1 (it is a share), found 1.5",
        ),
        (('name = "no-pp"', 'name = "no-pp"\nsubstitute = { alhpa = 0.5, alpha = 0.5 }'), "FICT602", "alhpa"),
        (('name = "no-pp"', 'name = "no-pp"\nsubstitute = { alpha = 1 }\nmask = ["x.fict"]'), "FICT604", "exclude"),
        (('name = "no-pp"', 'name = "no-pp"\ndisjiont = true'), "FICT602", "disjiont"),
        (("seeds = [1, 2]", "seeds = [1, 1]"), "FICT604", "distinct"),
        (("seeds = [1, 2]", "seeds = [1, '2']"), "FICT604", "a whole number without quotation marks, found '2'"),
        (
            ("seeds = [1, 2]", "seeds = [1, 3141592653]"),
            "FICT604",
            "from 0 to 2,147,483,647 (random generators take 31 bits on every platform), found 3141592653",
        ),
        ((LAST, LAST + CORRUPT + "limit = 5\n"), "FICT604", "limit has no effect with corrupt"),
        ((LAST, LAST + CORRUPT + 'paradigms = ["a"]\n'), "FICT604", "paradigms has no effect with corrupt"),
        (('name = "small"', 'name = "../small"'), "FICT604", "only letters, digits, `.`, `_` and `-`"),
        (("sample =", 'train = ["x"]\nsample ='), "FICT604", "exclude each other"),
        (("sample = { sentences = 500, pairs = 10, seed = 3 }", 'train = ["x"]'), "FICT604", "valid"),
    ],
)
def test_what_does_not_fit_is_told(tmp_path, change, code, word):
    problems = found(tmp_path, GOOD.replace(*change))
    assert [p[0] for p in problems] == [code]
    assert word in problems[0][2]


def test_references_are_checked_beside_wrong_values(tmp_path):
    text = GOOD.replace('remove-random = "no-pp"', 'remove-random = "no-ppp"')
    wrong = text.replace("[[model]]", '[training]\nepochs = "1"\n[[model]]')
    assert {(code, line) for code, line, _ in found(tmp_path, wrong)} == {("FICT605", 15), ("FICT604", 18)}


def test_a_reference_to_an_invalid_condition_is_not_an_unknown_name(tmp_path):
    assert [code for code, *_ in found(tmp_path, GOOD.replace('name = "no-pp"', 'name = "no-pp"\nby = 3'))] == [
        "FICT604"
    ]


@pytest.mark.parametrize(
    ("change", "shown", "message"),
    [
        (("seeds = [1, 2]\n", ""), "[experiment]", "`seeds` is missing in [experiment]"),
        ((NO_PP, "perturb = { seed = 1 }\n"), "perturb", "`kind` is missing in `perturb` of [[condition]] no-pp"),
        (('name = "no-pp"\n', "keep = []\n"), "[[condition]]", "`name` is missing in [[condition]] number 1"),
        ((LAST, LAST + "[[ evaluate ]]\npath = 'x'\n"), "[[ evaluate ]]", "`name` is missing in [[evaluate]] number 1"),
        ((LAST, LAST + CORRUPT.replace("pairs", "pair")), "pair", "unknown key `pair` in `corrupt` of [[evaluate]] x"),
    ],
)
def test_a_missing_key_is_told_at_its_table(tmp_path, change, shown, message):
    problems = draft(tmp_path, GOOD.replace(*change)).problems
    (problem,) = (problem for problem in problems if message in problem.message)
    assert problem.source.text[problem.span.start : problem.span.end] == shown


def test_a_factor_of_checkpoints_may_stand_apart_from_what_it_multiplies(tmp_path):
    shared, own = "[training]\ncheckpoints-{}\n", "training = {{ checkpoints-{} }}\n"
    for first, second in (("from = 1000", "factor = 4"), ("factor = 4", "from = 1000")):
        text = GOOD.replace("[[model]]", shared.format(first) + "[[model]]") + own.format(second)
        assert found(tmp_path, text) == []
    alone = GOOD + own.format("factor = 4")
    reason = "wrong value for `training.checkpoints-factor`: it requires checkpoints-from, which it multiplies"
    assert found(tmp_path, alone) == [("FICT604", len(alone.splitlines()), reason)]
    for_another = alone + '[[model]]\npreset = "transformer-128"\n' + own.format("from = 1000")
    assert found(tmp_path, for_another) == [("FICT604", len(alone.splitlines()), reason)]


def test_broken_toml_is_told_at_its_line(tmp_path):
    with pytest.raises(InputError) as caught:
        draft(tmp_path, GOOD.replace("seeds = [1, 2]", "seeds = [1, 2"))
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT601"
    assert problem.source.position(problem.span.start)[0] in {4, 5, 6}


def test_a_missing_manifest_names_the_nearest_one(tmp_path):
    (tmp_path / "manifest.toml").write_text(GOOD)
    with pytest.raises(InputError) as caught:
        read_draft(tmp_path / "manifset.toml")
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT600"
    assert "manifest.toml" in problem.hint


def test_bytes_that_are_no_utf8_are_told(tmp_path):
    (tmp_path / "manifest.toml").write_bytes(b"[experiment]\nname = '\xff'\n")
    with pytest.raises(InputError) as caught:
        read_draft(tmp_path / "manifest.toml")
    assert caught.value.diagnostics[0].code == "FICT600"
