"""Parse texts with a `stanza.Pipeline` of local models, and explain why models cannot be loaded.

Find cycles among heads in linear time, with the result of Stanza's `tarjan`.
Stanza decodes a tree by removing cycles, and calls `tarjan` about thirty times per sentence. Each call takes time
quadratic in the number of words, and all calls take half of the parser's time on a CPU. Every word has one head, so
following the heads finds all cycles.
"""

from __future__ import annotations

import gc
import logging
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.diagnostics.suggest import nearest
from runner.corpus.raw_text import Mode
from runner.corpus.unit_records import ParsedSentence, Token, WordColumns
from runner.errors import InputError
from runner.machine import AUTO, by_kind, choose, kind
from runner.readers import parse_json, real_path
from runner.workspace import sha256_file


def find_cycles(heads: Any) -> list[Any]:
    """Return a mask of words for each cycle, in the order of their first words. The head of word 0 is word 0."""
    import numpy as np

    head_of, size = heads.tolist(), len(heads)
    visited_from = [0] * size  # 1 + the start of the walk that visited the word, 0 if unvisited
    cycles: list[list[int]] = []
    for start in range(size):
        word = start
        while not visited_from[word]:
            visited_from[word] = start + 1
            word = head_of[word]
        if visited_from[word] == start + 1 and head_of[word] != word:
            cycle = [word]
            while head_of[cycle[-1]] != word:
                cycle.append(head_of[cycle[-1]])
            cycles.append(cycle)
    masks = []
    for cycle in sorted(cycles, key=min):
        masks.append(np.zeros(size, bool))
        masks[-1][cycle] = True
    return masks


def install() -> None:
    from stanza.models.common import chuliu_edmonds

    chuliu_edmonds.tarjan = find_cycles


_PARSE_PROCESSORS = "pos,lemma,depparse"
_REQUIRED_PROCESSORS = ("tokenize", "pos", "lemma", "depparse")
_BATCH_WORDS = {"cpu": 300, "gpu": 5_000}  # a batch of 300 words fits into the cache of a CPU
_TOO_LONG_TOKEN = "<UNK>"  # Stanza's replacement for a token of more than 1,000 characters
_PRETOKENIZED = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class StanzaOptions:
    models: Path
    lang: str
    package: str
    mode: Mode
    resolve_heads: bool = True  # Stanza ≥ 1.14 repairs trees with two subjects; earlier versions did not
    device: str = AUTO  # see `runner.machine`


@dataclass(frozen=True, slots=True)
class StanzaFactory:
    """A picklable factory of parsers. `threads` is not recorded, because it does not affect trees."""

    options: StanzaOptions
    threads: int

    def __call__(self) -> StanzaParser:
        try:
            import torch
        except ImportError as error:
            raise InputError.of("FICT750", package="PyTorch", reason=error) from error
        torch.set_num_threads(self.threads)
        parser = StanzaParser(self.options)
        gc.freeze()  # models and vocabularies stay
        return parser


