"""FICT75x, FICT760: annotation of raw text."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.extras import install_hint

CODES: tuple[Code, ...] = (
    Code(
        "FICT750",
        "annotate-not-installed",
        "{package} is not installed: {reason}",
        f"Parsing raw text needs optional packages: {install_hint('annotate')}.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki",
        good="$ pip install '.[annotate]'",
    ),
    Code(
        "FICT751",
        "annotate-no-resources",
        "no Stanza models at {path}: there is no resources.json",
        "A model folder contains `resources.json` and `<language>/<processor>/<package>.pt`.",
        bad="$ fictc annotate wiki.txt --models stanza/en -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki",
    ),
    Code(
        "FICT752",
        "annotate-package",
        "the model folder {path} has no package `{package}` for language `{lang}`",
        "`resources.json` lists the languages and packages of a model folder.",
        bad="$ fictc annotate wiki.txt --models stanza --package ewtt -o wiki",
        good="$ fictc annotate wiki.txt --models stanza --package ewt -o wiki",
    ),
    Code(
        "FICT753",
        "annotate-json",
        "a line of JSON has no text to parse: {reason}",
        "Every line of a .jsonl file is an object with a field for the text; --text-field names the field.",
        bad='$ echo \'{"content": "Dogs bark."}\' > a.jsonl\n$ fictc annotate a.jsonl --models stanza -o a',
        good=(
            '$ echo \'{"content": "Dogs bark."}\' > a.jsonl\n'
            "$ fictc annotate a.jsonl --models stanza -o a --text-field content"
        ),
    ),
    Code(
        "FICT754",
        "annotate-device",
        "the device `{device}` is not available for parsing",
        "--device is cpu, mps, cuda, cuda:N for one of several GPUs, or auto.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki --device cuda:7",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --device auto",
    ),
    Code(
        "FICT755",
        "annotate-model-missing",
        "a model file is missing: {reason}",
        "`resources.json` lists a model that is not in the folder.",
        bad="$ fictc annotate wiki.txt --models stanza --package without-parser -o wiki",
        good="$ fictc annotate wiki.txt --models stanza --package ewt -o wiki",
    ),
    Code(
        "FICT756",
        "annotate-model-damaged",
        "the model {path} cannot be loaded: {reason}",
        "The file is truncated, or belongs to another version of Stanza.",
        bad="$ fictc annotate wiki.txt --models half-copied -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki",
    ),
    Code(
        "FICT757",
        "annotate-model-unsafe",
        "the model {path} contains code besides weights and was not loaded",
        "Only weights are loaded from model files, so that a model from an untrusted source cannot run code.",
        bad="$ fictc annotate wiki.txt --models from-a-stranger -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki",
    ),
    Code(
        "FICT758",
        "annotate-resume",
        "the unfinished work in {path} was started with different {what}",
        "Work can be resumed only with the same text, models and options; --force starts over.",
        bad=(
            "$ fictc annotate wiki.txt --models stanza -o wiki  # interrupted\n"
            "$ fictc annotate other.txt --models stanza -o wiki"
        ),
        good=(
            "$ fictc annotate wiki.txt --models stanza -o wiki  # interrupted\n"
            "$ fictc annotate wiki.txt --models stanza -o wiki"
        ),
    ),
    Code(
        "FICT759",
        "annotate-long",
        "left out {count} with more than {limit} tokens; see {path}",
        "Parsing a very long sentence can exhaust the memory. --max-tokens sets the limit.",
        Severity.WARNING,
        bad="$ fictc annotate wiki.txt --models stanza -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --max-tokens 400",
    ),
    Code(
        "FICT760",
        "annotate-worker",
        "a worker process ended without returning a result",
        "The most frequent cause is a lack of memory. A lower --jobs needs less memory.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki --jobs 32",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --jobs 2",
    ),
)
