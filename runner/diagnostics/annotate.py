"""FICT75x, FICT76x: parsing raw text."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Severity
from fictdsl.extras import install_hint

CODES: tuple[Code, ...] = (
    Code(
        "FICT750",
        "annotate-not-installed",
        "{package} is not installed: {reason}",
        f"Parsing raw text needs other packages: {install_hint('annotate')}.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki",
        good="$ pip install '.[annotate]'",
    ),
    Code(
        "FICT751",
        "annotate-no-resources",
        "no Stanza models at {path}: there is no resources.json",
        "A model folder has `resources.json` and `<language>/<processor>/<package>.pt`.",
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
        "In a .jsonl file every line is an object, one of whose fields is the text; --text-field names it.",
        bad='$ echo \'{"content": "Dogs bark."}\' > a.jsonl\n$ fictc annotate a.jsonl --models stanza -o a',
        good=(
            '$ echo \'{"content": "Dogs bark."}\' > a.jsonl\n'
            "$ fictc annotate a.jsonl --models stanza -o a --text-field content"
        ),
    ),
    Code(
        "FICT754",
        "annotate-device",
        "there is no device `{device}` to parse on",
        "--device is cpu, cuda, cuda:N for one of several graphics cards, or auto.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki --device cuda:7",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --device auto",
    ),
    Code(
        "FICT755",
        "annotate-model-missing",
        "a model file is missing: {reason}",
        "`resources.json` names a model that is not in the folder.",
        bad="$ fictc annotate wiki.txt --models stanza --package without-parser -o wiki",
        good="$ fictc annotate wiki.txt --models stanza --package ewt -o wiki",
    ),
    Code(
        "FICT756",
        "annotate-model-damaged",
        "the model {path} cannot be loaded: {reason}",
        "The file is truncated or was made for another version of Stanza.",
        bad="$ fictc annotate wiki.txt --models half-copied -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki",
    ),
    Code(
        "FICT757",
        "annotate-model-unsafe",
        "the model {path} holds code besides weights and was not loaded",
        "Model files are loaded as weights only, so that a model from anywhere cannot run code.",
        bad="$ fictc annotate wiki.txt --models from-a-stranger -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki",
    ),
    Code(
        "FICT758",
        "annotate-resume",
        "the unfinished work in {path} was made with other {what}",
        "Resuming needs the same text, models and options; --force starts over.",
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
        "{count} left out for having more than {limit} tokens; {path} lists what was left out",
        "One very long line can take all memory; --max-tokens sets the limit.",
        Severity.WARNING,
        bad="$ fictc annotate wiki.txt --models stanza -o wiki",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --max-tokens 400",
    ),
    Code(
        "FICT760",
        "annotate-worker",
        "a worker process ended without an answer",
        "Often the machine ran out of memory; fewer --jobs or smaller --batch-lines need less.",
        bad="$ fictc annotate wiki.txt --models stanza -o wiki --jobs 32",
        good="$ fictc annotate wiki.txt --models stanza -o wiki --jobs 2",
    ),
)
