"""What `fictc plan` and `fictc run` refuse or note, each from a user's mistake to the message and the exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pyarrow as pa
import pytest

from fictdsl.diagnostics.text import render_text
from runner.cli.options import load_plan
from runner.cli.run import resources_of
from runner.errors import InputError
from runner.execute.warnings import count_pairs
from runner.score.convention import UNKNOWN_WORDS_REMEDY
from tests.unit.runner.cli.conftest import Ended, Fictc

TREE = "1\t{word}\tit\tPRON\tPRP\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"
MANIFEST = """[experiment]
name = "x"
seeds = [1]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
[[condition]]
name = "one"
remove = ["f.fict"]
[[model]]
preset = "lstm-128"
training = { epochs = 1 }
[[evaluate]]
name = "pairs"
path = "pairs.csv"
"""
PAIRS = "paradigm,good,bad\nagreement,dogs bark,dogs barks\nagreement,cats bark,cats barks\norder,dogs bark,dogs bark\n"


class Project:
    """A folder with a manifest, a corpus, a filter and minimal pairs, and the commands on it."""

    def __init__(self, folder: Path, call: Fictc) -> None:
        self.folder, self._call = folder, call
        self.write("fictc.toml", "")
        for name, times in (("train", 3), ("valid", 2)):
            words = ("dogs", "they", "we", "you") * times
            self.write(f"{name}.conllu", "".join(TREE.format(word=word) for word in words))
        self.write("f.fict", self.filter("V -[nsubj]-> S[lower(form) = dogs]"))
        self.write("pairs.csv", PAIRS)
        self.write("m.toml", MANIFEST)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def filter(self, clause: str, targets: str = "pairs/agreement") -> str:
        targets = f"targets {targets} " if targets else ""
        return f'fict 1\nfilter f {{ about "A case." {targets}match {{ {clause} }} }}\n'

    def plan(self, *options: str) -> Ended:
        return self._call("plan", self.folder / "m.toml", "--output", self.folder / "run", *options)

    def run(self, folder: str = "jobs") -> Ended:
        """Call `run` for a cluster: everything is done but training."""
        jobs = self.folder / folder
        return self._call("run", self.folder / "m.toml", "--output", self.folder / "run", "--emit-jobs", jobs)


@pytest.fixture
def project(tmp_path: Path, call: Fictc, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    return Project(tmp_path, call)


def codes(ended: Ended) -> list[str]:
    return [code for code, _, _ in ended.problems]


def notes(ended: Ended) -> list[str]:
    return [line for line in ended.err.splitlines() if line.startswith("warning: ")]


def test_a_sound_manifest_is_planned_without_a_note(project: Project) -> None:
    ended = project.plan()
    assert (ended.code, notes(ended)) == (0, [])


def test_labels_that_ud_lacks_are_refused_all_at_once(project: Project) -> None:
    project.write("f.fict", project.filter("V:VREB -[nsub]-> S"))
    for ended in (project.plan(), project.run()):
        assert ended.code == 2
        assert ended.problems == (
            ("FICT501", "`VREB` is not a UPOS tag", "the nearest name is `VERB`"),
            ("FICT502", "`nsub` is not a relation of Universal Dependencies", "the nearest name is `nsubj`"),
        )


def test_a_pattern_of_a_used_file_is_linted_too(project: Project) -> None:
    project.write("p.fict", "fict 1\npattern subject(V, S) { V -[nsub]-> S }\n")
    project.write(
        "f.fict", 'fict 1\nuse "p.fict"\nfilter f { about "x" targets pairs/order match { subject(A, B) } }\n'
    )
    assert codes(project.plan()) == ["FICT502"]


def test_a_label_of_the_corpus_or_of_a_declared_tag_set_is_not_refused(project: Project) -> None:
    project.write("f.fict", project.filter("V -[nsubjpass]-> S"))
    assert codes(project.plan()) == ["FICT502"]
    tree = TREE.format(word="dogs").replace("nsubj", "nsubjpass:x")
    project.write("train.conllu", tree + TREE.format(word="we"))
    assert project.plan().code == 0
    project.write("train.conllu", TREE.format(word="nsubjpass") + "# a = 1\t2\t3\t4\t5\t6\t7\tnsubjpass\t\n" + tree[:0])
    assert codes(project.plan()) == ["FICT502"]
    project.write("f.fict", "# tagset: other\n" + project.filter("V -[nsubjpass]-> S"))
    assert project.plan().code == 0


def test_other_findings_of_lint_are_a_note(project: Project) -> None:
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]").replace('about "A case." ', ""))
    for options in ((), ("--format", "json")):
        [note] = notes(project.plan(*options))
        assert note.startswith(f"warning: {project.folder}/f.fict: 1 warning; `fictc lint ")


def test_a_filter_without_matches_is_refused_by_run_and_then_by_plan(project: Project) -> None:
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = cats]"))
    assert project.plan().code == 0  # nobody knows yet
    hint = (
        f"find the mistake with `fictc lint {project.folder}/f.fict --corpus {project.folder}/train.conllu` or with "
        "`fictc show --near-miss`; if no match is expected, set `allow-empty = true` in the condition"
    )
    for ended in (project.run(), project.plan()):
        assert ended.code == 2
        assert ended.problems == (("FICT614", "filter f matches no sentence of the training corpus", hint),)
    assert not (project.folder / "run" / ".." / ".cache" / "train").exists()
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]"))  # no earlier run has matched it
    assert project.plan().code == 0
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = mice]"))
    assert codes(project.plan()) == ["FICT614"]


def test_an_empty_filter_can_be_allowed_by_condition(project: Project) -> None:
    project.write("g.fict", project.filter("V -[nsubj]-> S[lower(form) = cats]").replace("filter f", "filter g"))
    text = MANIFEST.replace(
        "[[model]]", '[[condition]]\nname = "two"\nremove = ["g.fict"]\nallow-empty = true\n[[model]]'
    )
    project.write("m.toml", text)
    for ended in (project.run(), project.plan()):
        assert ended.code == 0
        assert "warning: condition two: filter g matches no sentence of the training corpus" in notes(ended)
    project.write("m.toml", text.replace("allow-empty = true\n", ""))
    assert codes(project.plan()) == codes(project.run()) == ["FICT614"]


@pytest.mark.parametrize(
    ("target", "hint"),
    [
        ("pairs/agrement", "the nearest name is `pairs/agreement`"),
        ("blimp/pasive_1", "the nearest name is `blimp/passive_1`"),
        ("bilmp/passive_1", "the nearest suite is `blimp`"),
        ("pair/order", None),  # the suite of a target matters only if the manifest has it
        ("blimp/zzzz", None),
    ],
)
def test_a_target_that_no_suite_has_is_refused_in_a_filter_and_in_a_condition(
    target: str, hint: str | None, project: Project
) -> None:
    scored = target == "pair/order"
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]", targets=target))
    expected = () if scored else (("FICT615", f"filter f targets `{target}`, which no suite has", hint),)
    assert project.plan().problems == expected
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]"))
    project.write("m.toml", MANIFEST.replace("[[model]]", f'targets = ["{target}"]\n[[model]]'))
    expected = () if scored else (("FICT615", f"condition one targets `{target}`, which no suite has", hint),)
    assert project.plan().problems == expected


def test_a_target_that_this_manifest_does_not_score_is_a_note(project: Project) -> None:
    project.write(
        "f.fict",
        project.filter("V -[nsubj]-> S[lower(form) = dogs]", targets="blimp/passive_1 zorro/agreement my-own/x"),
    )
    assert notes(project.plan()) == [
        "warning: condition one: blimp/passive_1 and my-own/x are not among the scored paradigms"
    ]
    project.write("m.toml", MANIFEST + 'paradigms = ["order"]\n')
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]"))
    assert notes(project.plan()) == ["warning: condition one: pairs/agreement is not among the scored paradigms"]


def test_phenomena_and_benchmarks_with_similar_names_are_targets_that_are_not_scored(project: Project) -> None:
    targets = "blimp/s-selection climp/x jblimp/x"
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]", targets=targets))
    ended = project.plan()
    assert ended.problems == ()
    assert notes(ended) == [
        "warning: condition one: blimp/s-selection, climp/x and jblimp/x are not among the scored paradigms"
    ]


def test_without_targets_it_is_said_how_to_name_them(project: Project) -> None:
    project.write("f.fict", project.filter("V -[nsubj]-> S[lower(form) = dogs]", targets=""))
    [note] = notes(project.plan())
    assert note == (
        "warning: no condition has targets: name the paradigms in the filter (`targets blimp/passive_1`) or in its condition"
        ' (`targets = ["blimp/passive_1"]`); the report compares them first'
    )
    project.write("m.toml", MANIFEST[: MANIFEST.index("[[evaluate]]")])
    assert notes(project.plan()) == []


@pytest.mark.parametrize(
    ("settings", "targeted", "pairs"),
    [
        ("", True, "30 pairs"),
        ("", False, "1 pair"),
        ('paradigms = ["agreement"]\n', False, "30 pairs"),
        ("limit = 20\n", True, "20 pairs"),
        ("limit = 20\n", False, "1 pair"),
    ],
)
def test_the_warning_of_few_pairs_is_about_the_smallest_targeted_or_scored_paradigm(
    settings: str, targeted: bool, pairs: str, project: Project
) -> None:
    project.write("pairs.csv", PAIRS + "agreement,dogs bark,dogs barks\n" * 28)
    project.write("m.toml", MANIFEST.replace("seeds = [1]", "seeds = [1, 2]") + settings)
    if not targeted:
        filter_text = (project.folder / "f.fict").read_text()
        project.write("f.fict", filter_text.replace("targets pairs/agreement", ""))
    warnings = [line for line in project.plan().out.splitlines() if line.startswith("warning: 2 seeds")]
    expected = f"warning: 2 seeds and {pairs} of the suite pairs prove that an unchanged accuracy held within ±5 points"
    assert [warning.startswith(expected) for warning in warnings] == [True]


def test_a_filter_that_a_file_lacks_is_at_its_place_in_the_manifest(project: Project) -> None:
    project.write("m.toml", MANIFEST.replace("f.fict", "f.fict::g"))
    with pytest.raises(InputError) as raised:
        load_plan(project.folder / "m.toml", None, (), None, None)
    message = render_text(raised.value.diagnostics, use_colours=False)
    assert "FICT290" in message and f"{project.folder / 'm.toml'}:9:1" in message


@pytest.mark.parametrize(
    ("old", "new", "key", "line"),
    [
        ("[1]", "[3, 1, 3]", "experiment.seeds", 3),
        ("[[condition]]", "[size]\ncount = 0\n[[condition]]", "size.count", 8),
    ],
)
def test_a_wrong_value_is_at_its_key_not_at_its_table(
    old: str, new: str, key: str, line: int, project: Project
) -> None:
    project.write("m.toml", MANIFEST.replace(old, new))
    with pytest.raises(InputError) as raised:
        load_plan(project.folder / "m.toml", None, (), None, None)
    message = render_text(raised.value.diagnostics, use_colours=False)
    assert f"wrong value for `{key}`" in message and f"m.toml:{line}:1" in message


def test_stages_by_a_comment_are_described_and_their_mistakes_explained(project: Project) -> None:
    corpus = "".join(f"# genre = {genre}\n{TREE.format(word='dogs')}" for genre in ("news", "news", "blog"))
    project.write("train.conllu", corpus)
    descriptions = {
        'order = { key = "genre" }': "sorted by genre",
        'order = { key = "genre", reverse = true, balance = "sentences" }': "sorted by genre, reversed, as many sentences each",
        'order = { key = "genre", stages = ["news", "blog"] }': "in the order news → blog",
        'balance = { key = "genre" }': "as many sentences of each genre",
        'balance = { key = "genre", by = "tokens", stages = ["news", "blog"] }': "as many tokens of news, blog",
    }
    for line, description in descriptions.items():
        project.write("m.toml", MANIFEST.replace('remove = ["f.fict"]', line))
        assert re.search(rf"^  one +{description}$", project.plan().out, re.MULTILINE)
    hints = {
        'balance = { key = "mood" }': "no sentence has a value of `mood`",
        'balance = { key = "genre", stages = ["news", "blogs"] }': "the nearest name is `blog`",
        'balance = { key = "genre", stages = ["news", "fiction"] }': "values of genre: blog, news",
    }
    for line, hint in hints.items():
        project.write("m.toml", MANIFEST.replace('remove = ["f.fict"]', line))
        assert [(code, text) for code, _, text in project.run().problems] == [("FICT644", hint)]


@pytest.mark.parametrize(("fraction", "share"), [("0.5", "50"), ("0.00125", "0.125"), ("0.0000001", "1e-05")])
def test_no_share_of_injected_text_is_described_as_nothing(fraction: str, share: str, project: Project) -> None:
    project.write("t.txt", "Dogs bark.\n")
    inject = f'inject = {{ text = ["t.txt"], fraction = {fraction} }}'
    project.write("m.toml", MANIFEST.replace('remove = ["f.fict"]', inject))
    assert f"{share} % of the tokens replaced by t.txt" in " ".join(project.plan().out.split())


@pytest.mark.parametrize("key", ["order", "balance"])
def test_a_stage_that_balancing_empties_is_an_error(key: str, project: Project) -> None:
    news = f"# genre = news\n{TREE.format(word='dogs')}"
    project.write("train.conllu", f"# genre = note\n1\tWoof\twoof\tINTJ\tUH\t_\t0\troot\t_\t_\n\n{news}{news}")
    unit = "balance" if key == "order" else "by"
    project.write("m.toml", MANIFEST.replace('remove = ["f.fict"]', f'{key} = {{ key = "genre", {unit} = "tokens" }}'))
    hint = "balancing by tokens left none: each of its sentences has more tokens than the smallest stage"
    [(code, message, found_hint)] = project.run().problems
    assert (code, found_hint) == ("FICT644", hint) and "the stage `news` of one" in message


def test_pairs_with_unknown_words_are_noted_worst_first(project: Project) -> None:
    note = (
        "warning: pairs: 2 pairs contain words that the tokenizer does not know (2 of them with different numbers of such words"
        " in the two sentences), and 1 pair has the same tokens in both sentences; the highest share is in agreement"
        f" (2 of 2); 1 paradigm with such words in most pairs: {UNKNOWN_WORDS_REMEDY}"
    )
    assert notes(project.run()) == notes(project.plan()) == [note]
    events = [json.loads(line) for line in (project.folder / "run" / "events.jsonl").read_text().splitlines()]
    [event] = [event for event in events if event["event"] == "warning"]
    assert (event["kind"], event["subject"]) == ("pairs", "pairs")


def test_the_pairs_of_each_paradigm_are_counted() -> None:
    rows = {
        "paradigm": ["order", "agreement", "agreement", "fine"],
        "unk_good": [0, 1, 0, 0],
        "unk_bad": [0, 1, 1, 0],
        "identical": [True, True, False, False],
    }
    counted = [
        (c.paradigm, c.pairs, c.unknown, c.unequal_unknown, c.identical) for c in count_pairs("s", pa.table(rows))
    ]
    assert counted == [("order", 1, 0, 0, 1), ("agreement", 2, 2, 1, 1), ("fine", 1, 0, 0, 0)]


def test_mistakes_of_every_kind_are_told_at_once(project: Project) -> None:
    project.write("f.fict", project.filter("V:VREB", targets="blimp/pasive_1"))
    text = MANIFEST.replace("epochs = 1", 'epochs = "3"') + 'paradigms = ["agremeent"]\n'
    project.write("m.toml", text)
    ended = project.plan()
    assert ended.code == 2
    assert sorted(codes(ended)) == ["FICT501", "FICT604", "FICT605", "FICT615"]
    assert ("FICT605", "the nearest name is `agreement`") in [(code, hint) for code, _, hint in ended.problems]


def test_folders_of_jobs_that_break_the_lines_of_lists_are_refused(project: Project) -> None:
    ended = project.run("two\nlines")
    assert ended.code == 2
    assert "the lists of jobs have one path per line" in ended.err


@pytest.mark.parametrize("option", ["account", "account=", "=lab", "--=lab", "a=b\nc=d"])
def test_an_option_of_slurm_without_key_or_value_is_refused(option: str) -> None:
    with pytest.raises(click.BadParameter, match="is not KEY=VALUE"):
        resources_of(None, 1, 4.0, 1, 0, 1, (option,))


@pytest.mark.parametrize(
    "options",
    [
        ("--partition", "gpu"),
        ("--time", "60"),
        ("--slurm", "account"),
        ("--emit-jobs", "jobs", "--jobs", "2"),
    ],
)
def test_options_without_effect_where_the_cells_run_are_refused(project: Project, options: tuple[str, ...]) -> None:
    ended = project._call("run", project.folder / "m.toml", *options)
    assert ended.code == 2
    required = f"{options[0]} requires --emit-jobs"
    assert required in ended.err or "--jobs and --emit-jobs exclude each other" in ended.err
