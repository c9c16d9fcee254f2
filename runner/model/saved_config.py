"""The config.json of a saved model to its kind and how many positions it has, with nothing heavy loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.readers import parse_json

Kind = Literal["causal", "masked"]
# the types that transformers loads as masked models, unless they were made to decode
MASKED = {
    "albert", "bert", "big_bird", "camembert", "convbert", "data2vec-text", "deberta", "deberta-v2", "distilbert",
    "electra", "ernie", "esm", "esmc", "eurobert", "flaubert", "fnet", "funnel", "gte", "ibert",
    "jina_embeddings_v3", "layoutlm", "longformer", "luke", "megatron-bert", "mobilebert", "modernbert",
    "modernvbert", "mpnet", "mra", "neomme", "nomic_bert", "nystromformer", "perceiver", "reformer", "rembert",
    "roberta", "roberta-prelayernorm", "roc_bert", "roformer", "squeezebert", "tapas", "ultrabert", "ultravbert",
    "xlm", "xlm-roberta", "xlm-roberta-xl", "xmod", "yoso",
}  # fmt: skip
# positions that no token gets
RESERVED = dict.fromkeys((
    "camembert", "data2vec-text", "esm", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm",
    "xlm-roberta", "xlm-roberta-xl", "xmod",
), 2)  # fmt: skip

# transformers makes an entry for each of these when it reads a configuration, before anything can be compared
COUNTED = {
    "num_labels", "num_hidden_layers", "num_layers", "n_layer", "n_layers", "encoder_layers", "decoder_layers",
    "num_encoder_layers", "num_decoder_layers",
}  # fmt: skip
MOST = 100_000


def described(folder: Path) -> tuple[Kind, int]:
    """Whether a saved model fills masks or predicts what comes next, and its positions, 0 where any length will do.

    InputError (FICT801) where it cannot be a model.
    """
    path = folder / "config.json"
    if not path.is_file():
        reason = "it has no config.json" if folder.is_dir() else "there is no such folder"
        raise InputError(diagnostic("FICT801", path=folder, reason=reason))
    try:
        config: dict[str, Any] = parse_json(path.read_text("utf-8"))
        masked = fills_masks(config)
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(diagnostic("FICT801", path=folder, reason="its config.json is no JSON object")) from error
    for key, value in _counts(config):
        if isinstance(value, int) and value > MOST:
            reason = f"its config.json has {value:,} for `{key}`, and more than {MOST:,} are not read"
            raise InputError(diagnostic("FICT801", path=folder, reason=reason))
    positions = config.get("n_positions") or config.get("max_position_embeddings") or 0
    if not isinstance(positions, int):
        reason = f"its config.json has {positions!r} for a number of positions"
        raise InputError(diagnostic("FICT801", path=folder, reason=reason))
    reserved = RESERVED.get(str(config.get("model_type")), 0)
    return "masked" if masked else "causal", positions - reserved


def _counts(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the counts of a configuration and of those inside it, with their keys."""
    for key, value in config.items():
        if key in COUNTED:
            yield key, value
        elif isinstance(value, dict):
            yield from _counts(value)


def fills_masks(config: Mapping[str, Any]) -> bool:
    """Whether the model of a configuration sees the words on both sides of a place, as a masked model does.

    What it was saved as does not tell: `BertForPreTraining` does, and so does `BertLMHeadModel` that is no decoder.
    """
    if any("MaskedLM" in str(name) for name in config.get("architectures") or ()):
        return True
    decodes = config.get("is_decoder") or config.get("causal")  # the second is what XLM calls it
    return config.get("model_type") in MASKED and not decodes
