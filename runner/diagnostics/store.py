"""FICT74x, FICT79x: stores, and the disk they are on."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT740",
        "store-missing",
        "there is no corpus store at {path}: {reason}",
        "A store is a folder with a `store.json`, made by `fictc import` or `fictc annotate`.",
        bad="$ fictc store info treebank.conllu",
        good=("$ fictc import treebank.conllu -o ewt\n$ fictc store info ewt"),
    ),
    Code(
        "FICT741",
        "store-version",
        "the store {path} has schema version {found}; this fictc reads version {expected}",
        "A store of an older version can be brought up to date, with the same sentences; one of a later version needs "
        "a later fictc.",
        bad="$ fictc store info store-of-an-older-version",
        good="$ fictc store upgrade store-of-an-older-version",
    ),
    Code(
        "FICT742",
        "store-damaged",
        "the store file {path} is damaged: {reason}",
        "The bytes on disk are not those that were written. Answers from it could be wrong, so nothing is read.",
        bad="$ fictc store verify half-copied",
        good="$ fictc import treebank.conllu -o ewt --force",
    ),
    Code(
        "FICT743",
        "store-exists",
        "{path} exists already",
        "A store is never overwritten by accident; --force replaces it.",
        bad=("$ fictc import treebank.conllu -o ewt\n$ fictc import treebank.conllu -o ewt"),
        good=("$ fictc import treebank.conllu -o ewt\n$ fictc import treebank.conllu -o ewt --force"),
    ),
    Code(
        "FICT744",
        "store-not-a-store",
        "{path} exists and is no corpus store, so it is not replaced",
        "--force replaces stores only, never other files.",
        bad="$ fictc import treebank.conllu -o thesis --force",
        good="$ fictc import treebank.conllu -o ewt --force",
    ),
    Code(
        "FICT745",
        "store-without-lines",
        "the store {path} was not made from raw text",
        "Only `fictc annotate` keeps which line a sentence came from; an imported treebank has texts and trees.",
        bad="$ fictc export ewt --format original",
        good="$ fictc export ewt --format text",
    ),
    Code(
        "FICT746",
        "store-query-failed",
        "a filter could not be run on the store {path}: {reason}",
        "The database ran out of memory, time or room for temporary files, or a file of the store could not be read. "
        "A filter whose nodes are not tied to each other makes very many combinations; `fictc lint` points at such.",
        bad="$ fictc count every-pair-of-words.fict --corpus ewt",
        good="$ fictc lint every-pair-of-words.fict",
    ),
    Code(
        "FICT747",
        "replacements-clash",
        "masks put different things for `{form}` in {place}: {ways}",
        "A word that several masks take can have one replacement only. A part of a multiword token stands for all of "
        "it, so masks of two parts of `don't` meet as well. Masks that say the same agree, and removal beats them all.",
        bad="$ fictc apply masks-nouns.fict masks-plurals-with-upos.fict --corpus ewt",
        good="$ fictc apply masks-nouns.fict --corpus ewt",
    ),
    Code(
        "FICT748",
        "index-damaged",
        "the file {path} of the index is damaged: {reason}",
        "The bytes on disk are not those that `fictc index` wrote. An index can be dropped, and made again, without "
        "loss: all that it holds is in the store.",
        bad="$ fictc count passive.fict --corpus with-a-damaged-index",
        good="$ fictc index with-a-damaged-index",
    ),
    Code(
        "FICT761",
        "layer-header",
        "{path} is no table of annotations: {reason}",
        "The first line of a table names its columns, with tabs between: `source` and `number` of the sentence, for "
        "words their `id`, and one for each annotation.",
        bad="$ fictc store add-layer ewt without-a-header.tsv",
        good="$ fictc store add-layer ewt animacy.tsv",
    ),
    Code(
        "FICT762",
        "layer-line",
        "{place}: {reason}",
        "Every line of a table of annotations is about one word, or one sentence, of the store: told by the label of "
        "its source, its number in it, and the id of the word, as `fictc match --format json` prints them.",
        bad="$ fictc store add-layer ewt animacy-of-gum.tsv",
        good="$ fictc store add-layer ewt animacy-of-ewt.tsv",
    ),
    Code(
        "FICT763",
        "layer-name-taken",
        "{path} has the {kind} `{name}` already",
        "What a layer adds needs a name that nothing else in the store has.",
        bad="$ fictc store add-layer ewt parsed-again.conllu --columns FEATS",
        good="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=Tag2",
    ),
    Code(
        "FICT764",
        "layer-other-sentences",
        "{place}: {reason}",
        "A CoNLL-U file that is added to a store has the same sentences with the same words: all of them, in corpus "
        "order, or those of the source that has the name of the file.",
        bad="$ fictc store add-layer ewt gum.conllu",
        good="$ fictc store add-layer ewt ewt-with-animacy.conllu",
    ),
    Code(
        "FICT765",
        "layer-exists",
        "{path} has a layer `{name}` already",
        "Layers are never overwritten; another name is given with --name.",
        bad="$ fictc store add-layer ewt animacy.tsv\n$ fictc store add-layer ewt animacy.tsv",
        good="$ fictc store add-layer ewt animacy.tsv\n$ fictc store add-layer ewt animacy-by-hand.tsv",
    ),
    Code(
        "FICT766",
        "layer-empty",
        "{path} has no annotation in the columns that were asked for",
        "`_` and nothing stand for no annotation.",
        bad="$ fictc store add-layer ewt without-misc.conllu --columns MISC",
        good="$ fictc store add-layer ewt with-features.conllu --columns FEATS",
    ),
    Code(
        "FICT767",
        "layer-name",
        "`{name}` cannot be the name of a {kind}",
        "A feature begins with a capital letter and has letters, digits and _, as in `Animacy` or `Number[psor]`; a "
        "key of MISC or of a comment has no `=`, and no white space around it.",
        bad="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=tag-2",
        good="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=Tag2",
    ),
    Code(
        "FICT768",
        "store-has-layers",
        "the layers of {path} cannot be taken along: {layers}",
        "Split and merged stores are made of trees alone. Layers can be added to the new stores, from the same files.",
        bad="$ fictc store add-layer ewt animacy.tsv\n$ fictc store split ewt --parts 2 --output parts",
        good="$ fictc store split ewt --parts 2 --output parts\n$ fictc store add-layer parts/1 animacy-of-1.tsv",
    ),
    Code(
        "FICT749",
        "store-without-text",
        "the store {path} has no forms and no texts",
        "`fictc import --no-text` leaves them out, so that a corpus can be shared whose licence forbids to share its "
        "text. Conditions on lemmas, tags, features and trees can be asked; those on forms, and what shows sentences, "
        "cannot.",
        bad="$ fictc export ewt-without-text",
        good="$ fictc count passive.fict --corpus ewt-without-text",
    ),
    Code(
        "FICT779",
        "store-sentences-twice",
        "{path} has {count} of {label} that another of these stores has too",
        "Each sentence of a corpus comes from one place: its source, by the bytes of the file, and its number in it. "
        "Parts of one store can be merged again, but no part twice.",
        bad="$ fictc store merge ewt ewt --output double",
        good="$ fictc store merge ewt gum --output english",
    ),
    Code(
        "FICT769",
        "store-replaced",
        "the store {path} was replaced while it was read: run the command again",
        "Another command has put a new store, or a new index, in its place, by `--force` for instance. What was read "
        "until then is of the old one; the two are never mixed.",
        bad="$ fictc count passive.fict --corpus being-imported-again",
        good="$ fictc count passive.fict --corpus ewt",
    ),
    Code(
        "FICT778",
        "store-numbers-twice",
        "{path} has {count} of {label} with the number of another sentence",
        "A sentence is identified by its source and its number in the source, which no two sentences of a store share. "
        "A store that breaks this rule was made by a program with a fault; make it again from its files.",
        bad="$ fictc store verify made-from-an-archive-with-a-file-twice",
        good="$ fictc import archive.zip -o ewt --force\n$ fictc store verify ewt",
    ),
    Code(
        "FICT787",
        "store-split-key",
        "the sentences of {path} have no `{key}` to split by",
        "A store is split by `source`, or by a comment that sentences have: `# genre = news` is `meta.genre`.",
        bad="$ fictc store split ewt --by meta.gnre --output parts",
        good="$ fictc store split ewt --by meta.genre --output parts",
    ),
    Code(
        "FICT788",
        "store-split-parts",
        "{path} would become {parts} stores; at most {most} are made",
        "A value that nearly every sentence has for itself, such as `meta.sent_id`, is nothing to split by.",
        bad="$ fictc store split babylm --sentences 1 --output parts",
        good="$ fictc store split babylm --sentences 100000 --output parts",
    ),
    Code(
        "FICT789",
        "store-annotators-differ",
        "{path} and {other} were not parsed by the same program with the same models and options",
        "Differences between parsers, or between a parser and people, look like differences between corpora. --mixed "
        "merges such stores all the same, and notes each of them.",
        bad="$ fictc store merge ewt parsed-by-stanza --output both",
        good="$ fictc store merge ewt parsed-by-stanza --output both --mixed",
    ),
    Code(
        "FICT790",
        "disk-full",
        "no space left to write {path} ({free} free)",
        "The disk or the quota is full, or a file would be larger than is allowed. Nothing unfinished was left behind. "
        "Once there is space, the same `fictc run` goes on where it was, also with the cells that met this.",
        bad="$ fictc import babylm -o on-a-full-disk/babylm",
        good="$ fictc import babylm -o on-a-large-disk/babylm",
    ),
    Code(
        "FICT791",
        "not-writable",
        "{path} cannot be written: {reason}",
        "The folder does not exist, is read-only, or belongs to somebody else.",
        bad="$ fictc import treebank.conllu -o /ewt",
        good="$ fictc import treebank.conllu -o ewt",
    ),
    Code(
        "FICT792",
        "io-failed",
        "reading or writing failed: {reason}",
        "The system refused to read or write: a disk is full, a folder is read-only or gone, a device broke. What had "
        "been printed until then is not complete.",
        bad="$ fictc count passive.fict --corpus ewt > /mnt/full-disk/counts.txt",
        good="$ fictc count passive.fict --corpus ewt > counts.txt",
    ),
    Code(
        "FICT793",
        "memory-too-small",
        "there is too little memory: {reason}",
        "The libraries that read a store take some hundred megabytes of address space before they read anything. "
        "`ulimit -v`, a container or a job of a cluster may allow less; `--memory` and `--threads` limit what a query "
        "takes beyond that.",
        bad="$ ulimit -v 500000; fictc count passive.fict --corpus ewt",
        good="$ ulimit -v 4000000; fictc count passive.fict --corpus ewt",
    ),
    Code(
        "FICT795",
        "spark-missing",
        "cannot use Spark: {reason}",
        "The engines `spark` and `spark-duckdb` need the package pyspark and Java 17 or newer. The default engine, "
        "DuckDB in this process, needs neither.",
        bad="$ fictc count nouns.fict --corpus ewt --engine spark",
        good="$ fictc count nouns.fict --corpus ewt",
    ),
)
