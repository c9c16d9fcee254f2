"""The config.json of a saved model to its kind and how many positions it has, with nothing heavy loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError

Kind = Literal["causal", "masked"]
# positions that no token gets
RESERVED = dict.fromkeys(
    ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "roberta-prelayernorm", "data2vec-text", "mpnet"), 2
)


def described(folder: Path) -> tuple[Kind, int]:
    """Whether a saved model fills masks or predicts what comes next, and its positions, 0 where any length will do.

    InputError (FICT801) where it cannot be a model.
    """
    path = folder / "config.json"
    if not path.is_file():
        reason = "it has no config.json" if folder.is_dir() else "there is no such folder"
        raise InputError(diagnostic("FICT801", path=folder, reason=reason))
    try:
        config: dict[str, Any] = json.loads(path.read_text("utf-8"))
        names = [str(name) for name in config.get("architectures") or []]
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(diagnostic("FICT801", path=folder, reason="its config.json is no JSON object")) from error
    positions = config.get("n_positions") or config.get("max_position_embeddings") or 0
    if not isinstance(positions, int):
        reason = f"its config.json has {positions!r} for a number of positions"
        raise InputError(diagnostic("FICT801", path=folder, reason=reason))
    reserved = RESERVED.get(str(config.get("model_type")), 0)
    return "masked" if any("MaskedLM" in name for name in names) else "causal", positions - reserved
