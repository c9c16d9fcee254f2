"""Save and load a model with its tokenizer and training metadata, for use or for further training."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fictdsl.words import counted
from runner.errors import InputError
from runner.model.recipe import kind_and_positions
from runner.model.tokenizer import first_line, id_count, unreadable
from runner.readers import parse_json, read_document
from runner.workspace import write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


ABOUT, COUNTS = "fictc.json", "counts.npy"


def read_about(folder: Path, ids: int) -> Mapping[str, Any]:
    path = folder / ABOUT
    if not path.is_file():
        return {}
    about = parse_json(path.read_text("utf-8"))
    if not isinstance(about, dict):
        raise ValueError(f"its {ABOUT} is not a JSON object")
    context = about.get("context")
    if context is not None and (type(context) is not int or not 0 <= context < ids):
        raise ValueError(f"its {ABOUT} has {context!r} as the id before a sentence, but there are {ids:,} ids")
    return about


def read_counts(folder: Path, ids: int) -> NDArray[np.int64] | None:
    path = folder / COUNTS
    if not path.is_file():
        return None
    counts: NDArray[np.int64] = np.load(path, allow_pickle=False)
    if counts.dtype != np.int64 or counts.ndim != 1 or len(counts) < ids or bool((counts < 0).any()):
        raise ValueError(f"its {COUNTS} does not have one count for each of its {ids:,} ids")
    return counts


CONVERTIBLE_TOKENIZERS = ("tokenizer.model", "tekken.json")  # files that transformers converts for any class
# patterns of files that a tokenizer consists of, or that define its class
TOKENIZER_FILES = ("tokenizer.json", "vocab*", "*.model", "*.spm", "*.tiktoken", "tekken.json", "tokenization_*.py")
_NUMBER = re.compile(r"\d+")
MAX_ADDED_TOKENS = 30_000  # loading takes two seconds then, and a minute for four times as many
# names of modules with learned position embeddings, and model types whose position embeddings are fixed
POSITION_EMBEDDINGS = {"wpe", "embed_positions", "position_embeddings", "position_embedding", "positions_embed"}
FIXED_POSITION_TYPES = {"gptj", "codegen", "ctrl"}


@dataclass(frozen=True)
class SavedModel:
    """A language model with its tokenizer. `about` and `counts` are available for models that fictc trained.

    `about` has, among others, `rows`, `block`, `context` (the id before a sentence's first word), `model`, `training`
    and `seeds`. `counts` (V,) is how often an epoch predicts each id.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    folder: Path
    about: Mapping[str, Any] = field(default_factory=dict)
    counts: NDArray[np.int64] | None = None

    @property
    def masked(self) -> bool:
        from runner.model.likelihood import is_masked

        return is_masked(self.model)


def save_model(saved: SavedModel) -> None:
    silence_transformers()
    saved.folder.mkdir(parents=True, exist_ok=True)
    saved.model.save_pretrained(saved.folder)
    saved.tokenizer.save_pretrained(saved.folder)
    if saved.counts is not None:
        np.save(saved.folder / COUNTS, saved.counts, allow_pickle=False)
    write_text(saved.folder / ABOUT, json.dumps(dict(saved.about), indent=1, sort_keys=True) + "\n")
    umask = os.umask(0)
    os.umask(umask)
    for path in saved.folder.rglob("*"):  # safetensors makes files readable by their owner only
        if path.is_file():
            path.chmod(0o666 & ~umask)


def load_model(folder: Path, device: str = "cpu") -> SavedModel:
    """Load a causal or masked language model from a local folder, in float32 and evaluation mode, onto a torch device.

    Nothing is downloaded, and no code of the folder is executed. Raises InputError FICT801 if a file is invalid or a
    causal model's predictions depend on later tokens, and FICT806 if the tokenizer has more tokens than the model.
    """
    masked = kind_and_positions(folder)[0] == "masked"
    class_name = "AutoModelForMaskedLM" if masked else "AutoModelForCausalLM"
    import torch
    import transformers

    import runner.model.lstm  # noqa: F401 - registers our LSTM with transformers
    from runner.model.likelihood import depends_on_future

    tokenizer = load_tokenizer(folder)
    ids = id_count(tokenizer)
    with input_errors(folder):
        _check_layers(folder)
        model, loading = getattr(transformers, class_name).from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, dtype=torch.float32, output_loading_info=True
        )
        about, counts = read_about(folder, ids), read_counts(folder, ids)
    if layers := _undescribed_layers(model, loading["unexpected_keys"]):  # transformers ignores them
        named = f"{', '.join(layers[:3])}{', …' if len(layers) > 3 else ''} ({counted(len(layers), 'weight')})"
        raise unreadable(folder, f"its weights have layers that its config.json does not describe: {named}")
    if loading["missing_keys"]:  # transformers initialises them at random
        raise unreadable(folder, f"its weights lack {', '.join(sorted(loading['missing_keys'])[:3])}")
    parameters = model.named_parameters()
    non_finite = next((name for name, parameter in parameters if not torch.isfinite(parameter).all()), None)
    if non_finite is not None:
        raise unreadable(folder, f"its weights {non_finite} contain values that are infinite or not a number")
    embedding_rows = model.get_input_embeddings().weight.shape[0]
    if ids > embedding_rows:
        raise InputError.of("FICT806", what="tokenizer", found=ids, expected=embedding_rows)
    ordinary_ids = sorted(set(range(len(tokenizer))) - set(tokenizer.all_special_ids))
    with input_errors(folder):  # a model may load and still fail to run
        uses_future = depends_on_future(model, (ordinary_ids[0], ordinary_ids[-1]))
    if uses_future and not masked:
        raise unreadable(folder, "its predictions depend on the words that follow, so it is not a causal model")
    return SavedModel(model.eval().to(device), tokenizer, folder, about, counts)


