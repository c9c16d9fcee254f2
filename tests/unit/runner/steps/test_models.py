"""`[[model]]`: what a manifest says of a model, what it becomes, and every mistake with its line and the nearest name."""

import json
import struct
import subprocess
import sys
from dataclasses import replace

import pytest

from runner.errors import InputError
from runner.execute.estimate import parameter_counts, saved_parameter_count, vocabulary_size
from runner.manifest.text import read_draft
from runner.model.training import PRESETS, TrainSpec
from runner.steps.paths import Roots
from runner.steps.plan import RunPlan
from runner.steps.resolve import resolve
from tests.support.models import GPT2, gapped, saved, tokenizer

HEAD = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 200 }
[tokenizer]
size = 300
"""
LINE = len(HEAD.splitlines()) + 2  # the first line after `[[model]]`


def resolved(folder, *models, more=""):
    (folder / "m.toml").write_text(HEAD + "".join(f"[[model]]\n{model}\n" for model in models) + more)
    draft = read_draft(folder / "m.toml")
    return resolve(draft, Roots.of(draft.folder))


def mistakes(folder, *models, more=""):
    with pytest.raises(InputError) as caught:
        resolved(folder, *models, more=more)
    return [(p.code, p.source.position(p.span.start)[0], p.message, p.hint) for p in caught.value.diagnostics]


def train_key(folder, *models, more=""):
    return RunPlan(resolved(folder, *models, more=more), {}).cells[0].train.recipe


PRESET = 'preset = "transformer-128"'


def test_a_preset_with_changes_is_the_preset_but_for_them(tmp_path):
    entry = resolved(tmp_path, f"{PRESET}\nlayers = 6\nhidden = 256\ndropout = 0\nattention-dropout = 0.2").models[
        "transformer-128"
    ]
    preset = PRESETS["transformer-128"]
    assert entry.model == replace(preset.model, layers=6, hidden=256, dropout=0.0, attention_dropout=0.2)
    assert entry.training == TrainSpec.of(preset.training, [])


def test_only_a_change_is_in_the_key(tmp_path):
    plain = train_key(tmp_path, PRESET)
    assert train_key(tmp_path, f"{PRESET}\nlayers = 4\nhidden = 128\nheads = 4\npositions = 128") == plain
    assert train_key(tmp_path, f'{PRESET}\nname = "other"') == plain
    assert (
        len({plain, *(train_key(tmp_path, f"{PRESET}\n{size}") for size in ("layers = 5", "hidden = 64", "heads = 2"))})
        == 4
    )


def test_an_architecture_has_the_settings_of_its_configuration_and_default_training(tmp_path):
    llama = 'architecture = "llama"\nconfig = { hidden-size = 32, num_hidden_layers = 2, num-attention-heads = 2 }'
    entry = resolved(tmp_path, llama, more="[training]\ntokens = 5000\n").models["llama"]
    assert entry.model.config == {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    assert (entry.model.architecture, entry.model.masked, entry.model.positions) == ("llama", False, 2048)
    assert entry.training == TrainSpec(epochs=None, tokens=5000)
    bert = resolved(tmp_path, 'architecture = "electra"\nname = "e"').models["e"].model
    assert (bert.masked, bert.positions) == (True, 512)
    assert (
        not resolved(tmp_path, 'architecture = "electra"\nconfig = { is-decoder = true }')
        .models["electra"]
        .model.masked
    )


def test_both_spellings_of_a_setting_are_one_key(tmp_path):
    keys = {
        train_key(tmp_path, f'architecture = "{name}"\nname = "m"\nconfig = {{ {size} = 64 }}')
        for name, size in (("gpt-neox", "hidden-size"), ("gpt-neox", "hidden_size"))
    }
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("model", "code", "line", "message", "hint"),
    [
        ('preset = "transformer-12"', "FICT605", 0, "unknown preset `transformer-12`", "the nearest is `transformer-128`"),
        ('architecture = "lama"', "FICT605", 0, "unknown architecture `lama`", "the nearest is `llama`"),
        ('architecture = "llama"\nconfig = { hiden-size = 8 }', "FICT602", 1,
         "unknown key `hiden-size` in config of llama", "the nearest key is `hidden_size`"),
        ('architecture = "llama"\nconfig = { vocab-size = 8 }', "FICT604", 1,
         "wrong value for `model.config.vocab-size`: it follows from the tokenizer and the rows", None),
        ('architecture = "llama"\nconfig = { hidden-size = 30, num-attention-heads = 4 }', "FICT604", 1,
         "wrong value for `model.config.num-attention-heads`: num_attention_heads 4 does not divide hidden_size 30", None),
        ('architecture = "gpt2"\nconfig = { n-layer = 2, n_layer = 3 }', "FICT604", 1,
         "wrong value for `model.config.n_layer`: `n-layer` is the same key", None),
        ('architecture = "gpt2"\nconfig = { n-positions = 0 }', "FICT604", 1,
         "wrong value for `model.config.n-positions`: it should be at least 2, found 0", None),
        ('architecture = "bert"\nconfig = { max-position-embeddings = 1 }', "FICT604", 1,
         "wrong value for `model.config.max-position-embeddings`: it should be at least 2, found 1", None),
        (f"{PRESET}\nhidden = 30", "FICT604", 1, "wrong value for `model.hidden`: hidden 30 is not a multiple of heads 4", None),
        (f"{PRESET}\nheads = 3", "FICT604", 1, "wrong value for `model.heads`: hidden 128 is not a multiple of heads 3", None),
        ('preset = "lstm-128"\nheads = 2', "FICT604", 1, "wrong value for `model.heads`: an LSTM has no such size", None),
        (f"{PRESET}\nlayer = 2", "FICT602", 1, "unknown key `layer` in [[model]] transformer-128", "the nearest key is `layers`"),
        (f"{PRESET}\nlayers = 0", "FICT604", 1,
         "wrong value for `model.layers`: it should be from 1 to 1,000 (no published model has more), found 0", None),
        (f'{PRESET}\narchitecture = "llama"', "FICT604", -1,
         "wrong value for `model`: exactly one of preset and architecture is required", None),
        ('name = "x"', "FICT604", -1, "wrong value for `model`: exactly one of preset and architecture is required", None),
        ('architecture = "llama"\nlayers = 2', "FICT604", -1,
         "wrong value for `model`: layers requires preset; the sizes of an architecture are in config", None),
        (f"{PRESET}\nconfig = {{ n_embd = 8 }}", "FICT604", -1,
         "wrong value for `model`: config requires architecture; a preset is changed by keys such as layers and hidden", None),
    ],
)  # fmt: skip
def test_a_mistake_is_one_message_at_its_line(tmp_path, model, code, line, message, hint):
    (found,) = mistakes(tmp_path, model)
    assert found == (code, LINE + line, message, hint)


def test_a_masked_model_without_a_frame_is_refused_where_the_frame_is_set(tmp_path):
    mine = mistakes(tmp_path, 'preset = "bert-128"\ntraining = { frame = "none" }', f'{PRESET}\nname = "x"')
    reason = "a masked model reads the special tokens of its tokenizer"
    assert [message for _, _, message, _ in mine] == [f"wrong value for `model.training.frame`: {reason}"]
    shared = mistakes(tmp_path, PRESET, 'preset = "bert-128"', more='[training]\nframe = "none"\n')
    assert [message for _, _, message, _ in shared] == [f"wrong value for `training.frame`: {reason}"]
    misspelt = mistakes(tmp_path, PRESET, more='[training]\nframe = "bos"\n')
    assert [code for code, *_ in misspelt] == ["FICT604"]
    key = train_key(tmp_path, PRESET)
    assert train_key(tmp_path, PRESET, more='[training]\nframe = "eos"\n') == key
    assert train_key(tmp_path, PRESET, more='[training]\nframe = "none"\n') != key


def test_a_model_may_stay_untrained_but_a_branch_may_not(tmp_path):
    untrained = f"{PRESET}\ntraining = {{ epochs = 0 }}"
    assert resolved(tmp_path, untrained).models["transformer-128"].training.epochs == 0
    branch = f'{untrained}\nname = "late"\nfrom = "full@step-5"'
    reason = "a branch continues the training of another model, but this model has epochs = 0"
    assert [message for _, _, message, _ in mistakes(tmp_path, PRESET, branch)] == [
        f"wrong value for `model.from`: {reason}"
    ]
    negative = mistakes(tmp_path, f"{PRESET}\ntraining = {{ epochs = -1 }}")
    assert [code for code, *_ in negative] == ["FICT604"]


def test_mistakes_of_several_models_are_told_at_once(tmp_path):
    found = mistakes(tmp_path, 'architecture = "lama"', f"{PRESET}\nhidden = 30", 'preset = "lstm-12"')
    assert [code for code, *_ in found] == ["FICT605", "FICT604", "FICT605"]


CONDITION = '[[condition]]\nname = "no-passive"\nremove = ["${filters}/fict15/passive.fict"]\n'
BRANCH = f'{PRESET}\nname = "branch"\nfrom = "full@step-50"'


def cells(folder, *models, more=CONDITION):
    plan = RunPlan(resolved(folder, *models, more=more), {})
    return {cell.name: cell for cell in plan.cells}, plan


def test_a_branch_begins_with_the_training_of_the_same_model_on_the_other_condition(tmp_path):
    found, plan = cells(tmp_path, PRESET, BRANCH)
    full, branch = found["full/transformer-128/1"], found["no-passive/branch/1"]
    assert branch.branch.source.recipe == full.train.recipe
    assert branch.branch.state.id == "state:full/branch/1@step-50"
    assert branch.train.needs["state"] is branch.branch.state
    assert found["no-passive/transformer-128/1"].branch is None
    # one state for all conditions, in the plan once
    assert found["full/branch/1"].branch.state == branch.branch.state
    assert [step.id for step in plan.steps()].count(branch.branch.state.id) == 1
    trains = {name: cell.train.recipe for name, cell in found.items()}
    assert len(set(trains.values())) == len(trains)


def test_a_branch_changes_no_key_of_other_models(tmp_path):
    before, _ = cells(tmp_path, PRESET)
    after, _ = cells(tmp_path, PRESET, BRANCH)
    assert {name: [step.recipe for step in cell.steps] for name, cell in before.items()}.items() <= {
        name: [step.recipe for step in cell.steps] for name, cell in after.items()
    }.items()
    later, _ = cells(tmp_path, PRESET, BRANCH.replace("50", "51"))
    assert later["full/branch/1"].train.recipe != after["full/branch/1"].train.recipe


@pytest.mark.parametrize(
    ("value", "code", "message", "hint"),
    [
        ("ful@step-50", "FICT605", "unknown condition `ful`", "the nearest is `full`"),
        ("no-pasive@step-50", "FICT605", "unknown condition `no-pasive`", "the nearest is `no-passive`"),
        ("full@stp-50", "FICT604",
         "wrong value for `model.from`: `full@stp-50` is not CONDITION@step-N, such as `full@step-50`", None),
        ("ful@700", "FICT604", "wrong value for `model.from`: `ful@700` is not CONDITION@step-N, such as `full@step-700`", None),
        ("full@step-0", "FICT604",
         "wrong value for `model.from`: `full@step-0` is not CONDITION@step-N, such as `full@step-5000`", None),
    ],
)  # fmt: skip
def test_a_from_that_names_no_condition_or_step(tmp_path, value, code, message, hint):
    (found,) = mistakes(tmp_path, f'{PRESET}\nfrom = "{value}"', more=CONDITION)
    assert found == (code, LINE + 1, message, hint)


def test_a_branch_of_a_corpus_with_an_order_is_refused(tmp_path):
    order = '[[condition]]\nname = "sorted"\norder = { key = "genre" }\n'
    found = mistakes(tmp_path, BRANCH + "\ntraining = { epochs = 1 }", more=order)
    assert [(code, line) for code, line, *_ in found] == [("FICT604", LINE + 2)]


def test_a_branch_of_a_placebo_is_refused(tmp_path):
    placebo = f'{CONDITION}[[condition]]\nname = "placebo"\nremove-random = "no-passive"\ndraws = 2\n'
    (found,) = mistakes(tmp_path, BRANCH.replace("full@", "placebo@"), more=placebo)
    reason = "wrong value for `model.from`: placebo has several draws and therefore no model of its own"
    assert found[:3] == ("FICT604", LINE + 2, reason)
    assert len(cells(tmp_path, BRANCH, more=placebo)[0]) == 4


def test_a_branch_begins_with_the_corpus_of_its_seed(tmp_path):
    found, plan = cells(tmp_path, PRESET, BRANCH, more=f'[size]\nredraw = "seed"\n{CONDITION}')
    assert found["no-passive/branch/1"].branch.source.recipe == found["full/transformer-128/1"].train.recipe
    assert found["no-passive/branch/1"].branch.source.needs["tokens"].id == "tokens:full/seed-1"
    assert "tokens:full/seed-1" in {step.id for step in plan.steps()}


def test_a_branch_may_have_other_sizes_or_be_an_architecture(tmp_path):
    found, _ = cells(tmp_path, f"{BRANCH}\nlayers = 2", 'architecture = "llama"\nname = "l"\nfrom = "full@step-9"')
    assert {cell.branch.step for cell in found.values()} == {9, 50}


def test_parameters_are_counted_at_the_size_of_the_vocabulary(tmp_path):
    both = resolved(tmp_path, PRESET, f'{PRESET}\nlayers = 2\nname = "small"')
    assert vocabulary_size(both) == 302
    counts = parameter_counts(both)
    assert counts["transformer-128"] == 809_728 + 128 * 302
    assert counts["transformer-128"] - counts["small"] == 2 * (12 * 128**2 + 13 * 128)  # two layers
    masked = resolved(tmp_path, 'preset = "bert-128"', more="")
    assert vocabulary_size(masked) == 303


def test_a_saved_model_is_counted_from_its_files(tmp_path):
    model = saved(GPT2)
    model.model.save_pretrained(tmp_path / "gpt")
    tokenizer().save_pretrained(tmp_path / "gpt")
    (tmp_path / "fictc.toml").touch()
    text = HEAD.replace("size = 300", 'kind = "saved"\npath = "gpt"') + f'[[model]]\n{PRESET}\nfrom = "gpt"\n'
    (tmp_path / "m.toml").write_text(text)
    found = resolve(read_draft(tmp_path / "m.toml"), Roots.of(tmp_path))
    assert vocabulary_size(found) == len(tokenizer())
    assert parameter_counts(found) == {"transformer-128": sum(p.numel() for p in model.model.parameters())}
    gapped(30).save_pretrained(tmp_path / "gpt")
    assert vocabulary_size(found) == 30 + len(gapped()) - 2
    (tmp_path / "gpt" / "model.safetensors").write_bytes(b"\x00\x01")
    assert saved_parameter_count(tmp_path / "gpt") is None
    nested_header = b"[" * 100_000
    (tmp_path / "gpt" / "model.safetensors").write_bytes(struct.pack("<Q", len(nested_header)) + nested_header)
    assert saved_parameter_count(tmp_path / "gpt") is None
    (tmp_path / "gpt" / "tokenizer.json").write_text("{}")
    assert vocabulary_size(found) is None


def test_the_plan_of_presets_needs_no_torch(tmp_path):
    (tmp_path / "m.toml").write_text(f"{HEAD}[[model]]\n{PRESET}\n")
    script = (
        "import sys; from runner.cli import main; sys.argv = ['fictc', 'plan', 'm.toml']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "import json; print(json.dumps([name for name in ('torch', 'transformers') if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"{809_728 + 128 * 302:,} parameters at 302 tokens" in done.stdout
    assert json.loads(done.stdout.splitlines()[-1]) == []
