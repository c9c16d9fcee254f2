"""The files that the recorded commands work on: a sample, stores, filters, and data for the shipped manifests."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.snapshots.calling import ROOT, call
from tests.support import long_form, winobias
from tests.support.results import Fabricated

INPUTS = Path(__file__).parent / "inputs"
# commands that make the sample and the stores, in this order
MADE = (
    "sample -o sample -n 600 --pairs 6 --seed 3",
    "sample -o more -n 300 --pairs 0 --seed 4",
    "import sample/train.conllu -o store",
    "import examples.conllu sample/valid.conllu -o examples",
    "import sample/valid.conllu -o indexed",
    "index indexed",
)
CHILDREN = ("Adam", "Laura", "Lily", "Naima", "Roman", "Sarah", "Thomas", "Violet")
GENRES = ("email", "reviews", "weblog")
STUDIES = "[!b]*"  # folders of filters but blimp, whose sentences would be most of the data, and which still grow
WORDS = ("beautiful", "mere", "full", "good", "nice", "long", "short", "cold")


def build(folder: Path) -> None:
    """Make the folder in which the commands of a group run; every group has a copy."""
    shutil.copytree(INPUTS, folder, dirs_exist_ok=True)
    trees = examples()
    (folder / "examples.conllu").write_text("".join(trees), encoding="utf-8")
    for line in MADE:
        assert call(line, folder) == 0, (line, (folder / ".cache" / "err").read_text())
    _base(folder, trees)
    _models(folder / "base")
    _results(folder)


def examples() -> list[str]:
    """Return the trees beside the filters of published studies, each with its empty line."""
    paths = sorted((ROOT / "filters").glob(f"{STUDIES}/examples/*.conllu"))
    return [f"{tree}\n\n" for path in paths for tree in path.read_text(encoding="utf-8").strip().split("\n\n")]


def _base(folder: Path, trees: Sequence[str]) -> None:
    """Make small data under the names that the shipped manifests give: trees of examples and of the sample."""
    base = folder / "base"
    sample = {part: (folder / "sample" / f"{part}.conllu").read_text("utf-8") for part in ("train", "valid", "test")}
    more = (folder / "more" / "train.conllu").read_text("utf-8")
    with_genre = "".join(
        f"# genre = {GENRES[i % 3]}\n{tree}\n\n" for i, tree in enumerate(sample["test"].strip().split("\n\n"))
    )
    texts = {
        "ud-ewt/en_ewt-ud-train.conllu": sample["train"],
        "ud-ewt/en_ewt-ud-dev.conllu": sample["valid"],
        "ud-ewt/en_ewt-ud-test.conllu": with_genre,
        "wikitext/wikitext.conllu": more,
        "ud-childes/all.conllu": "".join(trees),
        "blimp-trees/blimp.conllu": "".join(trees),
        "wikitext-valid/wikitext.conllu": "".join(trees[:40]),
    }
    for number, child in enumerate(CHILDREN):
        texts[f"childes/{child}.conllu"] = "".join(trees[number :: len(CHILDREN)])
    for number, name in enumerate(("brown", "masc", "movie-reviews", "state-union")):
        texts[f"english-text/{name}/{name}.conllu"] = "".join(trees[number * 50 : number * 50 + 50])
    for name in ("wikipedia", "wikitext-103", "fineweb"):
        texts |= {f"{name}/{part}.conllu": text for part, text in sample.items()}
    texts |= {"babylm/train/a.conllu": sample["train"] + "".join(trees), "babylm/train/b.conllu": more}
    texts |= {"babylm/dev.conllu": sample["valid"], "babylm/test.conllu": sample["test"]}
    for name in ("financial", "law", "biomedical"):
        texts[f"domains/{name}.conllu"] = sample["test"]
    rated = (f"# rating = {i % 4}\n{tree}" for i, tree in enumerate(trees[:20]))
    texts["msr-compression/ratings.conllu"] = "".join(rated)
    for path in _injected():
        texts[path] = "".join(trees)
    for name, text in texts.items():
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text, encoding="utf-8")
    _suites(base, folder / "sample", trees)


def _injected() -> Iterable[str]:
    text = (ROOT / "experiments" / "injection" / "paper.toml").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"\$\{data\}/(injection/\w+\.conllu)", text)))


def _suites(base: Path, sample: Path, trees: Sequence[str]) -> None:
    """Write each paradigm that such a filter or a manifest names with four pairs, and small suites of the other kinds."""
    named: set[str] = set()
    for path in (*(ROOT / "filters").glob(f"{STUDIES}/*.fict"), *(ROOT / "experiments").glob("*/*.toml")):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r"blimp/(\w+)", text)) | set(re.findall(r'^ *(?:"|paradigm = ")(\w+_\w+)"', text, re.M))
        named |= set(re.findall(r'paradigm = "(\w+)"', text))
    sentences = [match[1] for tree in trees if (match := re.search(r"^# text = (.*)$", tree, re.M))]
    (base / "blimp").mkdir()
    for number, name in enumerate(sorted(named)):
        chosen = sentences[number * 4 : number * 4 + 4]
        rows = [
            {"sentence_good": good, "sentence_bad": " ".join(reversed(good.split())), "field": "syntax"}
            | {"linguistics_term": "term", "UID": name, "pairID": str(pair), "simple_LM_method": True}
            for pair, good in enumerate(chosen)
        ]
        (base / "blimp" / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = ("aann", "default_ann", "order_swap", "no_article", "no_modifier", "no_numeral")
    forms = ("a {} five days", "five {} days", "a five {} days", "{} five days", "a five days", "a {} days")
    for name in ("aann", "anan", "naan"):
        items = [(i, "The family spent", *(form.format(word) for form in forms)) for i, word in enumerate(WORDS)]
        _table(base / "aann" / f"{name}.csv", ("idx", "prefixes", *columns), items)
    pairs = [(f"She gave him {n} books.", f"She gave {n} books to him.", "first", "give", n - 3) for n in range(1, 9)]
    names = ("first", "second", "attested", "verb", "length_difference")
    _table(base / "dative" / "alternants.csv", names, pairs)
    winobias.write(base / "winobias")


def _models(base: Path) -> None:
    """Save tokenizers, and a model, under the names of those that the manifests of the papers' size read."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast, set_seed

    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "mask_token": "[MASK]", "eos_token": "[SEP]"}
    special |= {"cls_token": "[CLS]", "sep_token": "[SEP]"}
    words = dict.fromkeys([*special.values(), "the", "a", "dog", "cat", "."])
    inner = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.Whitespace()
    for name in ("pythia-14m", "gpt2", "bert-base-cased"):
        PreTrainedTokenizerFast(tokenizer_object=inner, **special).save_pretrained(base / name)
    set_seed(1)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    BertForMaskedLM(BertConfig(vocab_size=len(words), **sizes)).save_pretrained(base / "bert-base-cased")


def _results(folder: Path) -> None:
    """Write made-up results: a table of 18 numbers, a larger table, and results of a run."""
    targets = [(corpus, benchmark) for corpus, of in long_form.TARGETS.items() for benchmark in of]
    long_form.write(folder / "published.csv", long_form.rows())
    long_form.write(folder / "targets.csv", targets, ("corpus", "benchmark"))
    Fabricated(items=20).write(folder / "made-up" / "results")


def _table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)