class StanzaParser:
    """A loaded pipeline, which never connects to the network. Raises InputError if the models cannot be loaded."""

    def __init__(self, options: StanzaOptions) -> None:
        self._options = options
        self._device = choose(options.device, "FICT754")
        self._pipeline = _load(options, self._device)

    def describe(self) -> dict[str, object]:
        import stanza
        import torch

        root = self._options.models
        files = {name: Path(path) for name, path in sorted(self._pipeline.config.items()) if name.endswith("_path")}
        return {
            "tool": "stanza",
            "versions": {"stanza": stanza.__version__, "torch": torch.__version__.split("+")[0]},
            "lang": self._options.lang,
            "package": self._options.package,
            "input": self._options.mode,
            "options": {
                "depparse_resolve_head_constraints": self._options.resolve_heads,
                "depparse_batch_size": by_kind(self._device, **_BATCH_WORDS),
                "device": kind(self._device),
            },
            "models": {
                name.removesuffix("_path"): {"file": _relative(path, root), "sha256": sha256_file(path)}
                for name, path in files.items()
                if path.is_file()
            },
        }

    def parse(self, texts: Sequence[str], max_words: int) -> list[list[ParsedSentence]]:
        from stanza.models.common.doc import Document

        texts = [re.sub("^\ufeff", " ", text) for text in texts]  # a byte order mark; the space keeps all offsets
        sentences_by_text = self._tokenized(texts)
        short_sentences = [s for sentences in sentences_by_text for s in sentences if len(s.words) <= max_words]
        if short_sentences:
            batch = Document([])
            batch.sentences = short_sentences
            batch.num_tokens = sum(len(s.tokens) for s in short_sentences)
            batch.num_words = sum(len(s.words) for s in short_sentences)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Stanza warns of each tree that it fails to repair
                self._pipeline.process(batch, processors=_PARSE_PROCESSORS)
        return [
            [
                _convert_sentence(s, spans, text, parsed=len(s.words) <= max_words)
                for s, spans in zip(sentences, text_spans, strict=True)
            ]
            for text, sentences, text_spans in zip(
                texts, sentences_by_text, self._token_spans(texts, sentences_by_text), strict=True
            )
        ]

    def _tokenized(self, texts: Sequence[str]) -> list[list[Any]]:
        from stanza.models.common.doc import Document

        if self._options.mode == "pretokenized":
            tokens = [_PRETOKENIZED.findall(text) for text in texts]
            document = self._pipeline.process(tokens, processors="tokenize")
            return [[sentence] for sentence in document.sentences]
        documents = [Document([], text=text) for text in texts]
        return [document.sentences for document in self._pipeline.process(documents, processors="tokenize,mwt")]

    def _token_spans(
        self, texts: Sequence[str], sentences_by_text: Sequence[Sequence[Any]]
    ) -> list[list[list[tuple[int, int]]]]:
        if self._options.mode == "pretokenized":
            return [[[match.span() for match in _PRETOKENIZED.finditer(text)]] for text in texts]
        return [
            [[(token.start_char, token.end_char) for token in sentence.tokens] for sentence in sentences]
            for sentences in sentences_by_text
        ]


def _convert_sentence(sentence: Any, spans: Sequence[tuple[int, int]], text: str, *, parsed: bool) -> ParsedSentence:
    tokens = tuple(
        Token(start, end, tuple(_word_columns(word, text[start:end]) for word in token.words))
        for token, (start, end) in zip(sentence.tokens, spans, strict=True)
    )
    return ParsedSentence(tokens, parsed)


def _word_columns(word: Any, surface: str) -> WordColumns:
    """Return the columns of a word. Stanza's conversion to CoNLL-U is ten times slower."""
    head = "_" if word.head is None else str(word.head)
    form, lemma = (surface if text == _TOO_LONG_TOKEN else text for text in (word.text, word.lemma))
    optional = (lemma or "_", word.upos or "_", word.xpos or "_", word.feats or "_")
    return (form, *optional, head, word.deprel or "_")


