"""The conditions of a manifest as corpora: what is in them, what was taken out, and that keys follow the meaning."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from runner.conditions.injected_text import read_units
from runner.conditions.substitute import WORD_TAGS, Boundary
from runner.corpus.matches import match, matching_sids
from runner.corpus.sentence_arrays import read_lines
from runner.corpus.statistics import form_frequencies
from runner.corpus.store import Store
from runner.errors import InputError
from runner.execute.cache import Cache
from runner.execute.job import Job, job_of
from runner.execute.planned import plan_warnings
from runner.execute.warnings import stats_of
from runner.model.saved import load_tokenizer
from runner.model.token_rows import TokenFile
from runner.model.tokenizer import split_words, train_word_tokenizer
from runner.sample.corpus import generate
from runner.score.minimal_pairs import read_pair_suite
from runner.steps.names import TextName
from tests.support.experiments import planned, prepared

BASE = """
[experiment]
name = "x"
seeds = [1]
[corpus]
sample = { sentences = 120, pairs = 1, seed = 2 }
[tokenizer]
size = 300
[[model]]
preset = "lstm-128"
"""
PP = '["${filters}/fict15/agr-pp-mod.fict"]'


def manifest(folder: Path, *conditions: str, base: str = BASE) -> Path:
    """A manifest with conditions, each the lines of one; they are named c1, c2, …"""
    (folder / "fictc.toml").touch()
    path = folder / "m.toml"
    entries = [f'[[condition]]\nname = "c{number}"\n{lines}\n' for number, lines in enumerate(conditions, 1)]
    path.write_text(base + "\n".join(entries), encoding="utf-8")
    return path


def array(made, condition, name="sids"):
    return np.load(made.cache.folder(made.plan.corpora[TextName.parse(str(condition))]) / f"{name}.npy")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


def test_keep_leaves_what_remove_takes(tmp_path, cache):
    made = prepared(manifest(tmp_path, f"remove = {PP}", f"keep = {PP}", base=BASE), cache)
    taken, kept = array(made, "c1", "removed"), array(made, "c2", "removed")
    assert len(taken) and len(kept)
    assert sorted([*taken.tolist(), *kept.tolist()]) == list(range(120))
    assert {len(array(made, name)) for name in made.plan.corpora} == {len(taken)}
    assert array(made, "c2").tolist() == taken.tolist()


def test_only_a_newline_ends_a_line_of_a_training_corpus(tmp_path):
    made = prepared(manifest(tmp_path, f"remove = {PP}"), tmp_path / "cache")
    text = made.cache.folder(made.plan.corpora[TextName("c1")]) / "text.txt"
    text.unlink()
    text.write_bytes(b"a\rb\nc\n")
    assert made.lines(TextName("c1")) == ["a\rb", "c"]


@pytest.mark.parametrize("by", ["lines", "tokens"])
def test_a_common_size_is_that_of_all_conditions_or_refused(tmp_path, cache, by):
    def made(count):
        size = f'[size]\nby = "{by}"\ncount = {count}\n'
        return prepared(
            manifest(tmp_path, f"remove = {PP}", base=BASE.replace("[tokenizer]", size + "[tokenizer]")), cache
        )

    smallest = prepared(manifest(tmp_path, f"remove = {PP}"), cache)
    left = set(range(120)) - set(array(smallest, "c1", "removed").tolist())
    most = len(left) if by == "lines" else int(smallest.base().words[sorted(left)].sum())
    assert array(made(most), "c1").tolist() == sorted(left)
    with pytest.raises(InputError, match=f"c1 has {most} .*, but the common size is {most + 1}") as caught:
        made(most + 1)
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT648"]


def test_a_size_above_the_corpus_is_refused_once_and_by_the_plan_of_an_imported_corpus(tmp_path):
    base = BASE.replace("[tokenizer]", "[size]\ncount = 100000\n[tokenizer]")
    path = manifest(tmp_path, f"remove = {PP}", 'remove-random = "c1"', base=base)
    cache = Cache(tmp_path / "new")
    plan_warnings(planned(path), cache)
    for refused in (lambda: prepared(path, tmp_path / "new"), lambda: plan_warnings(planned(path), cache)):
        with pytest.raises(InputError) as caught:
            refused()
        (problem,) = caught.value.diagnostics
        assert problem.message == "the base corpus has 120 sentences, but the common size is 100000"


@pytest.mark.parametrize("by", ["sentences", "tokens", "lengths"])
def test_a_control_takes_as_much_as_its_condition_and_nothing_of_it_if_disjoint(tmp_path, cache, by):
    lines = f'remove-random = "c1"\nby = "{by}"\n'
    size = '[size]\nby = "tokens"\n' if by == "tokens" else ""
    base = BASE.replace("[tokenizer]", size + "[tokenizer]")
    made = prepared(manifest(tmp_path, f"remove = {PP}", lines, lines + "disjoint = true", base=base), cache)
    taken, words = array(made, "c1", "removed"), made.base().words
    for name in ("c2", "c3"):
        drawn = array(made, name, "removed")
        if by == "tokens":
            assert 0 <= words[taken].sum() - words[drawn].sum() <= 2
        else:
            assert len(drawn) == len(taken)
    assert not set(array(made, "c3", "removed").tolist()) & set(taken.tolist())


def test_a_key_follows_what_is_done_and_not_what_it_is_called(tmp_path):
    def keys(*conditions):
        return {str(name): step.recipe for name, step in planned(manifest(tmp_path, *conditions)).corpora.items()}

    one = keys(f"remove = {PP}", 'remove-random = "c1"')
    assert one == keys(f"remove = {PP}", 'remove-random = "c1"\nby = "sentences"\ndisjoint = false\nseed = 0')
    for change in ("disjoint = true", "seed = 1", 'by = "lengths"'):
        assert one["c2"] != keys(f"remove = {PP}", f'remove-random = "c1"\n{change}')["c2"]
    assert one["c1"] != keys(f"keep = {PP}")["c1"]


def test_a_value_that_equals_the_name_of_a_condition_makes_no_step_read_it(tmp_path):
    base = f"{BASE}[size]\ncount = 50\n"
    path = manifest(tmp_path, f"remove = {PP}", 'substitute = { alpha = 0.5, tags = "upos" }', base=base)
    plain = planned(path)
    path.write_text(path.read_text(encoding="utf-8").replace('name = "c1"', 'name = "upos"'), encoding="utf-8")
    renamed = planned(path)
    assert renamed.corpora[TextName("c2")].needs.keys() == plain.corpora[TextName("c2")].needs.keys()


@pytest.mark.parametrize("name", ["c2", "", "Full"])
def test_an_unknown_condition_is_not_taken_for_the_full_corpus(tmp_path, name):
    resolved = planned(manifest(tmp_path, f"remove = {PP}")).resolved
    for look_up in (resolved.conditions.__getitem__, resolved.table):
        with pytest.raises(KeyError):
            look_up(name)


GAPS = """fict 1
filter gaps { match { V:VERB N:NOUN V -[obj]-> N } mask subtree(N) with "<gap>" }
filter bare { match { N:NOUN D:DET N -> D } remove node(D) }
filter alone { match { V:VERB } remove subtree(V) }
"""


def lines(made, condition):
    text = (made.cache.folder(made.plan.corpora[TextName.parse(condition)]) / "text.txt").read_text(encoding="utf-8")
    return text.split("\n")[:-1]


def stats(made, condition):
    return stats_of(made.cache, made.plan, TextName.parse(str(condition)))


@pytest.fixture
def gaps(tmp_path):
    (tmp_path / "gaps.fict").write_text(GAPS, encoding="utf-8")
    return tmp_path


def test_words_are_masked_in_the_sentences_that_match_and_in_as_many_places_by_chance(gaps, cache):
    made = prepared(manifest(gaps, 'mask = ["gaps.fict::gaps"]', 'mask-random = "c1"\ndisjoint = true'), cache)
    own, drawn = stats(made, "c1"), stats(made, "c2")
    assert own["edited_units"] == drawn["edited_units"] > 0
    assert own["edited_words"] == drawn["edited_words"]
    assert own["words"] == drawn["words"] == stats(made, "full")["words"]
    assert sum("<gap>" in line for line in lines(made, "c1")) == own["edited_sentences"]
    assert sum("<gap>" in line for line in lines(made, "c2")) == drawn["edited_sentences"]
    whole = load_tokenizer(made.tokenizer())("a<gap> <gap>x", add_special_tokens=False)["input_ids"]
    assert whole.count(len(load_tokenizer(made.tokenizer())) - 1) == 2


def test_dropped_words_are_no_longer_counted_and_a_sentence_without_words_is_gone(gaps, cache):
    size = '[size]\nby = "tokens"\n'
    base = BASE.replace("[tokenizer]", size + "[tokenizer]")
    made = prepared(
        manifest(gaps, 'drop = ["gaps.fict::bare"]', 'drop-random = "c1"', 'drop = ["gaps.fict::alone"]', base=base),
        cache,
    )
    limit = stats(made, "c3")["words"]
    assert len(array(made, "c3", "removed")) == stats(made, "c3")["removed_sentences"] > 0
    assert all(lines(made, "c3"))
    longest = int(made.base().words.max())
    assert all(limit - longest <= stats(made, name)["words"] <= limit for name in made.plan.corpora)


def test_sentences_are_chosen_before_words_are_masked(gaps, cache):
    made = prepared(manifest(gaps, f"remove = {PP}", f'remove = {PP}\nmask = ["gaps.fict::gaps"]'), cache)
    assert array(made, "c1").tolist() == array(made, "c2").tolist()
    pairs = list(zip(lines(made, "c1"), lines(made, "c2"), strict=True))
    assert sum(one != two for one, two in pairs) == stats(made, "c2")["edited_sentences"]


def test_a_tokenizer_is_of_pieces_of_words_or_a_saved_one_and_what_masks_put_is_whole_in_all(gaps, cache):
    def tokenizer(*lines):
        base = BASE.replace("[tokenizer]\nsize = 300", "\n".join(["[tokenizer]", *lines]))
        made = prepared(manifest(gaps, 'mask = ["gaps.fict::gaps"]', base=base), cache)
        assert TokenFile.open(made.tokens(TextName("c1"))).vocabulary == len(load_tokenizer(made.tokenizer()))
        return made, load_tokenizer(made.tokenizer())

    made, pieces = tokenizer('kind = "bpe"', "size = 400")
    assert len(pieces) == 400 + 2
    assert pieces("a <gap>", add_special_tokens=False)["input_ids"][-1] == 401
    assert "Ġthe" in pieces.get_vocab()

    base = BASE.replace("size = 300", 'kind = "bpe"\nsize = 400')
    plain = prepared(manifest(gaps, 'drop = ["gaps.fict::bare"]', base=base), cache)
    load_tokenizer(plain.tokenizer()).save_pretrained(gaps / "saved")
    again, saved = tokenizer('kind = "saved"', 'path = "saved"')
    assert saved.get_vocab() == pieces.get_vocab()
    assert (
        TokenFile.open(again.tokens(TextName("c1"))).ids.tolist()
        == TokenFile.open(made.tokens(TextName("c1"))).ids.tolist()
    )


def test_a_saved_tokenizer_is_known_by_its_files(gaps):
    words = '[tokenizer]\nkind = "saved"\npath = "words"'

    def key():
        base = BASE.replace("[tokenizer]\nsize = 300", words)
        return planned(manifest(gaps, 'drop = ["gaps.fict::bare"]', base=base)).tokenizer.recipe

    train_word_tokenizer(["a b"], size=2).save_pretrained(gaps / "words")
    before = key()
    (gaps / "words").rename(gaps / "moved")
    train_word_tokenizer(["a b"], size=2).save_pretrained(gaps / "words")
    assert key() == before
    train_word_tokenizer(["a c"], size=2).save_pretrained(gaps / "words")
    assert key() != before


def test_a_mask_is_in_the_key_of_the_tokenizer_and_nothing_else_is(gaps):
    plain = planned(manifest(gaps, f"remove = {PP}")).tokenizer.recipe
    assert planned(manifest(gaps, 'drop = ["gaps.fict::bare"]')).tokenizer.recipe == plain
    assert planned(manifest(gaps, 'mask = ["gaps.fict::gaps"]')).tokenizer.recipe != plain


PLAIN = "".join(f"Plain sentence number {n} is here.\n" + "\n" * (n % 3 == 2) for n in range(60))
INJECT = 'inject = { text = ["plain.txt"], fraction = 0.05 }'


def test_the_asked_share_of_tokens_is_injected_and_as_much_gives_way(gaps, cache):
    (gaps / "plain.txt").write_text(PLAIN, encoding="utf-8")
    made = prepared(manifest(gaps, INJECT, INJECT.replace("0.05", '0.05, mode = "add"')), cache)
    full, counts, sids = lines(made, "full"), stats(made, "c1"), array(made, "c1")
    tokens = sum(len(split_words(line, "regex")) for line in full)
    assert counts["asked_tokens"] == round(0.05 * tokens, 1)
    for name in ("injected_tokens", "replaced_tokens"):
        assert abs(counts[name] - counts["asked_tokens"]) <= 21 / 2  # three sentences of seven tokens a document
    assert counts["injected_sentences"] == 3 * counts["injected_units"] == (sids < 0).sum()
    assert [line for line, sid in zip(lines(made, "c1"), sids, strict=True) if sid >= 0] == [
        line for sid, line in enumerate(full) if sid not in set(array(made, "c1", "replaced").tolist())
    ]
    assert all(line.startswith("Plain sentence") for line, sid in zip(lines(made, "c1"), sids, strict=True) if sid < 0)
    assert len(lines(made, "c2")) == len(full) + counts["injected_sentences"]
    assert stats(made, "c2")["replaced_tokens"] == 0


def test_a_control_injects_as_much_of_what_no_filter_matches(gaps, cache):
    (gaps / "some.conllu").write_bytes((cache_of_sample(gaps) / "valid.conllu").read_bytes())
    some = 'inject = { text = ["some.conllu"], fraction = 0.05, unit = "sentence", only = ["gaps.fict::gaps"] }'
    none = 'inject = { text = ["some.conllu"], like = "c1", without = ["gaps.fict::gaps"] }'
    made = prepared(manifest(gaps, some, none), cache)
    own, control = stats(made, "c1"), stats(made, "c2")
    assert own["asked_tokens"] == control["asked_tokens"]
    found = {}
    for name in ("c1", "c2"):
        store = Store.open(made.cache.folder(made.plan.units[TextName.parse(name)]) / "store")
        matching = set(
            matching_sids(store, [made.plan.resolved.conditions["c1"].filters_of("inject.only")[0]]).tolist()
        )
        every = read_lines(store)
        injected = {line for line, sid in zip(lines(made, name), array(made, name), strict=True) if sid < 0}
        found[name] = {every.index(line) in matching for line in injected}
    assert found == {"c1": {True}, "c2": {False}}


def cache_of_sample(folder):
    generate(folder / "sample", sentences=600, pairs=1, seed=9)
    return folder / "sample"


def test_what_is_injected_is_in_no_other_key(gaps):
    (gaps / "plain.txt").write_text(PLAIN, encoding="utf-8")
    alone = planned(manifest(gaps, f"remove = {PP}", 'mask = ["gaps.fict::gaps"]')).corpora
    beside = planned(manifest(gaps, f"remove = {PP}", 'mask = ["gaps.fict::gaps"]', INJECT)).corpora
    other = planned(manifest(gaps, f"remove = {PP}", 'mask = ["gaps.fict::gaps"]', INJECT.replace("5", "6"))).corpora
    removed, injected = TextName("c1"), TextName("c3")
    assert beside[removed].recipe == other[removed].recipe == alone[removed].recipe
    assert beside[injected].recipe != other[injected].recipe
    before = planned(manifest(gaps, INJECT)).corpora[TextName("c1")].recipe
    (gaps / "plain.txt").write_text(PLAIN + "More.\n", encoding="utf-8")
    assert planned(manifest(gaps, INJECT)).corpora[TextName("c1")].recipe != before


STAGED = """fict 1
filter plural { match { N:NOUN[Number = Plur] } }
filter verbal { match { V:VERB } }
"""


def test_an_order_has_its_stages_in_turn_and_balanced_as_many_of_each(gaps, cache):
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    order = 'order = { filters = ["staged.fict"], stages = ["plural+verbal", "verbal"], rest = "last" }'
    equal = order.replace("rest", 'balance = "sentences", reverse = true, rest')
    alone = equal.replace("order =", "balance =").replace(
        'balance = "sentences", reverse = true, rest = "last"', 'rest = "keep"'
    )
    one_epoch = BASE + "training = { epochs = 1 }\n"
    shuffled = order.replace("rest", "shuffle = true, rest")
    made = prepared(manifest(gaps, order, equal, alone, shuffled, base=one_epoch), cache)
    plural, verbal = (
        set(made.matched(item.key).tolist()) for item in made.plan.resolved.conditions["c1"].filters_of("order.filters")
    )

    def stages(name):
        kinds = {True: {True: "both", False: "plural"}, False: {True: "verbal", False: "none"}}
        return [kinds[sid in plural][sid in verbal] for sid in array(made, name).tolist()]

    found = stages("c1")
    both, one = found.count("both"), found.count("verbal")
    assert found[: both + one] == ["both"] * both + ["verbal"] * one
    assert set(found[both + one :]) <= {"plural", "none"} and len(found) == 120
    assert sorted(array(made, "c1").tolist()) == list(range(120))
    texts = lines(made, "full")
    assert lines(made, "c1") == [texts[sid] for sid in array(made, "c1").tolist()]
    least = min(both, one)
    assert stages("c2")[: 2 * least] == ["verbal"] * least + ["both"] * least
    assert array(made, "c3").tolist() == sorted(array(made, "c2").tolist())
    assert stages("c4")[: both + one] == ["both"] * both + ["verbal"] * one
    for start, end in ((0, both), (both, both + one), (both + one, 120)):
        kept, mixed = array(made, "c1").tolist()[start:end], array(made, "c4").tolist()[start:end]
        assert kept == sorted(kept) == sorted(mixed) != mixed


@pytest.mark.parametrize("kind", ["order", "balance"])
def test_a_filter_that_no_stage_names_decides_the_stages_too(gaps, cache, kind):
    (gaps / "staged.fict").write_text(STAGED + "filter nominal { match { N:NOUN } }\n", encoding="utf-8")
    three = kind + ' = { filters = ["staged.fict"], stages = ["nominal", "verbal"] }'
    two = three.replace('["staged.fict"]', '["staged.fict::nominal", "staged.fict::verbal"]')
    made = prepared(manifest(gaps, three, two, base=BASE + "training = { epochs = 1 }\n"), cache)
    plural = set(made.matched(made.plan.resolved.conditions["c1"].filters_of(f"{kind}.filters")[0].key).tolist())
    assert not plural & set(array(made, "c1").tolist())
    assert plural & set(array(made, "c2").tolist())
    assert made.plan.corpora[TextName("c1")].recipe != made.plan.corpora[TextName("c2")].recipe


@pytest.mark.parametrize("mode", ["replace", "add"])
def test_stages_are_found_again_among_what_is_injected(gaps, cache, mode):
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    (gaps / "plain.txt").write_text(PLAIN, encoding="utf-8")
    order = 'order = { filters = ["staged.fict"], stages = ["verbal", "plural+verbal"], rest = "last" }\n'
    inject = INJECT.replace("0.05", f'0.2, mode = "{mode}"')
    made = prepared(manifest(gaps, order, order + inject, base=BASE + "training = { epochs = 1 }\n"), cache)
    plain, injected = (
        json.loads((made.cache.folder(made.plan.corpora[TextName.parse(name)]) / "stages.json").read_text())
        for name in ("c1", "c2")
    )
    assert [name for name, _ in injected] == [name for name, _ in plain] == ["verbal", "plural+verbal"]
    bounds = [first for _, first in plain]
    stages = [set(part.tolist()) for part in np.split(array(made, "c1"), bounds[1:])]
    sids = array(made, "c2")
    for (_, first), stage in zip(injected, stages, strict=True):
        assert sids[first] in stage
        assert not stage & set(sids[:first].tolist())
    assert [first for _, first in injected] != bounds or mode == "replace"


def test_two_filters_of_one_name_are_no_stages(gaps):
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    (gaps / "other.fict").write_text(STAGED, encoding="utf-8")
    order = 'order = { filters = ["staged.fict", "other.fict::verbal"], stages = ["plural", "verbal"] }'
    with pytest.raises(InputError) as caught:
        planned(manifest(gaps, order, base=BASE + "training = { epochs = 1 }\n"))
    (problem,) = caught.value.diagnostics
    assert (problem.code, problem.message) == ("FICT606", "the filter `verbal` is defined twice")


def test_a_text_to_inject_may_be_compressed(gaps, cache):
    (gaps / "plain.txt").write_text(PLAIN, encoding="utf-8")
    with gzip.open(gaps / "plain.txt.gz", "wt", encoding="utf-8") as file:
        file.write(PLAIN)
    made = prepared(manifest(gaps, INJECT, INJECT.replace("plain.txt", "plain.txt.gz")), cache)
    assert {line for line in lines(made, "c2") if line.startswith("Plain")} <= set(PLAIN.split("\n"))
    assert stats(made, "c2")["injected_units"] == stats(made, "c1")["injected_units"] > 0


def test_stages_may_be_values_of_a_comment(gaps, cache):
    folder = cache_of_sample(gaps)
    for part in ("train", "valid"):
        text = (folder / f"{part}.conllu").read_text(encoding="utf-8")
        genre = ("# genre = b\n", "# genre = a\n", "# genre = a\n", "")
        blocks = [genre[number % 4] + block for number, block in enumerate(text.strip().split("\n\n"))]
        (gaps / f"{part}.conllu").write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    files = BASE.replace(
        "sample = { sentences = 120, pairs = 1, seed = 2 }", 'train = ["train.conllu"]\nvalid = ["valid.conllu"]'
    )
    base = files + "training = { epochs = 1 }\n"
    made = prepared(
        manifest(gaps, 'order = { key = "genre", balance = "tokens", rest = "interleave" }', base=base), cache
    )
    sids, words = array(made, "c1"), made.base().words
    a, b = ([sid for sid in sids.tolist() if sid % 4 in wanted] for wanted in ((1, 2), (0,)))
    assert [sid for sid in sids.tolist() if sid % 4 != 3] == a + b
    assert abs(int(words[a].sum()) - int(words[b].sum())) <= 1
    with pytest.raises(InputError, match="weblog"):
        prepared(manifest(gaps, 'order = { key = "genre", stages = ["weblog"] }', base=base), cache)


ROWS = (
    "1\tthe\tthe\tDET\t_\t_\t3\tdet\t_\t_",
    "2\tthe\tthe\tDET\t_\t_\t3\tdet\t_\t_",
    "3\tdog{n}\tdog\tNOUN\t_\t_\t4\tnsubj\t_\t_",
    "4\tbarks\tbark\tVERB\t_\t_\t0\troot\t_\t_",
)
OF_DOCUMENTS = """
[experiment]
name = "x"
seeds = [1]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
[tokenizer]
size = 300
[[model]]
preset = "lstm-128"
training = { epochs = 1 }
"""


def documents(folder: Path) -> None:
    """Ten sentences of four words with two determiners (genre `a`), and twenty without (`b`), two in each document."""

    def sentence(number: int) -> str:
        genre = "a" if number < 10 else "b"
        rows = "\n".join(ROWS).format(n=number)
        rows = rows if genre == "a" else rows.replace("the\tDET", "big\tADJ").replace("\tdet", "\tamod")
        begins = f"# newdoc id = {number // 2}\n# meta::genre = {genre}\n"
        return f"{begins if number % 2 == 0 else ''}{rows}\n\n"

    (folder / "train.conllu").write_text("".join(map(sentence, range(30))), encoding="utf-8")
    (folder / "valid.conllu").write_text(sentence(0), encoding="utf-8")


@pytest.mark.parametrize("key", ["meta::genre", "genre"])
def test_a_comment_of_a_document_is_one_of_all_its_sentences(gaps, cache, key):
    documents(gaps)
    order, balance = f'order = {{ key = "{key}" }}', f'balance = {{ key = "{key}" }}'
    suite = f'[[evaluate]]\nname = "b"\npath = "train.conllu"\ncorrupt = {{ pairs = 30, key = "{key}", value = "b" }}\n'
    made = prepared(manifest(gaps, order, balance, base=OF_DOCUMENTS + suite), cache)
    assert array(made, "c1").tolist() == list(range(30))
    sids = array(made, "c2")
    assert [(sids < 10).sum(), (sids >= 10).sum()] == [10, 10]
    assert json.loads((made.cache.folder(made.plan.corpora[TextName("c1")]) / "stages.json").read_text()) == [
        ["a", 0],
        ["b", 10],
    ]
    roots = [pair for pair in read_pair_suite(made.suite("b")).items if pair.paradigm == "delete-root"]
    assert len(roots) == 20


def test_stages_are_equal_in_the_words_that_edits_leave(gaps, cache):
    documents(gaps)
    (gaps / "det.fict").write_text("fict 1\nfilter det { match { D:DET } remove node(D) }\n", encoding="utf-8")
    drop, by = 'drop = ["det.fict"]\n', '{ key = "genre", %s = "tokens" }'
    made = prepared(
        manifest(gaps, f"{drop}order = {by % 'balance'}", f"{drop}balance = {by % 'by'}", base=OF_DOCUMENTS), cache
    )
    for name in ("c1", "c2"):  # ten sentences of two words that are left, and five of four words
        sids = array(made, name)
        assert [(sids < 10).sum(), (sids >= 10).sum()] == [10, 5]
        assert stats(made, name)["words"] == 40


def test_stages_may_have_as_many_matches_each_as_decaf_counts_pronouns(gaps, cache):
    """Values of a comment have no matches; stages by filters have those of the first filter that they name."""
    with pytest.raises(InputError) as caught:
        planned(manifest(gaps, 'balance = { key = "genre", by = "matches" }'))
    assert [
        (problem.code, "balancing by matches requires filters" in problem.message)
        for problem in caught.value.diagnostics
    ] == [("FICT604", True)]
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    stages = 'balance = {{ filters = ["staged.fict"], stages = ["plural+verbal", "verbal"], by = "{}" }}'
    made = prepared(manifest(gaps, *(stages.format(unit) for unit in ("matches", "sentences"))), cache)
    plural, verbal = (item.key for item in made.plan.resolved.conditions["c1"].filters_of("balance.filters"))
    nouns, verbs = made.match_counts(plural), made.match_counts(verbal)
    assert nouns.sum() > (nouns > 0).sum(), "some sentences have several"
    assert nouns.sum() == match(made.store("train"), made.plan.resolved.filters_by_key[plural]).num_rows
    difference = {}
    for name in ("c1", "c2"):
        sids = array(made, name)
        both = sids[(nouns[sids] > 0) & (verbs[sids] > 0)]
        difference[name] = int(nouns[both].sum() - verbs[np.setdiff1d(sids, both)].sum())
        assert len(both) > 5
    assert abs(difference["c1"]) <= 1 < abs(difference["c2"])


def test_the_filter_whose_matches_count_is_in_the_key_of_a_balanced_condition(gaps):
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    balance = 'balance = {{ filters = ["staged.fict"], stages = ["{}", "verbal"], by = "{}" }}'
    stages = [("plural+verbal", "matches"), ("verbal + plural", "matches"), ("plural", "matches")]
    stages += [("plural+verbal", "sentences"), ("verbal+plural", "sentences")]
    plan = planned(manifest(gaps, *(balance.format(*stage) for stage in stages)))
    first, second, single, *by_sentences = [plan.corpora[TextName.parse(f"c{number}")] for number in range(1, 6)]
    assert first.recipe != second.recipe and len({step.recipe for step in by_sentences}) == 1
    assert all("counted" in step.inputs for step in (first, second, single))
    assert not any("counted" in step.inputs for step in by_sentences)


def test_only_the_cells_of_an_order_are_trained_in_order(gaps):
    (gaps / "staged.fict").write_text(STAGED, encoding="utf-8")
    order = 'order = { filters = ["staged.fict::verbal"] }'
    plan = planned(manifest(gaps, order, base=BASE + "training = { epochs = 1 }\n"))
    assert plan.resolved.model_for("lstm-128", "c1").training.in_order
    assert not plan.resolved.model_for("lstm-128", "full").training.in_order
    assert [plan.resolved.model_for("lstm-128", name).training.keep for name in ("c1", "full")] == ["last", "best"]
    best = BASE + 'training = { epochs = 1, keep = "best" }\n'
    assert planned(manifest(gaps, order, base=best)).resolved.model_for("lstm-128", "c1").training.keep == "best"
    trained = {cell.condition: cell.train.inputs["training"] for cell in plan.cells}
    assert trained["c1"]["in_order"] is True and trained["full"]["in_order"] is False
    with pytest.raises(InputError) as caught:
        planned(manifest(gaps, order))
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT645"]


def test_rare_words_are_tags_in_the_corpus_and_in_the_texts_that_its_models_are_evaluated_on(gaps, cache):
    some, all_of_them = (f'substitute = {{ alpha = {alpha}, tags = "upos" }}' for alpha in ("0.5", "1"))
    made = prepared(manifest(gaps, some, all_of_them, "substitute = { alpha = 0 }"), cache)
    assert lines(made, "c3") == lines(made, "full")
    seen = form_frequencies(made.store("train"), lowercase=False).keys()
    for text in ("valid", "test"):
        unseen = form_frequencies(made.store(text), lowercase=False).keys() - seen
        told = json.loads(
            (made.cache.folder(made.plan.edits[TextName.parse(f"c3/{text}")]) / "substituted.json").read_text("utf-8")
        )
        assert unseen and told["substituted"] == {}
    words = stats(made, "full")["words"]
    told = json.loads(
        (made.cache.folder(made.plan.edits[TextName("c2")]) / "substituted.json").read_text(encoding="utf-8")
    )
    assert (told["kept_words"], told["boundary"]) == (0, None)
    assert (
        sum(told["substituted"].values())
        == stats(made, "c2")["edited_words"]
        == words - sum(told["left_as_words"].values())
    )
    assert told["left_as_words"].keys() == {"PUNCT"}
    half = json.loads(
        (made.cache.folder(made.plan.edits[TextName("c1")]) / "substituted.json").read_text(encoding="utf-8")
    )
    rare = sum(half["substituted"].values()) + sum(half["left_as_words"].values())
    assert 0 <= rare - words / 2 <= half["frequency"]
    (cell,) = (cell for cell in made.plan.cells if cell.condition == "c2")
    job = Job.read(job_of(cell, made, gaps / "job.state.json").write(gaps / "job.json"))
    tokenizer = load_tokenizer(made.tokenizer())
    for path in (job.valid, job.texts["test"]):
        read = TokenFile.open(path)
        assert set(tokenizer.decode(read.sentence(0)).split()) <= {f"[{tag}]" for tag in WORD_TAGS["upos"]} | set(
            ".,?!"
        )
    plain = next(cell for cell in made.plan.cells if cell.condition == "full")
    assert Job.read(job_of(plain, made, gaps / "job.state.json").write(gaps / "job.json")).valid == made.tokens(
        TextName(split="valid")
    )


def test_the_reference_of_rare_words_may_be_another_text(gaps, cache):
    """A misspelt file, then a text in which only `the` is frequent, and trees of the same words."""
    with pytest.raises(InputError) as caught:
        planned(manifest(gaps, 'substitute = { alpha = 0.5, reference = ["wiki.text", "nothing.conllu"] }'))
    assert [problem.code for problem in caught.value.diagnostics] == ["FICT607", "FICT607"]
    (gaps / "wiki.txt").write_text("the the the the\nThe zebra\n", encoding="utf-8")
    forms = [*["the"] * 4, "The", "zebra"]
    trees = [f"{n}\t{form}\t_\tX\t_\t_\t{n - 1}\t{'dep' if n > 1 else 'root'}\t_\t_" for n, form in enumerate(forms, 1)]
    (gaps / "wiki.conllu").write_text(
        "# text = the\n1-2\tthethe" + "\t_" * 8 + "\n" + "\n".join(trees) + "\n\n", encoding="utf-8"
    )
    plain, *others = (
        f'substitute = {{ alpha = 0.3, tags = "upos"{reference} }}'
        for reference in ("", ', reference = ["wiki.txt"]', ', reference = ["wiki.conllu"]')
    )
    made = prepared(manifest(gaps, plain, *others), cache)
    own, text, parsed = (
        json.loads((made.cache.folder(made.plan.edits[TextName.parse(name)]) / "substituted.json").read_text("utf-8"))
        for name in ("c1", "c2", "c3")
    )
    assert (text["boundary"], text["frequency"], text["kept_words"]) == ("the", 4, 1)
    assert text == parsed != own
    words = {word for line in lines(made, "c2") for word in line.split() if word.isalpha()}
    assert words == {"the"}
    alone = planned(manifest(gaps, plain)).edits[TextName("c1")].recipe
    assert made.plan.edits[TextName("c1")].recipe == alone, "a reference of others changes no key"


def test_a_key_of_tags_says_whether_apostrophes_are_alike(tmp_path):
    def alike(text: str, split: str, name: str = "r.txt") -> bool:
        (tmp_path / name).write_text(text, encoding="utf-8")
        base = BASE.replace("size = 300", f'size = 300\nsplit = "{split}"')
        substitute = f'substitute = {{ alpha = 0.5, reference = ["{name}"] }}'
        inputs = planned(manifest(tmp_path, substitute, base=base)).edits[TextName("c1")].inputs
        return inputs["substitute"]["apostrophes_alike"]

    assert not alike("it's", "none") and not alike("1\tit's\t_\n", "regex", "r.conllu")
    assert alike("it's", "regex")


@pytest.mark.parametrize(("split", "boundary"), [("regex", "'m"), ("none", "is")])
def test_apostrophes_count_as_the_tokenizer_reads_them(tmp_path, cache, split, boundary):
    """Of 8 words, 5 stay at α = 0.375: all 'm, two of which are written with ’, or three of them and both *is*."""
    rows = "1\t{}\tbe\tAUX\tVBP\t_\t0\troot\t_\t_\n\n"
    text = rows.format("'m") * 3 + rows.format("’m") * 2 + rows.format("is") * 2 + rows.format("are")
    (tmp_path / "train.conllu").write_text(text, encoding="utf-8")
    base = BASE.replace(
        "sample = { sentences = 120, pairs = 1, seed = 2 }", 'train = ["train.conllu"]\nvalid = ["train.conllu"]'
    )
    base = base.replace("size = 300", f'size = 300\nsplit = "{split}"')
    made = prepared(manifest(tmp_path, 'substitute = { alpha = 0.375, tags = "upos" }', base=base), cache)
    found = json.loads((made.cache.folder(made.plan.edits[TextName("c1")]) / "substituted.json").read_text("utf-8"))
    assert found["boundary"] == boundary


