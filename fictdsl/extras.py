"""The optional extras of the distribution, and the instruction that is shown if a package of one is missing."""

from __future__ import annotations

# Optional packages, and the extra that installs each. Linting, testing, explaining and compiling need none of them.
_EXTRAS = {
    **dict.fromkeys(("duckdb", "pyarrow", "numpy", "filelock", "requests", "urllib3"), "corpus"),
    "stanza": "annotate",
    "accelerate": "parallel",
    "typst": "figures",
    **dict.fromkeys(("wordfreq", "lemminflect", "httpx"), "generate"),
    **dict.fromkeys(("pyspark", "pandas"), "spark"),
    **dict.fromkeys(("pygls", "lsprotocol"), "lsp"),
    **dict.fromkeys(("starlette", "uvicorn", "pygments"), "explore"),
    **dict.fromkeys(("torch", "transformers", "tokenizers", "safetensors", "scipy", "pydantic", "jinja2"), "train"),
}


def extra_of(module: str | None) -> str | None:
    """Return the extra that installs a module such as `torch.nn`, or None if no extra does."""
    return _EXTRAS.get((module or "").partition(".")[0])


def install_hint(extra: str) -> str:
    """Return an instruction to install an extra, such as "corpus", without a full stop."""
    return f"install fictc with the extra `{extra}`, such as by `pip install '.[{extra}]'` in a clone"
