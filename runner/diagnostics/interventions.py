"""FICT640–657: interventions on training corpora."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code
from fictdsl.extras import install_hint

CODES: tuple[Code, ...] = (
    Code(
        "FICT640",
        "control-short",
        "{condition} cannot be sampled: {like} takes {wanted} {unit}, but only {found} others are available",
        "A `disjoint` control takes none of the sentences that the other condition takes. If a filter matches more "
        "than half of the corpus, too few other sentences are left.",
        bad='[[condition]]\nname = "control"\nremove-random = "no-verbs"\ndisjoint = true',
        good='[[condition]]\nname = "control"\nremove-random = "no-verbs"',
    ),
    Code(
        "FICT641",
        "intervention-action",
        "filter {filter} has the action `{action}`, which {key} does not apply",
        "`mask` and `drop` apply the actions of their filters, such as `mask node(X)` and `remove subtree(X)`. "
        "`remove` and `keep` remove whole sentences.",
        bad='[[condition]]\nname = "gaps"\nmask = ["${filters}/fict15/passive.fict"]',
        good='[[condition]]\nname = "no-passive"\nremove = ["${filters}/fict15/passive.fict"]',
    ),
    Code(
        "FICT642",
        "inject-plain-text",
        "filters cannot be applied to {path}, which is text without trees",
        "`only` and `without` apply filters to an injected text, so it must be CoNLL-U. `fictc annotate` parses text.",
        bad='inject = { text = ["random.txt"], fraction = 0.001, without = ["${filters}/fict15/passive.fict"] }',
        good='inject = { text = ["random.conllu"], fraction = 0.001, without = ["${filters}/fict15/passive.fict"] }',
    ),
    Code(
        "FICT643",
        "inject-short",
        "{condition} injects {wanted} tokens, but its texts have {found}",
        "Every sentence or document is injected at most once. Use a smaller fraction, or more text.",
        bad='inject = { text = ["ten-sentences.txt"], fraction = 0.1 }',
        good='inject = { text = ["ten-sentences.txt"], fraction = 0.0001 }',
    ),
    Code(
        "FICT644",
        "stage-empty",
        "the stage `{stage}` of {condition} has no sentence",
        "A stage of filters contains the sentences that these filters match and no other filter of the order matches. "
        "A stage of a comment contains the sentences with that value. Balancing by tokens or matches keeps only "
        "sentences that fit into the size of the smallest stage. Remove empty stages from the manifest.",
        bad='order = { key = "genre", stages = ["weblgo", "email"] }',
        good='order = { key = "genre", stages = ["weblog", "email"] }',
    ),
    Code(
        "FICT645",
        "order-epochs",
        "{condition} is read in order, once, but {model} is trained for {length}",
        "A text that is read again starts over with its first stage. With `epochs = 1` it is read once.",
        bad='[[model]]\npreset = "lstm-128"\ntraining = { epochs = 4 }',
        good='[[model]]\npreset = "lstm-128"\ntraining = { epochs = 1 }',
    ),
    Code(
        "FICT646",
        "training-corpus-unreadable",
        "{path} cannot be read as a training corpus: {reason}",
        "A training corpus is the folder RUN/corpora/CONDITION of a run, with text.txt and sids.npy, or a UTF-8 file "
        "with one sentence per line.",
        bad="$ fictc diff-corpus runs/demo/full runs/demo/passive",
        good="$ fictc diff-corpus runs/demo/corpora/full runs/demo/corpora/passive",
    ),
    Code(
        "FICT647",
        "review-judgement",
        "line {line} of {path} has {found} in the column {column}, where 0 or 1 is expected",
        "Two annotators judge every pair: 0 if the corrupted sentence is unacceptable, 1 if it is acceptable. A pair "
        "is kept if both judgements are 0.",
        bad="paradigm,item,good,bad,sentence,judgement_1,judgement_2\ndelete-root,0,She left.,She.,s-1,0,",
        good="paradigm,item,good,bad,sentence,judgement_1,judgement_2\ndelete-root,0,She left.,She.,s-1,0,0",
    ),
    Code(
        "FICT648",
        "size-short",
        "{condition} has {found} {unit}, but the common size is {wanted}",
        "A number under `[size]` is the size of every condition. After its interventions, no condition may be smaller.",
        bad="[corpus]\nsample = { sentences = 100, pairs = 1 }\n\n[size]\ncount = 100",
        good='[corpus]\nsample = { sentences = 100, pairs = 1 }\n\n[size]\ncount = "smallest"',
    ),
    Code(
        "FICT649",
        "condition-empty",
        "{condition} has no sentence left",
        "All conditions are reduced to the same size, so all would be empty. `fictc count FILTER STORE` counts the "
        "sentences that a filter matches.",
        bad='[[condition]]\nname = "only-questions"\nkeep = ["never-matches.fict"]',
        good='[[condition]]\nname = "only-passives"\nkeep = ["${filters}/fict15/passive.fict"]',
    ),
    Code(
        "FICT650",
        "generate-not-installed",
        "{package} is not installed: {reason}",
        "Inflecting the lemmas of a corpus or of a frequency list needs optional packages: "
        f"{install_hint('generate')}. "
        "Without `lemmas`, the words of the embedded sample are used.",
        bad='inject = { generate = { paradigm = "only_npi_scope", words = 100, lemmas = "corpus" }, fraction = 0.1 }',
        good='inject = { generate = { paradigm = "only_npi_scope", words = 100 }, fraction = 0.1 }',
    ),
    Code(
        "FICT651",
        "generate-refused",
        "{url} answers with HTTP {status}: {answer}",
        "Requests are repeated after rate limits and server errors, not after other errors. The address ends before "
        "/chat/completions. The API key is read from the environment variable OPENAI_API_KEY.",
        bad="$ fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000 --model tiny",
        good="$ fictc generate only_npi_scope -o only.jsonl --endpoint http://localhost:8000/v1 --model tiny",
    ),
    Code(
        "FICT652",
        "generate-unanswered",
        "{missing} of {wanted} documents have no usable answer after {attempts} attempts; document {number}: {reason}",
        "All other answers are saved. The same command requests the missing ones.",
        bad="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --attempts 1",
        good="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --attempts 9",
    ),
    Code(
        "FICT653",
        "generate-other-prompts",
        "{path} has an answer to another prompt for document {number}",
        "The saved answers of an output file belong to its prompts: the same paradigm, seed, lemmas, model and "
        "settings. For other prompts, use another output file, or move the answers away.",
        bad="$ fictc generate only_npi_scope -o a.jsonl --endpoint http://localhost:8000/v1 --model tiny --seed 2",
        good="$ fictc generate only_npi_scope -o b.jsonl --endpoint http://localhost:8000/v1 --model tiny --seed 2",
    ),
    Code(
        "FICT654",
        "inject-unit-long",
        "{condition} injects {wanted} tokens, but the first {unit} of its texts has {found}",
        "Whole units are injected, and the number of tokens is rounded to the nearest whole unit, which is none here. "
        'Documents are separated by empty lines; `unit = "sentence"` injects sentences.',
        bad='inject = { text = ["one-long-document.txt"], fraction = 0.01 }',
        good='inject = { text = ["one-long-document.txt"], fraction = 0.01, unit = "sentence" }',
    ),
    Code(
        "FICT655",
        "beyond-name",
        "{kind} {filter} has no name `{name}`, by which `beyond` counts",
        "`beyond` keeps a number of sentences for each value of an attribute of a word, such as `lemma(V)`. Every "
        "filter and rewrite of the condition must bind the word's name in its block `match`.",
        bad='remove = ["objects.fict"]\nbeyond = { per = "lemma(Verb)", at-most = 20 }',
        good='remove = ["objects.fict"]\nbeyond = { per = "lemma(V)", at-most = 20 }',
    ),
    Code(
        "FICT656",
        "rewrite-no-control",
        "rewrite {rewrite} has no random control: {reason}",
        "`rewrite-random` changes other sentences, which have no match, at the same positions. A rewrite that "
        "shuffles, reverses or interleaves whole sentences leaves no such sentence. The control of `order … by length` "
        "is `order … by chance`.",
        bad='[[condition]]\nname = "control"\nrewrite-random = "shuffled"',
        good='[[condition]]\nname = "control"\nrewrite-random = "swapped"',
    ),
    Code(
        "FICT657",
        "generate-no-sentence",
        "document {number}: none of {attempts} generated {kind} sentences can be used: each is in a suite or too long",
        "Sentences of the suites (`--suite`, or those of the experiment) are not generated, and a target sentence is "
        "shorter than its document. Leave the suite out that contains all these sentences.",
        bad="$ fictc generate matrix_question_npi_licensor_present -o a.conllu --suite all-questions.jsonl",
        good="$ fictc generate matrix_question_npi_licensor_present -o a.conllu",
    ),
)