TARGETED = 'inject = { generate = { paradigm = "only_npi_scope", words = 900, every = 60, seed = 3 }, fraction = %s%s }'
ONLY = '["${filters}/injection/only-npi-scope.fict"]'


def test_generated_text_is_injected_and_its_control_holds_no_target(tmp_path, cache):
    made = prepared(
        manifest(
            tmp_path,
            TARGETED % (0.2, f", only = {ONLY}"),
            'inject = { like = "c1", without = ["${filters}/injection"] }',
            TARGETED % (0.1, f", only = {ONLY}"),
        ),
        cache,
    )
    own, control, fewer = (stats(made, name) for name in ("c1", "c2", "c3"))
    longest = 80
    for found in (own, control, fewer):
        assert abs(found["injected_tokens"] - found["asked_tokens"]) <= longest / 2
        assert abs(found["replaced_tokens"] - found["asked_tokens"]) <= longest / 2
    assert own["injected_targets"] == own["injected_units"] > fewer["injected_targets"] == fewer["injected_units"] > 0
    assert control["injected_targets"] == 0
    counts = [
        json.loads((made.cache.folder(made.plan.units[TextName.parse(n)]) / "judged.json").read_text())
        for n in ("c1", "c2")
    ]
    assert counts[0]["units_left_out"] == counts[1]["units_left_out"] == 0
    assert counts[0]["target_sentences"] == counts[0]["units"]
    assert counts[1]["target_sentences"] == 0
    one, two = (
        json.loads((made.cache.folder(made.plan.units[TextName.parse(n)]) / "generated.json").read_text())
        for n in ("c1", "c2")
    )
    assert one["genres"] == two["genres"]
    assert abs(one["words"] - two["words"]) <= 0.05 * one["words"]
    smaller = {line for sid, line in zip(array(made, "c3").tolist(), lines(made, "c3"), strict=True) if sid < 0}
    assert smaller <= {line for sid, line in zip(array(made, "c1").tolist(), lines(made, "c1"), strict=True) if sid < 0}


