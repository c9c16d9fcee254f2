"""Rewrites: the engine gives what the interpreter gives, and the invariants of their actions hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from fictdsl.compiler import CompiledRewrite, compile_text
from fictdsl.lint.engine import lint_text
from runner.corpus.limits import Limits
from runner.corpus.rewrite import Rewriting, new_counts, rewrite_sentence, write_rewritten
from runner.corpus.rewrite_actions import Candidate, SentenceSeed
from runner.corpus.sentence_texts import conllu_blocks, write_sentences
from runner.corpus.store import Store
from runner.corpus.store_writer import StoreWriter
from tests.properties import many_rewrites
from tests.support import corpora
from tests.support.rewriting.compare import Pair, assert_equal, compare, compiled, items_of, make_pair, make_sentence
from tests.support.rewriting.reference import rewrite
from tests.support.strategies.rewrites import make_rewrite, make_spelt_sentence
from tests.support.strategies.rng import Rng, strategy

KEEPS_FORMS = ("move", "swap", "reverse", "order", "shuffle", "interleave")


@given(strategy(make_pair))
def test_the_engine_equals_the_interpreter(pair: Pair) -> None:
    note(f"{pair.text}\n{pair.block}")
    compare(pair)


@pytest.mark.long
def test_many_pairs_and_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    assert many_rewrites.main(["--pairs", "2000"]) == 0, capsys.readouterr().out


def test_what_lint_calls_invalid_is_never_taken() -> None:
    """Matches of a rewrite with FICT537 or FICT538 are all left out, unless an optional name may be unbound."""
    reported: Counter[str] = Counter()
    for seed in range(4_000):
        pair = make_pair(Rng.seeded(seed))
        findings = [each for each in lint_text(pair.text) if each.code in ("FICT537", "FICT538")]
        if not findings or "maybe" in pair.text or pair.text.count("rewrite ") > 1:
            continue
        reported.update(finding.code for finding in findings)
        assert compare(pair)["taken"] == 0, pair.text
        if min(reported["FICT537"], reported["FICT538"]) > 20:
            break
    assert min(reported["FICT537"], reported["FICT538"]) > 20, reported


# --- through a store


@pytest.mark.long
def test_a_store_gives_the_same(tmp_path: Path) -> None:
    """The SQL finds the matches, and texts and trees go out as the interpreter says, the others byte for byte."""
    tried: Counter[str] = Counter()
    for seed in range(25):
        tried += _through_a_store(tmp_path / str(seed), seed)
    assert min(tried["changed"], tried["unchanged"]) > 50


def _through_a_store(folder: Path, seed: int) -> Counter[str]:
    rng = Rng.seeded(seed)
    blocks = [make_spelt_sentence(rng) for _ in range(30)]
    store = corpora.store(folder, "".join(f"{block}\n\n" for block in blocks))
    rewrites = _rewrites(*(make_rewrite(rng, f"r{number}") for number in range(rng.pick([1, 2, 3]))))
    items = items_of(rewrites)
    expected = [rewrite(items, block, "corpus.conllu", number, seed) for number, block in enumerate(blocks, 1)]
    (batch,) = Rewriting(store, rewrites, seed).batches()
    became = Counter(assert_equal(each, batch.changed.get(row)) for row, each in enumerate(expected))
    conllu, text = _written(store, rewrites, "conllu", seed), _written(store, rewrites, "text", seed)
    left = [row for row, each in enumerate(expected) if each.result != "dropped"]
    pieces = [batch.changed[row].conllu if row in batch.changed else blocks[row] for row in left]
    assert conllu == "".join(f"{piece}\n\n" for piece in pieces)
    assert text == "".join(f"{parsed_text(str(piece))}\n" for piece in pieces)
    return became


def parsed_text(block: str) -> str:
    return next(line for line in block.split("\n") if line.startswith("# text = "))[len("# text = ") :]


def _rewrites(*items: str) -> tuple[CompiledRewrite, ...]:
    compilation = compile_text("\n".join(["fict 1", *items]))
    assert not compilation.errors, compilation.errors
    return compilation.rewrites


def _written(store: Store, rewrites: tuple[CompiledRewrite, ...], kind: str, seed: int = 0) -> str:
    import io

    out = io.BytesIO()
    write_rewritten(store, rewrites, kind, out, seed)  # type: ignore[arg-type]
    return out.getvalue().decode()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    rng = Rng.seeded(7)
    blocks = [make_sentence(rng) for _ in range(300)]
    return corpora.store(tmp_path_factory.mktemp("rewrites"), "".join(f"{block}\n\n" for block in blocks))


@pytest.mark.parametrize("kind", ["text", "conllu"])
def test_without_a_match_no_byte_changes(store: Store, kind: str) -> None:
    import io

    rewrites = _rewrites("rewrite r { match { A[form = absent] -> B } delete node(B) move node(A) before node(B) }")
    out = io.BytesIO()
    write_sentences(store, kind, out)  # type: ignore[arg-type]
    assert _written(store, rewrites, kind) == out.getvalue().decode()


@pytest.mark.parametrize(
    "action", ["order sentence by length", "order sentence by length head-final", "reverse sentence"]
)
def test_what_goes_out_is_imported_without_complaint(store: Store, action: str, tmp_path: Path) -> None:
    rewrites = _rewrites(f"rewrite r {{ match {{ }} {action} }}")
    again = corpora.store(tmp_path, _written(store, rewrites, "conllu"))
    assert (again.info.sentences, again.info.words) == (store.info.sentences, store.info.words)
    assert sum(source.rejected for source in again.info.sources) == 0
    if action.startswith("order"):  # twice is once
        assert _written(again, rewrites, "conllu") == _written(store, rewrites, "conllu")


REORDERINGS = (
    "order sentence by length", "order sentence by length desc", "order sentence by length head-final",
    "order sentence by chance", "reverse sentence", "interleave sentence", "shuffle sentence",
    "shuffle sentence by length", "shuffle sentence in 2", "shuffle sentence in 3",
)  # fmt: skip


@pytest.mark.parametrize("first", REORDERINGS)
def test_sentences_that_are_rewritten_at_once_are_as_one_by_one(store: Store, first: str) -> None:
    """Alone and after another action, next to matches that make a sentence an exception, and to a rewrite in vain."""
    blocks, rng = [block.strip() for block in conllu_blocks(store)], Rng.seeded(len(first))
    for number, second in enumerate(["", *rng.shuffled(REORDERINGS)[:3]]):
        metadata = ["", "as-is case", "as-is article", "as-is case as-is article"][number]
        some = f"rewrite a {{ {metadata} match {{ A:DET -> B }} set A.lemma = x move node(B) before node(A) }}"
        every = f"rewrite b {{ {metadata} match {{ }} {first} {second} }}"
        again = "rewrite c { match { } reverse sentence }"
        _compare_at_once(store, blocks, _rewrites(*[[every], [some, every], [every, again], [every]][number]), number)


def _compare_at_once(store: Store, blocks: list[str], rewrites: tuple[CompiledRewrite, ...], seed: int) -> None:
    at_once, items = Rewriting(store, rewrites, seed), items_of(rewrites)
    (batch,) = at_once.texts()
    expected = [rewrite(items, block, "corpus.conllu", row, seed).result for row, block in enumerate(blocks, 1)]
    texts = [parsed_text(block) if new is None else new.text for new, block in zip(expected, blocks, strict=True)]  # type: ignore[union-attr]
    assert batch.texts.to_pylist() == texts
    assert batch.changed == [row for row, new in enumerate(expected) if new is not None]
    one_by_one = Rewriting(store, rewrites, seed)
    assert len(list(one_by_one.batches())) == 1
    assert at_once.counts == one_by_one.counts


# --- invariants of actions


def _once_and_twice(action: str, block: str, match: str = "", metadata: str = "") -> tuple[str | None, str | None]:
    """Return a sentence after an action and after it twice, None where nothing has changed."""
    results = []
    for actions in (action, f"{action}\n{action}"):
        rewrites = _rewrites(f"rewrite r {{ {metadata} match {{ {match} }} {actions} }}")
        outcome = rewrite(items_of(rewrites), block, "source", 1, 0)
        compare(Pair(f"fict 1\nrewrite r {{ {metadata} match {{ {match} }} {actions} }}", block, 0))
        results.append(None if outcome.result is None else str(outcome.result))
    return results[0], results[1]


@given(strategy(make_spelt_sentence), st.sampled_from(["reverse sentence"]))
def test_reversed_twice_is_as_before(block: str, action: str) -> None:
    _, twice = _once_and_twice(action, block)
    assert twice is None


@given(strategy(make_spelt_sentence))
def test_swapped_twice_is_as_before(block: str) -> None:
    _, twice = _once_and_twice("swap node(A) with node(B)", block, "A -> B")
    assert twice is None


@given(strategy(make_spelt_sentence), st.sampled_from(["by length", "by length desc", "by length head-final"]))
def test_ordered_twice_is_ordered_once(block: str, how: str) -> None:
    once, twice = _once_and_twice(f"order sentence {how}", block)
    assert once == twice


@given(strategy(make_pair))
def test_forms_are_kept(pair: Pair) -> None:
    """Whatever only moves words keeps the multiset of their forms, with case and articles off."""
    kept = [line for line in pair.text.split("\n") if not line.strip().startswith(("delete", "insert", "set", "as-is"))]
    text = "\n".join(line + "\n  as-is case as-is article" * line.startswith("rewrite") for line in kept)
    compilation = compile_text(text)
    if compilation.errors:  # no action is left
        return
    result = rewrite(items_of(compilation.rewrites), pair.block, "source", 1, pair.seed).result
    compare(Pair(text, pair.block, pair.seed))
    if result is not None and not isinstance(result, str):
        forms = Counter(form for form, *_ in result.rows)
        assert forms == Counter(row[0] for row in parsed_rows(pair.block))


def parsed_rows(block: str) -> list[tuple[str, ...]]:
    rows = (line.split("\t") for line in block.split("\n") if not line.startswith("#"))
    return [tuple(row[1:]) for row in rows if row[0].isdecimal()]


@pytest.mark.long
def test_generated_results_are_imported_without_complaint(store: Store, tmp_path: Path) -> None:
    changed = 0
    for seed in range(30):
        rewrites = _rewrites(make_rewrite(Rng.seeded(seed)))
        conllu, rewriting = _written(store, rewrites, "conllu", seed), Rewriting(store, rewrites, seed)
        if not conllu:  # all sentences are dropped
            continue
        again = corpora.store(tmp_path / str(seed), conllu)
        assert sum(source.rejected for source in again.info.sources) == 0
        changed += sum(len(batch.changed) for batch in rewriting.batches())
        assert again.info.sentences == store.info.sentences - rewriting.counts.dropped
        assert (
            _written(again, _rewrites("rewrite none { match { A[form = absent] } delete node(A) }"), "conllu") == conllu
        )
    assert changed > 1000


def test_where_no_match_is_left_nothing_changes_again(store: Store, tmp_path: Path) -> None:
    rewrites = _rewrites("rewrite r { match { A:DET << B } set A.upos = X move node(A) after node(B) }")
    conllu = _written(store, rewrites, "conllu")
    for number in range(12):  # matches that overlapped with others
        again = corpora.store(tmp_path / str(number), conllu)
        conllu, before = _written(again, rewrites, "conllu"), conllu
    assert conllu == before
    assert "\tDET\t" in conllu


@given(strategy(make_pair))
def test_line_ends_are_kept(pair: Pair) -> None:
    """A block with CRLF becomes what it becomes with line feeds, with CRLF."""
    rewrites = compiled(pair)
    candidates = [
        Candidate(index, tuple(binding.get(name, 0) for name in item.names))
        for index, item in enumerate(items_of(rewrites))
        for binding in item.bindings(pair.block)
    ]
    results = []
    for block in (pair.block, f"{pair.block}\r".replace("\n", "\r\n")):
        sentence_seed, counts = SentenceSeed(pair.seed, "source", 1), new_counts(rewrites)
        new = rewrite_sentence(block, pair.sentence_text, rewrites, candidates, sentence_seed, counts)
        results.append((new and new.text, new and new.conllu))
    (text, conllu), (same_text, crlf) = results
    assert text == same_text
    assert crlf == (None if conllu is None else f"{conllu}\r".replace("\n", "\r\n"))


def test_long_and_deep_sentences_at_once(tmp_path: Path) -> None:
    """Chains of 1,500 words, and stars, are reordered at once as one by one."""
    chain = [
        f"{word}\tw{word % 7}\tw\tX\t_\t_\t{word - 1}\t{'root' if word == 1 else 'dep'}\t_\t_"
        for word in range(1, 1501)
    ]
    star = [
        f"{word}\tw{word % 7}\tw\tX\t_\t_\t{int(word > 1)}\t{'root' if word == 1 else 'dep'}\t_\t_"
        for word in range(1, 1501)
    ]
    store = corpora.store(tmp_path, "\n".join([*chain, "", *star, "", ""]))
    for action in REORDERINGS:
        rewrites = _rewrites(f"rewrite r {{ match {{ }} interleave sentence {action} }}")
        (at_once,) = Rewriting(store, rewrites, 1).texts()
        (batch,) = Rewriting(store, rewrites, 1).batches()
        assert at_once.texts.to_pylist() == [batch.changed[row].text for row in (0, 1)]


def test_threads_change_nothing(store: Store) -> None:
    rewrites = _rewrites("rewrite r { match { A:DET << B } swap node(A) with node(B) order subtree(B) by chance }")
    results = {
        _written(Store.open(store.path, Limits(threads=threads)), rewrites, "conllu", 5) for threads in (1, 2, 4)
    }
    assert len(results) == 1


def test_one_engine_whatever_the_chunks(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences that are read in other portions are rewritten alike, also by chance."""
    rewrites = _rewrites("rewrite r { match { A -> B } shuffle subtree(A) order subtree(B) by chance }")
    whole = _written(store, rewrites, "conllu", seed=3)
    monkeypatch.setattr("runner.corpus.sentence_texts._BATCH_ROWS", 7)
    assert _written(store, rewrites, "conllu", seed=3) == whole
    assert _written(store, rewrites, "conllu", seed=4) != whole