def _undescribed_layers(model: PreTrainedModel, unread: Iterable[str]) -> list[str]:
    """Return the unread weights of further layers of a model: those named as a weight but with another number."""
    known = {_NUMBER.sub("#", name) for name in model.state_dict()}
    numbered = [name for name in unread if _NUMBER.search(name)]
    return sorted(name for name in numbered if any(other.endswith(_NUMBER.sub("#", name)) for other in known))


@contextmanager
def input_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        # libraries in Rust raise PanicException, which is not an Exception and cannot be imported
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise unreadable(folder, first_line(error)) from error


def _check_layers(folder: Path) -> None:
    """Raise ValueError for more layers than weights: transformers would allocate all layers before loading any."""
    from safetensors import safe_open
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    files = [path for path in folder.glob("*.safetensors") if path.is_file()]
    tensors = 0
    for path in files:
        with safe_open(path, framework="numpy") as weights:
            tensors += len(weights.keys())
    layers = getattr(config, "num_hidden_layers", 0)
    if files and isinstance(layers, int) and layers > tensors:
        raise ValueError(f"its config.json has {layers:,} layers, but the files have only {tensors:,} weights")


def _check_added_tokens(folder: Path) -> None:
    """Raise ValueError for too many added tokens: the time to load them grows with the square of their number."""
    path = folder / "tokenizer.json"
    counts = {path.name: path.read_bytes().count(b'"single_word"') if path.is_file() else 0}
    for name in ("tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"):
        if (folder / name).is_file():
            content = parse_json(read_document(folder / name))
            tokens = [content] if name == "added_tokens.json" else list(content.values())
            counts[name] = sum(len(value) for value in tokens if isinstance(value, dict | list))
    for name, count in counts.items():
        if count > MAX_ADDED_TOKENS:
            raise ValueError(f"its {name} adds {count:,} tokens; the maximum is {MAX_ADDED_TOKENS:,}")


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    from transformers import AutoTokenizer

    silence_transformers()
    try:
        with input_errors(folder):
            _check_added_tokens(folder)
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except InputError:
        if any(any(folder.glob(pattern)) for pattern in TOKENIZER_FILES):
            raise
        # for most types of models, transformers then says that it cannot convert a tokenizer
        raise unreadable(folder, "it has no tokenizer, such as tokenizer.json") from None
    # without files, transformers creates an empty tokenizer; tokenizers of bytes or characters have no files
    file_names = dict.fromkeys(["tokenizer.json", *tokenizer.vocab_files_names.values()])
    if tokenizer.vocab_files_names and not any(
        (folder / name).is_file() for name in (*file_names, *CONVERTIBLE_TOKENIZERS)
    ):
        raise unreadable(folder, f"it has no tokenizer, such as {' or '.join(file_names)}")
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise unreadable(folder, "its tokenizer has only special tokens")
    if not isinstance(tokenizer.model_max_length, int | float):
        raise unreadable(folder, f"its tokenizer has {tokenizer.model_max_length!r} as the maximum number of tokens")
    return tokenizer