def test_a_control_injects_the_documents_of_its_condition_in_the_same_order(tmp_path, cache):
    targeted = TARGETED % (0.1, f", only = {ONLY}, seed = 7")
    made = prepared(manifest(tmp_path, targeted, 'inject = { like = "c1" }'), cache)
    orders = []
    for name in ("c1", "c2"):
        folder = made.cache.folder(made.plan.units[TextName.parse(name)])
        documents = {
            line: number
            for number, block in enumerate((folder / "generated.conllu").read_text().split("# newdoc id = ")[1:])
            for line in re.findall(r"^# text = (.*)$", block, re.MULTILINE)[:1]
        }
        texts, first_lines, _ = read_units(folder / "units.parquet")
        orders.append([documents[texts[line]] for line in first_lines[:-1]])
    shared = min(map(len, orders))
    assert shared > 10 and orders[0][:shared] == orders[1][:shared] != sorted(orders[0][:shared])


def test_the_unigram_baseline_scores_the_words_that_models_score(tmp_path, cache):
    def baseline(frame: str, scoring: str) -> tuple[list[float], set[str], str]:
        base = BASE + f'[training]\nframe = "{frame}"\n[[evaluate]]\nname = "s"\npath = "sample"\n{scoring}\n'
        made = prepared(manifest(tmp_path, f"remove = {PP}", base=base), cache)
        step = made.plan.unigrams[TextName("full"), "s"]
        scores = pq.read_table(made.cache.folder(step) / "scores.parquet")["score_good"].to_pylist()
        return scores, set(step.inputs), step.recipe

    as_trained, without = "", 'scoring = { context = "none" }'
    framed, bare = baseline("eos", as_trained), baseline("none", as_trained)
    assert framed[1] == bare[1] == {"convention", "frame"}
    scores = [pair for pair in zip(framed[0], bare[0], strict=True) if None not in pair]  # None: equal sentences
    assert scores and all(with_first < skipped for with_first, skipped in scores)
    assert baseline("eos", without) == baseline("none", without)