def _load(options: StanzaOptions, device: str) -> Any:
    try:
        import stanza
        from stanza.pipeline.core import LanguageNotDownloadedError, PipelineRequirementsException
        from stanza.resources.common import ResourcesFileNotFoundError
    except ImportError as error:
        raise InputError.of("FICT750", package="Stanza", reason=error) from error
    logging.getLogger("stanza").setLevel(logging.ERROR)
    install()
    pretokenized = options.mode == "pretokenized"
    try:
        pipeline = stanza.Pipeline(
            options.lang,
            dir=str(options.models),
            package=options.package,
            processors=f"tokenize,{_PARSE_PROCESSORS}"
            if pretokenized
            else f"{_processors(options)},{_PARSE_PROCESSORS}",
            download_method=None,
            device=device,
            depparse_batch_size=by_kind(device, **_BATCH_WORDS),
            logging_level="ERROR",
            tokenize_pretokenized=pretokenized,
            tokenize_no_ssplit=options.mode == "sentences",
            depparse_resolve_head_constraints=options.resolve_heads,
        )
    except ResourcesFileNotFoundError as error:
        raise InputError.of("FICT751", path=options.models) from error
    except PipelineRequirementsException as error:
        raise InputError(
            _incomplete_package(options, re.findall(r"'(\w+)'", str(error).rpartition("missing:")[2]))
        ) from error
    except LanguageNotDownloadedError as error:
        reason = f"there is no folder {options.models / options.lang}"
        raise InputError.of("FICT755", reason=reason) from error
    except FileNotFoundError as error:
        match = re.search(r"\S+\.pt", str(error))
        reason = f"{match[0]} is named in resources.json" if match else str(error).partition(". ")[0]
        raise InputError.of("FICT755", reason=reason) from error
    except Exception as error:
        raise InputError(_diagnose(options, error)) from error
    missing = [name for name in _REQUIRED_PROCESSORS if name not in pipeline.processors]
    if missing:
        raise InputError(_incomplete_package(options, missing))
    return pipeline


def check_models(options: StanzaOptions) -> None:
    """Raise InputError (FICT751, 752) if there are no models, or no such package, before any text is read."""
    if not (options.models / "resources.json").is_file():
        raise InputError.of("FICT751", path=options.models)
    resources = _resources(options)
    packages = sorted(resources.get(options.lang, {}).get("packages", {}))
    if packages and options.package not in packages:
        raise InputError(_unknown_package(options, resources, packages))


def _incomplete_package(options: StanzaOptions, missing: Sequence[str]) -> Diagnostic:
    reason = f"package {options.package} has no {' and no '.join(missing)}"
    return diagnostic("FICT755", reason=reason)


def _processors(options: StanzaOptions) -> str:
    """Return `tokenize`, and `mwt` if the package has a model for it. Stanza does not always add `mwt` by itself."""
    language = _resources(options).get(options.lang, {})
    package = language.get("packages", {}).get(options.package, {})
    return "tokenize,mwt" if "mwt" in package else "tokenize"


def _resources(options: StanzaOptions) -> dict[str, Any]:
    file = options.models / "resources.json"
    try:
        content = parse_json(file.read_bytes())
    except OSError:
        return {}
    except ValueError as error:
        raise InputError.of("FICT756", path=file, reason=f"it is not JSON ({error})") from error
    return content if isinstance(content, dict) else {}


def _diagnose(options: StanzaOptions, error: Exception) -> Diagnostic:
    resources = _resources(options)
    packages = sorted(resources.get(options.lang, {}).get("packages", {}))
    if isinstance(error, ValueError) and options.package not in packages:
        return _unknown_package(options, resources, packages)
    for file in sorted((options.models / options.lang).rglob("*.pt")):
        if (problem := _model_error(file)) is not None:
            return problem
    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return diagnostic("FICT756", path=options.models / options.lang, reason=reason)


def _unknown_package(options: StanzaOptions, resources: Mapping[str, Any], packages: Sequence[str]) -> Diagnostic:
    known_names, name = (packages, options.package) if packages else (sorted(resources), options.lang)
    nearest_name = nearest(name, known_names)
    hint = f"the nearest is `{nearest_name}`" if nearest_name else f"there is {', '.join(known_names) or 'none'}"
    return diagnostic("FICT752", hint=hint, path=options.models, package=options.package, lang=options.lang)


def _model_error(file: Path) -> Diagnostic | None:
    import pickle

    import torch

    try:
        torch.load(file, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        return diagnostic("FICT757", path=file)
    except Exception as error:  # noqa: BLE001 - a damaged file can raise anything
        reason = " ".join(str(error).split()).split(". ")[0][:200]
        return diagnostic("FICT756", path=file, reason=reason or type(error).__name__)
    return None


def _relative(path: Path, root: Path) -> str:
    try:
        return real_path(path).relative_to(real_path(root)).as_posix()
    except ValueError:
        return path.name
