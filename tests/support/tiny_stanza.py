"""Train small Stanza models on a few dozen generated trees, in this process and within seconds.

The models only serve to run the real code: sentence splitting, tagging, parsing, loading.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from runner.workspace import lock, publish_dir

PACKAGE = "tiny"
_PROCESSORS = ("tokenize", "pos", "lemma", "depparse")
_NOUNS = ("dog", "cat", "child", "teacher", "sketch", "report", "river", "garden")
_VERBS = ("see", "like", "find", "want", "help")
_SMALL = (
    "--no_pretrain --word_cutoff 1 --word_emb_dim 30 --hidden_dim 40 --num_layers 1 --char_hidden_dim 30 "
    "--char_emb_dim 16 --tag_emb_dim 10 --transformed_dim 30 --deep_biaff_hidden_dim 40 --dropout 0.1 "
    "--word_dropout 0.05 --augment_nopunct 0.0 --cpu --lang en --shorthand en_tiny --seed 1"
)

_SETS = "--train_file {train}.conllu --eval_file {dev}.conllu --mode train"
_TOKENIZE = (
    "--mode train --cpu --lang en --shorthand en_tiny --txt_file {train}.txt --label_file {train}.labels "
    "--dev_txt_file {dev}.txt --dev_label_file {dev}.labels --dev_conll_gold {dev}.conllu "
    "--mwt_json_file {dev}.mwt.json --conll_file {dev}.tok --steps 120 --eval_steps 60 --batch_size 16 "
    "--no_use_mwt --save_dir {folder}/en/tokenize --save_name tiny.pt --seed 1"
)
_TAG = (
    "--output_file {dev}.pos --composite_deep_biaff_hidden_dim 20 --max_steps 50 --eval_interval 25 "
    "--fix_eval_interval --batch_size 500 --save_dir {folder}/en/pos --save_name tiny.pt"
)
_LEMMATIZE = (
    "--cpu --dict_only --shorthand en_tiny --output_file {dev}.lem "
    "--save_dir {folder}/en/lemma --save_name tiny.pt --seed 1"
)
_PARSE = (
    "--output_file {dev}.dep --deep_biaff_output_dim 20 --max_steps 60 --eval_interval 30 "
    "--batch_size 1000 --no_checkpoint --save_dir {folder}/en/depparse --save_name tiny.pt"
)

Row = tuple[str, str, str, str, int, str]  # form, lemma, upos, feats, head, deprel


def treebank(sentences: int, seed: int) -> str:
    """Return CoNLL-U of *The dog of the teacher sees a cat.* and the like, subjects with and without a modifier."""
    rng = random.Random(seed)
    return "".join(_block(_sentence(rng)) for _ in range(sentences))


def models(cache: Path) -> Path:
    """Return the folder of models, trained on the first call; `cache` keeps it under a name derived from its inputs."""
    import stanza

    made_by = hashlib.sha256(Path(__file__).read_bytes() + stanza.__version__.encode()).hexdigest()[:16]
    final = cache / f"models-{made_by}"
    with lock(cache / "models.lock"):
        if not final.exists():
            with publish_dir(final) as folder:
                train(folder)
    return final


def train(folder: Path) -> None:
    """Train tokenizer, tagger, lemmatizer and parser into `folder`, laid out as Stanza's own model folders."""
    import torch
    from stanza.models import lemmatizer, parser, tagger, tokenizer

    os.environ.update(CUDA_VISIBLE_DEVICES="", HF_HUB_OFFLINE="1")
    torch.set_num_threads(1)
    logging.getLogger("stanza").setLevel(logging.ERROR)
    data = folder / "data"
    data.mkdir()
    paths = {"folder": folder, "train": _prepare(data / "train", 60, 1), "dev": _prepare(data / "dev", 16, 2)}
    for name in _PROCESSORS:
        (folder / "en" / name).mkdir(parents=True)
    _run(tokenizer.main, _TOKENIZE, paths)
    _run(tagger.main, f"{_SETS} {_TAG} {_SMALL}", paths)
    _run(lemmatizer.main, f"{_SETS} {_LEMMATIZE}", paths)
    _run(parser.main, f"{_SETS} {_PARSE} {_SMALL}", paths)
    package = dict.fromkeys(_PROCESSORS, PACKAGE)
    entries = {name: {PACKAGE: {"md5": ""}} for name in _PROCESSORS}
    language = {"lang_name": "English", **entries, "packages": {PACKAGE: package, "default": package}}
    (folder / "resources.json").write_text(json.dumps({"en": language}))


def _run(main: Callable[[Sequence[str]], object], arguments: str, paths: dict[str, Path]) -> None:
    """Run a training program of Stanza's; paths are inserted after splitting, since they may contain spaces."""
    main([argument.format(**paths) for argument in arguments.split()])


def _prepare(stem: Path, sentences: int, seed: int) -> Path:
    """Write the text, its character labels and the trees in the format of Stanza's training."""
    from stanza.utils.datasets import conllu_to_text, prepare_tokenizer_data

    stem.with_suffix(".conllu").write_text(treebank(sentences, seed))
    conllu_to_text.main([f"{stem}.conllu", f"{stem}.txt"])
    prepare_tokenizer_data.main([f"{stem}.txt", f"{stem}.conllu", "-o", f"{stem}.labels", "-m", f"{stem}.mwt.json"])
    return stem


def _sentence(rng: random.Random) -> list[Row]:
    """Draw rows with heads counted from 1."""
    rows: list[Row] = []
    subject, plural = _noun_phrase(rng, rows, head=0)
    if rng.random() < 0.5:
        place = len(rows)
        rows.append(("of", "of", "ADP", "_", 0, "case"))
        modifier, _ = _noun_phrase(rng, rows, head=subject)
        rows[place] = (*rows[place][:4], modifier, "case")
        rows[modifier - 1] = (*rows[modifier - 1][:4], subject, "nmod")
    lemma = rng.choice(_VERBS)
    number = "Plur" if plural else "Sing"
    rows.append((lemma if plural else lemma + "s", lemma, "VERB", f"Number={number}|VerbForm=Fin", 0, "root"))
    verb = len(rows)
    rows[subject - 1] = (*rows[subject - 1][:4], verb, "nsubj")
    thing, _ = _noun_phrase(rng, rows, head=verb)
    rows[thing - 1] = (*rows[thing - 1][:4], verb, "obj")
    rows.append((".", ".", "PUNCT", "_", verb, "punct"))
    rows[0] = (rows[0][0].capitalize(), *rows[0][1:])
    return rows


def _noun_phrase(rng: random.Random, rows: list[Row], head: int) -> tuple[int, bool]:
    """Append a determiner and a noun; return the noun's number and whether it is plural."""
    plural = rng.random() < 0.5
    noun = rng.choice([n for n in _NOUNS if n not in ("child", "sketch")] if plural else _NOUNS)
    determiner = "the" if plural or rng.random() < 0.5 else "a"
    rows.append((determiner, determiner, "DET", "_", len(rows) + 2, "det"))
    form, number = (noun + "s", "Plur") if plural else (noun, "Sing")
    rows.append((form, noun, "NOUN", f"Number={number}", head, "dep"))
    return len(rows), plural


def _block(rows: list[Row]) -> str:
    lines = []
    for number, (form, lemma, upos, feats, head, deprel) in enumerate(rows, 1):
        misc = "SpaceAfter=No" if number == len(rows) - 1 else "_"
        lines.append(f"{number}\t{form}\t{lemma}\t{upos}\t_\t{feats}\t{head}\t{deprel}\t_\t{misc}")
    return "\n".join(lines) + "\n\n"