def test_few_trees_are_read_as_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees that a query selects are those of the whole files: several chunks, both line ends, a selection."""
    monkeypatch.setitem(StoreWriter.__init__.__kwdefaults__, "chunk_words", 300)
    rng, changed = Rng.seeded(11), 0
    blocks = [f"{rng.pick([make_sentence, make_spelt_sentence])(rng)}\n\n" for _ in range(200)]
    store = corpora.store(tmp_path, "".join(_with_line_ends(block, rng) for block in blocks))
    assert store.info.chunks > 2
    for seed in range(10):
        rewrites, sids = _rewrites(make_rewrite(rng)), [sid for sid in range(200) if rng.often(70)]
        results = []
        for few in (0, 1):
            monkeypatch.setattr("runner.corpus.rewrite._FEW", few)
            selected, all_sentences = (
                Rewriting(store, rewrites, seed, sids=np.array(sids)),
                Rewriting(store, rewrites, seed),
            )
            trees = [(each.text, each.conllu) for _, each in selected.changed()]
            texts = [text for batch in all_sentences.texts() for text in batch.texts.to_pylist()]
            results.append((trees, texts, selected.counts, all_sentences.counts))
        assert results[0] == results[1]
        changed += selected.counts.changed + all_sentences.counts.changed
    assert changed > 500


def _with_line_ends(block: str, rng: Rng) -> str:
    return block.replace("\n", "\r\n") if rng.often(30) else block


@pytest.mark.parametrize("action", REORDERINGS)
def test_at_once_whatever_the_chunks(store: Store, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rewrites = _rewrites(f"rewrite r {{ match {{ }} {action} }}")
    whole = _written(store, rewrites, "text", seed=3)
    monkeypatch.setattr("runner.corpus.sentence_texts._BATCH_ROWS", 7)
    assert _written(store, rewrites, "text", seed=3) == whole