def test_an_unknown_paradigm_is_told_with_its_place(tmp_path):
    with pytest.raises(InputError) as caught:
        planned(manifest(tmp_path, 'inject = { generate = { paradigm = "only_npi", words = 900 }, fraction = 0.1 }'))
    (problem,) = caught.value.diagnostics
    assert problem.code == "FICT605"
    assert "only_npi" in problem.message


@pytest.mark.parametrize(
    "inject",
    [
        "{ fraction = 0.1 }",
        '{ text = ["a.txt"], generate = { words = 900 }, fraction = 0.1 }',
        '{ like = "c1", generate = { words = 900 } }',
    ],
)
def test_a_text_or_a_recipe(tmp_path, inject):
    with pytest.raises(InputError) as caught:
        planned(manifest(tmp_path, TARGETED % (0.1, ""), f"inject = {inject}"))
    assert caught.value.diagnostics[0].code == "FICT604"


CORRUPTED = """
[[evaluate]]
name = "all{end}"
path = "parsed.conllu"
corrupt = {{ pairs = 20, words = "{words}", alpha = 0.4 }}
"""


def test_corrupted_sentences_are_the_same_however_rare_words_are_written(tmp_path, cache):
    folder = tmp_path / "sample"
    generate(folder, sentences=200, pairs=1, seed=9)
    (tmp_path / "parsed.conllu").write_text((folder / "train.conllu").read_text())
    suites = "".join(CORRUPTED.format(end=e, words=w) for e, w in (("", "plain"), (".tags", "tags"), (".unk", "unk")))
    made = prepared(manifest(tmp_path, "substitute = { alpha = 0.4 }", base=BASE + suites), cache)
    plain, tags, unk = (read_pair_suite(made.suite(name)).items for name in ("all", "all.tags", "all.unk"))
    assert len(plain) == len(tags) == len(unk) == 60
    kept = Boundary.of(form_frequencies(made.store("train"), lowercase=False), 0.4).kept_words
    for one, tagged, unknown in zip(plain, tags, unk, strict=True):
        assert one.paradigm == tagged.paradigm == unknown.paradigm
        for own, other, third in ((one.good, tagged.good, unknown.good), (one.bad, tagged.bad, unknown.bad)):
            words, with_tags, with_unk = (split_words(text, "none") for text in (own, other, third))
            assert len(with_tags) == len(with_unk)
            assert [w.startswith("[") for w in with_tags] == [w.startswith("<unk>") for w in with_unk]
            assert sum(not w.startswith("[") for w in with_tags) == sum(w in with_unk for w in with_tags)
            assert all(w.rstrip(".?,") in kept for w in words if w in with_tags and w.isalpha())
    assert any("[" in pair.good for pair in tags)