def position_limit(saved: SavedModel) -> int | None:
    """Return the maximum number of tokens that a model can read, or None if it has no absolute positions."""
    configured_limit: int | None = getattr(saved.model.config, "max_position_embeddings", None)
    if saved.model.config.model_type in FIXED_POSITION_TYPES:
        return configured_limit
    embeddings = [
        module
        for name, module in saved.model.named_modules()
        if name.rpartition(".")[2] in POSITION_EMBEDDINGS and hasattr(module, "num_embeddings")
    ]
    # RoBERTa and related models count positions from that of the padding token; OPT has two more than configured
    sizes = [layer.num_embeddings - (0 if layer.padding_idx is None else layer.padding_idx + 1) for layer in embeddings]
    return min([*sizes, configured_limit or sizes[0]]) if sizes else None


def silence_transformers() -> None:
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()


def load_for_training(folder: Path, tokenizer: PreTrainedTokenizerBase, seed: int) -> PreTrainedModel:
    """Load the model in `folder`, with random embeddings for the tokens that `tokenizer` adds, by the model's own
    distribution. The random state of torch on the CPU does not change. Raises InputError (FICT801, FICT820).
    """
    import torch

    saved = load_model(folder)
    saved_vocabulary, vocabulary = saved.tokenizer.get_vocab(), tokenizer.get_vocab()
    for token, token_id in sorted(saved_vocabulary.items(), key=lambda entry: entry[1]):
        if vocabulary.get(token) != token_id:
            raise InputError.of("FICT820", path=folder, token=token)
    model: PreTrainedModel = saved.model
    # a pytorch_model.bin may contain transposed parameters, which safetensors cannot save
    for parameter in model.parameters():
        parameter.data = parameter.data.contiguous()
    row_count = model.get_input_embeddings().weight.shape[0]
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(seed)
        if id_count(tokenizer) > row_count:
            try:
                model.resize_token_embeddings(id_count(tokenizer), mean_resizing=False)
            except NotImplementedError as error:
                reason = "its vocabulary cannot be extended"
                raise InputError.of("FICT801", path=folder, reason=reason) from error
        spare_rows = sorted(
            token_id for token, token_id in vocabulary.items() if token not in saved_vocabulary and token_id < row_count
        )
        _initialise(model, spare_rows)
    return model


def _initialise(model: PreTrainedModel, rows: list[int]) -> None:
    from torch.nn import Embedding

    if not rows:
        return
    inputs, outputs = model.get_input_embeddings(), model.get_output_embeddings()
    is_tied = outputs is None or outputs.weight is inputs.weight
    for layer in [inputs] if is_tied else [inputs, outputs]:
        embedding = Embedding(len(rows), layer.weight.shape[1])
        model._init_weights(embedding)
        layer.weight[rows] = embedding.weight
    if getattr(outputs, "bias", None) is not None:
        outputs.bias[rows] = 0.0
