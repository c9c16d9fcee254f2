"""A model, its tokenizer and how it was trained, to a folder and back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved_config import described
from runner.model.saved_notes import ABOUT, COUNTS, read_about, read_counts
from runner.workspace import write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TOKENIZERS = ("tokenizer.model", "tekken.json")  # which transformers converts, whatever its class
# what transformers calls embeddings of positions; and who has a fixed table of another kind
POSITIONS = {"wpe", "embed_positions", "position_embeddings", "position_embedding", "positions_embed"}
WITHOUT_EMBEDDING = {"gptj", "codegen", "ctrl"}


@dataclass(frozen=True)
class SavedModel:
    """A language model ready to be measured. `about` and `counts` exist for models that fictc trained.

    `about` has `rows`, `block`, `context` (the id seen before a sentence's first word), `model`, `training` and
    `seed`; `counts` (V,) says how often each id was predicted in one epoch.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    folder: Path
    about: Mapping[str, Any] = field(default_factory=dict)
    counts: NDArray[np.int64] | None = None

    @property
    def masked(self) -> bool:
        """Whether the model fills masks, rather than predicting what comes next."""
        from runner.model.likelihood import is_masked

        return is_masked(self.model)


def save_model(saved: SavedModel) -> None:
    """Write everything into `saved.folder` (made if absent), in the layout of `save_pretrained`."""
    quiet()
    folder = saved.folder
    folder.mkdir(parents=True, exist_ok=True)
    saved.model.save_pretrained(folder)
    saved.tokenizer.save_pretrained(folder)
    if saved.counts is not None:
        np.save(folder / COUNTS, saved.counts, allow_pickle=False)
    write_text(folder / ABOUT, json.dumps(dict(saved.about), indent=1, sort_keys=True) + "\n")
    mask = os.umask(0)
    os.umask(mask)
    for path in folder.rglob("*"):  # safetensors writes for its owner alone
        if path.is_file():
            path.chmod(0o666 & ~mask)


def load_model(folder: Path) -> SavedModel:
    """Load a causal or masked language model from a local folder, in float32, ready to be measured (no dropout).

    Works for any folder that `save_pretrained` wrote; nothing is downloaded and no code of the folder is run.
    InputError (FICT801) says what is missing, or that a model that fills no masks sees what it is to predict.
    """
    masked = described(folder)[0] == "masked"
    kind = "AutoModelForMaskedLM" if masked else "AutoModelForCausalLM"
    import torch
    import transformers

    import runner.model.lstm  # noqa: F401 - registers our LSTM with transformers
    from runner.model.likelihood import sees_ahead

    tokenizer = load_tokenizer(folder)
    with refusing(folder):
        _check_layers(folder)
        model, loading = getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, dtype=torch.float32, output_loading_info=True
        )
        about, counts = read_about(folder, len(tokenizer)), read_counts(folder, len(tokenizer))
    if loading["missing_keys"]:  # transformers would fill them with random numbers
        raise _unreadable(folder, f"its weights lack {', '.join(sorted(loading['missing_keys'])[:3])}")
    undefined = next((name for name, part in model.named_parameters() if not bool(torch.isfinite(part).all())), None)
    if undefined is not None:
        raise _unreadable(folder, f"its weights {undefined} hold values that are infinite or not a number")
    rows = model.get_input_embeddings().weight.shape[0]
    ids = max([len(tokenizer) - 1, *tokenizer.get_vocab().values()]) + 1
    if ids > rows:
        raise InputError(diagnostic("FICT806", what="tokenizer", found=ids, expected=rows))
    ordinary = sorted(set(range(len(tokenizer))) - set(tokenizer.all_special_ids))
    with refusing(folder):  # what fits the weights may still be nothing to compute with
        ahead = sees_ahead(model, (ordinary[0], ordinary[-1]))
    if ahead and not masked:
        reason = "what it predicts depends on the words that follow, so that it is no causal model"
        raise _unreadable(folder, reason)
    return SavedModel(model.eval(), tokenizer, folder, about, counts)


@contextmanager
def refusing(folder: Path) -> Iterator[None]:
    """Make an InputError (FICT801) of any of the many exceptions that libraries raise for a broken folder."""
    try:
        yield
    except Exception as error:
        raise _unreadable(folder, _first_line(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of libraries in Rust; it is no Exception and cannot be imported
            raise
        raise _unreadable(folder, _first_line(error)) from error


def _unreadable(folder: Path, reason: str) -> InputError:
    return InputError(diagnostic("FICT801", path=folder, reason=reason))


def _check_layers(folder: Path) -> None:
    """ValueError for more layers than there are weights: transformers would make them all before it looks for any."""
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
        raise ValueError(f"its config.json says {layers:,} layers, and there are {tensors:,} weights")


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """Load a tokenizer from a local folder. InputError (FICT801) says what is wrong with it."""
    from transformers import AutoTokenizer

    quiet()
    with refusing(folder):
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    # transformers makes up an empty one where files are missing; tokenizers of bytes or characters have none
    own = dict.fromkeys(["tokenizer.json", *tokenizer.vocab_files_names.values()])
    if tokenizer.vocab_files_names and not any((folder / name).is_file() for name in (*own, *TOKENIZERS)):
        raise _unreadable(folder, f"it has no tokenizer, such as {' or '.join(own)}")
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise _unreadable(folder, "its tokenizer has special tokens alone")
    if not isinstance(tokenizer.model_max_length, int | float):
        raise _unreadable(folder, f"its tokenizer has {tokenizer.model_max_length!r} for a number of tokens")
    return tokenizer


def position_limit(saved: SavedModel) -> int | None:
    """How many tokens a model with a table of positions can read; None where there is no such bound."""
    said: int | None = getattr(saved.model.config, "max_position_embeddings", None)
    if saved.model.config.model_type in WITHOUT_EMBEDDING:
        return said
    tables = [
        module
        for name, module in saved.model.named_modules()
        if name.rpartition(".")[2] in POSITIONS and hasattr(module, "num_embeddings")
    ]
    # RoBERTa and its kin count positions from after the one of padding; OPT has two more than it says
    sizes = [table.num_embeddings - (0 if table.padding_idx is None else table.padding_idx + 1) for table in tables]
    return min([*sizes, said or sizes[0]]) if sizes else None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


def quiet() -> None:
    """Keep transformers from drawing progress bars and warnings of its own."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    logging.set_verbosity_error()