def test_tags_of_corrupted_sentences_are_whole_tokens_where_no_condition_has_them(tmp_path, cache):
    folder = tmp_path / "sample"
    generate(folder, sentences=200, pairs=1, seed=9)
    (tmp_path / "parsed.conllu").write_text((folder / "train.conllu").read_text())

    def made(words):
        base = BASE + CORRUPTED.format(end="", words=words).replace("0.4", '1, tags = "upos"')
        return prepared(manifest(tmp_path, base=base), cache)

    tags = made("tags")
    tokenizer = load_tokenizer(tags.tokenizer())
    good = read_pair_suite(tags.suite("all")).items[0].good
    assert set(tokenizer.tokenize(good)) <= {f"[{tag}]" for tag in WORD_TAGS["upos"]} | set(".,?!")
    assert len(tokenizer) == len(load_tokenizer(made("unk").tokenizer())) + len(WORD_TAGS["upos"])


@pytest.mark.parametrize("words", ["tags", "unk"])
def test_a_word_whose_tag_stands_for_none_stays_in_both_sentences(tmp_path, cache, words):
    tagged = "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tXX\t_\t0\troot\t_\t_\n3\tdogs\tdog\tNOUN\t_\t_\t2\tobj\t_\t_\n4\tthen\tthen\tADV\t_\t_\t2\tadvmod\t_\t_\n\n"
    (tmp_path / "parsed.conllu").write_text("".join(f"# sent_id = s{n}\n{tagged}" for n in range(9)))
    suite = CORRUPTED.format(end="", words=words).replace("alpha = 0.4", "alpha = 1")
    made = prepared(manifest(tmp_path, base=BASE + suite), cache)
    pairs = read_pair_suite(made.suite("all")).items
    she = "[PRP]" if words == "tags" else "<unk>"
    assert {pair.good for pair in pairs} == {f"{she} saw dogs then"}
    inserted = [pair.bad.split() for pair in pairs if pair.paradigm == "insert-word"]
    assert {word for bad in inserted for word in bad} == {she, "saw", "dogs", "then"}
    assert {bad.count(she) for bad in inserted} == {1, 2}


def test_pairs_of_one_genre(tmp_path, cache):
    rows = "1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_\n3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_\n4\tdog\tdog\tNOUN\tNN\t_\t2\tobj\t_\t_\n\n"
    blocks = [f"# newdoc id = {genre}-1\n# sent_id = {genre}\n{rows}" for genre in ("email", "weblog")]
    (tmp_path / "parsed.conllu").write_text("".join(blocks))
    suite = CORRUPTED.format(end="", words="plain").replace("pairs = 20", 'pairs = 20, key = "genre", value = "weblog"')
    made = prepared(manifest(tmp_path, base=BASE + suite), cache)
    assert [pair.paradigm for pair in read_pair_suite(made.suite("all")).items] == [
        "delete-root",
        "swap-neighbours",
        "insert-word",
    ]
