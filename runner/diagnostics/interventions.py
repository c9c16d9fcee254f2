"""FICT64x: interventions on training corpora."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.extras import install_hint

CODES: tuple[Code, ...] = (
    Code(
        "FICT640",
        "control-short",
        "{condition} cannot be drawn: {like} takes {wanted} {unit}, and there are {found} others to draw from",
        "A `disjoint` control takes none of the sentences that the other condition takes. Where a filter matches more "
        "than half of the corpus, too few others are left.",
        bad='[[condition]]\nname = "control"\nremove-random = "no-verbs"\ndisjoint = true',
        good='[[condition]]\nname = "control"\nremove-random = "no-verbs"',
    ),
    Code(
        "FICT641",
        "intervention-action",
        "filter {filter} says `{action}`, which is not what {key} does",
        "`mask` and `drop` do what the actions of their filters say: `mask node(X)` and `remove subtree(X)`, for "
        "instance. To take whole sentences out is `remove` or `keep`.",
        bad='[[condition]]\nname = "gaps"\nmask = ["${filters}/fict15/passive.fict"]',
        good='[[condition]]\nname = "no-passive"\nremove = ["${filters}/fict15/passive.fict"]',
    ),
    Code(
        "FICT642",
        "inject-plain-text",
        "filters cannot judge {path}, which is text without trees",
        "`only` and `without` ask filters about an injected text, so it must be CoNLL-U. `fictc annotate` makes trees.",
        bad='inject = { text = ["random.txt"], fraction = 0.001, without = ["${filters}/fict15/passive.fict"] }',
        good='inject = { text = ["random.conllu"], fraction = 0.001, without = ["${filters}/fict15/passive.fict"] }',
    ),
    Code(
        "FICT643",
        "inject-short",
        "{condition} asks for {wanted} tokens to inject, and its texts have {found}",
        "Every sentence or document is injected once at most. A smaller fraction, or more text, is needed.",
        bad='inject = { text = ["ten-sentences.txt"], fraction = 0.1 }',
        good='inject = { text = ["ten-sentences.txt"], fraction = 0.0001 }',
    ),
    Code(
        "FICT644",
        "stage-empty",
        "the stage `{stage}` of {condition} has no sentence",
        "A stage of filters has the sentences that these match and no other filter of the order; a stage of a comment "
        "those with that value. Stages that nothing is in may be left out.",
        bad='order = { key = "genre", stages = ["weblgo", "email"] }',
        good='order = { key = "genre", stages = ["weblog", "email"] }',
    ),
    Code(
        "FICT645",
        "order-epochs",
        "{condition} is read in its order, once, and {model} is trained for {length}",
        "A text that is read again begins anew with its first stage. With `epochs = 1` it is read once.",
        bad='[[model]]\npreset = "lstm-128"\ntraining = { epochs = 4 }',
        good='[[model]]\npreset = "lstm-128"\ntraining = { epochs = 1 }',
    ),
    Code(
        "FICT646",
        "training-corpus-unreadable",
        "{path} cannot be read as a training corpus: {reason}",
        "A training corpus is the folder RUN/corpora/CONDITION of a run, with text.txt and sids.npy, or a UTF-8 file "
        "with a sentence a line.",
        bad="$ fictc diff-corpus runs/demo/full runs/demo/passive",
        good="$ fictc diff-corpus runs/demo/corpora/full runs/demo/corpora/passive",
    ),
    Code(
        "FICT647",
        "review-judgement",
        "line {line} of {path} has {found} in the column {column}, where 0 or 1 is expected",
        "Two people judge every pair: 0 where the corrupted sentence is unacceptable, 1 where it is acceptable after "
        "all. A pair is kept if both say 0.",
        bad="paradigm,item,good,bad,sentence,judgement_1,judgement_2\ndelete-root,0,She left.,She.,s-1,0,",
        good="paradigm,item,good,bad,sentence,judgement_1,judgement_2\ndelete-root,0,She left.,She.,s-1,0,0",
    ),
    Code(
        "FICT650",
        "generate-not-installed",
        "{package} is not installed: {reason}",
        "To inflect the lemmas of a corpus or of a frequency list needs other packages: "
        f"{install_hint('generate')}. "
        "Without `lemmas`, the words of the embedded sample are used.",
        bad='inject = { generate = { paradigm = "only_npi_scope", words = 100, lemmas = "corpus" }, fraction = 0.1 }',
        good='inject = { generate = { paradigm = "only_npi_scope", words = 100 }, fraction = 0.1 }',
    ),
    Code(
        "FICT651",
        "generate-refused",
        "{url} answers with HTTP {status}: {answer}",
        "An endpoint that is asked too often, or that fails, is asked again; one that refuses is not. The address ends "
        "before /chat/completions, and a token is read from the variable OPENAI_API_KEY.",
        bad="$ fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000 --model tiny",
        good="$ fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000/v1 --model tiny",
    ),
    Code(
        "FICT652",
        "generate-unanswered",
        "{missing} of {wanted} documents have no usable answer after {attempts} attempts; document {number}: {reason}",
        "All other answers are kept. The same command asks for what is missing.",
        bad="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --attempts 1",
        good="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --attempts 9",
    ),
    Code(
        "FICT653",
        "generate-other-prompts",
        "{path} has an answer to another prompt for document {number}",
        "The answers beside an output file are those to its prompts: the same paradigm, seed, lemmas, model and "
        "settings. Other prompts need another output file, or the answers moved away.",
        bad="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --seed 2",
        good="$ fictc generate only_npi_scope -o b.jsonl --endpoint http://localhost:8000/v1 --model tiny --seed 2",
    ),
    Code(
        "FICT648",
        "size-short",
        "{condition} has {found} {unit}, and the common size is {wanted}",
        "A number under `[size]` is the size of every condition: none may have less once its interventions are done.",
        bad="[corpus]\nsample = { sentences = 100, pairs = 1 }\n\n[size]\ncount = 100",
        good='[corpus]\nsample = { sentences = 100, pairs = 1 }\n\n[size]\ncount = "smallest"',
    ),
    Code(
        "FICT649",
        "condition-empty",
        "{condition} has no sentence left",
        "All conditions are cut to one size, so that nothing would be left of any. `fictc count FILTER STORE` says how "
        "many sentences a filter matches.",
        bad='[[condition]]\nname = "only-questions"\nkeep = ["never-matches.fict"]',
        good='[[condition]]\nname = "only-passives"\nkeep = ["${filters}/fict15/passive.fict"]',
    ),
    Code(
        "FICT654",
        "inject-unit-long",
        "{condition} asks for {wanted} tokens to inject, and the first {unit} of its texts has {found}",
        "Whole units are injected, as many as come nearest to what is asked: here that would be none. Documents are "
        'separated by empty lines; `unit = "sentence"` injects sentence by sentence.',
        bad='inject = { text = ["one-long-document.txt"], fraction = 0.01 }',
        good='inject = { text = ["one-long-document.txt"], fraction = 0.01, unit = "sentence" }',
    ),
)
