"""FICT74x, 761–769, 778, 779, 787–793, 795: corpus stores, layers, disk, memory and Spark."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT740",
        "store-missing",
        "there is no corpus store at {path}: {reason}",
        "A store is a folder with a `store.json`, written by `fictc import` or `fictc annotate`.",
        bad="$ fictc store info treebank.conllu",
        good=("$ fictc import treebank.conllu -o ewt\n$ fictc store info ewt"),
    ),
    Code(
        "FICT741",
        "store-version",
        "the store {path} has schema version {found}; this fictc reads version {expected}",
        "A store of an older version can be upgraded; its sentences stay the same. A store of a newer version needs a "
        "newer fictc.",
        bad="$ fictc store info store-of-an-older-version",
        good="$ fictc store upgrade store-of-an-older-version",
    ),
    Code(
        "FICT742",
        "store-damaged",
        "the store file {path} is damaged: {reason}",
        "The bytes on disk differ from those that were written. Results could be wrong, so nothing is read.",
        bad="$ fictc store verify half-copied",
        good="$ fictc import treebank.conllu -o ewt --force",
    ),
    Code(
        "FICT743",
        "store-exists",
        "{path} already exists",
        "An existing store is replaced with --force only.",
        bad=("$ fictc import treebank.conllu -o ewt\n$ fictc import treebank.conllu -o ewt"),
        good=("$ fictc import treebank.conllu -o ewt\n$ fictc import treebank.conllu -o ewt --force"),
    ),
    Code(
        "FICT744",
        "store-not-a-store",
        "{path} exists and is not a corpus store, so it is not replaced",
        "--force replaces only stores.",
        bad="$ fictc import treebank.conllu -o thesis --force",
        good="$ fictc import treebank.conllu -o ewt --force",
    ),
    Code(
        "FICT745",
        "store-without-lines",
        "the store {path} was not made from raw text",
        "Only `fictc annotate` stores the line that each sentence comes from. Imported stores have texts and trees.",
        bad="$ fictc export ewt --format original",
        good="$ fictc export ewt --format text",
    ),
    Code(
        "FICT746",
        "store-query-failed",
        "a filter could not be run on the store {path}: {reason}",
        "The database ran out of memory, time or disk space for temporary files, or could not read a file of the "
        "store. A filter with unconnected nodes matches very many combinations of words; `fictc lint` reports "
        "such filters.",
        bad="$ fictc count every-pair-of-words.fict --corpus ewt",
        good="$ fictc lint every-pair-of-words.fict",
    ),
    Code(
        "FICT747",
        "replacements-clash",
        "masks replace `{form}` differently in {place}: {ways}",
        "A word that several masks match can have only one replacement. A mask of a part of a multiword token replaces "
        "the whole token, so masks of the two parts of `don't` conflict too. Equal replacements do not conflict, and "
        "removal takes precedence over masks.",
        bad="$ fictc apply masks-nouns.fict masks-plurals-with-upos.fict --corpus ewt",
        good="$ fictc apply masks-nouns.fict --corpus ewt",
    ),
    Code(
        "FICT748",
        "index-damaged",
        "the file {path} of the index is damaged: {reason}",
        "The bytes on disk differ from those that `fictc index` wrote. An index can be deleted and built again without "
        "loss, since all its data is in the store.",
        bad="$ fictc count passive.fict --corpus with-a-damaged-index",
        good="$ fictc index with-a-damaged-index",
    ),
    Code(
        "FICT749",
        "store-without-text",
        "the store {path} has no forms and no texts",
        "`fictc import --no-text` omits them, so that a corpus can be shared if its licence does not allow sharing the "
        "text. Filters can test lemmas, tags, features and trees, but not forms, and sentences cannot be shown.",
        bad="$ fictc export ewt-without-text",
        good="$ fictc count passive.fict --corpus ewt-without-text",
    ),
    Code(
        "FICT761",
        "layer-header",
        "{path} is not a table of annotations: {reason}",
        "The first line of a table has the names of its columns, separated by tabs: `source` and `number` of the "
        "sentence, `id` if it annotates words, and one column for each annotation.",
        bad="$ fictc store add-layer ewt without-a-header.tsv",
        good="$ fictc store add-layer ewt animacy.tsv",
    ),
    Code(
        "FICT762",
        "layer-line",
        "{place}: {reason}",
        "Every line of a table of annotations describes one word, or one sentence, of the store. The word or sentence "
        "is identified by the source, the number of the sentence and the id of the word, as printed by `fictc match "
        "--format json`.",
        bad="$ fictc store add-layer ewt animacy-of-gum.tsv",
        good="$ fictc store add-layer ewt animacy-of-ewt.tsv",
    ),
    Code(
        "FICT763",
        "layer-name-taken",
        "{path} already has the {kind} `{name}`",
        "The names of annotations in a new layer must not exist in the store.",
        bad="$ fictc store add-layer ewt parsed-again.conllu --columns FEATS",
        good="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=Tag2",
    ),
    Code(
        "FICT764",
        "layer-other-sentences",
        "{place}: {reason}",
        "A CoNLL-U file that is added to a store must contain the same sentences and words as the store: either all "
        "sentences in the order of the store, or all sentences of the source with the same name as the file.",
        bad="$ fictc store add-layer ewt gum.conllu",
        good="$ fictc store add-layer ewt ewt-with-animacy.conllu",
    ),
    Code(
        "FICT765",
        "layer-exists",
        "{path} already has a layer `{name}`",
        "Layers are never overwritten. --name sets another name.",
        bad="$ fictc store add-layer ewt animacy.tsv\n$ fictc store add-layer ewt animacy.tsv",
        good="$ fictc store add-layer ewt animacy.tsv\n$ fictc store add-layer ewt animacy-by-hand.tsv",
    ),
    Code(
        "FICT766",
        "layer-empty",
        "{path} has no annotation in the requested columns",
        "`_` and an empty value mean that there is no annotation.",
        bad="$ fictc store add-layer ewt without-misc.conllu --columns MISC",
        good="$ fictc store add-layer ewt with-features.conllu --columns FEATS",
    ),
    Code(
        "FICT767",
        "layer-name",
        "`{name}` cannot be the name of a {kind}",
        "The name of a feature begins with a capital letter and contains only letters, digits and _, as in "
        "`Animacy`. A layer in brackets may follow, as in `Number[psor]`. A key of MISC or of a comment has no `=` "
        "and no surrounding white space.",
        bad="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=tag-2",
        good="$ fictc store add-layer ewt parsed-again.conllu --columns XPOS=Tag2",
    ),
    Code(
        "FICT768",
        "store-has-layers",
        "the layers of {path} cannot be copied: {layers}",
        "Splitting and merging copy the sentences without layers. Layers can be added to the new stores from the "
        "same files.",
        bad="$ fictc store add-layer ewt animacy.tsv\n$ fictc store split ewt --parts 2 --output parts",
        good="$ fictc store split ewt --parts 2 --output parts\n$ fictc store add-layer parts/1 animacy-of-1.tsv",
    ),
    Code(
        "FICT769",
        "store-replaced",
        "the store {path} was replaced while it was being read: run the command again",
        "Another command has replaced the store or its index, for instance with `--force`. Data of the old and the new "
        "store are never mixed.",
        bad="$ fictc count passive.fict --corpus being-imported-again",
        good="$ fictc count passive.fict --corpus ewt",
    ),
    Code(
        "FICT778",
        "store-numbers-twice",
        "{path} has {count} of {label} with the number of another sentence",
        "A sentence is identified by its source and its number in the source, which no two sentences of a store share. "
        "A store that violates this rule was written by a faulty program. Import it again from its files.",
        bad="$ fictc store verify made-from-an-archive-with-a-file-twice",
        good="$ fictc import archive.zip -o ewt --force\n$ fictc store verify ewt",
    ),
    Code(
        "FICT779",
        "store-sentences-twice",
        "{path} has {count} of {label} that another of these stores has too",
        "A sentence is identified by the content of its source file and its number in the file. Parts of one store can "
        "be merged again, but no part twice.",
        bad="$ fictc store merge ewt ewt --output double",
        good="$ fictc store merge ewt gum --output english",
    ),
    Code(
        "FICT787",
        "store-split-key",
        "the sentences of {path} have no `{key}` to split by",
        "A store is split by `source`, or by a comment of the sentences: `# genre = news` is `meta.genre`.",
        bad="$ fictc store split ewt --by meta.gnre --output parts",
        good="$ fictc store split ewt --by meta.genre --output parts",
    ),
    Code(
        "FICT788",
        "store-split-parts",
        "{path} would become {parts} stores; at most {most} are allowed",
        "A store cannot be split by a value that is different in nearly every sentence, such as `meta.sent_id`.",
        bad="$ fictc store split babylm --sentences 1 --output parts",
        good="$ fictc store split babylm --sentences 100000 --output parts",
    ),
    Code(
        "FICT789",
        "store-annotators-differ",
        "{path} and {other} were not parsed by the same program with the same models and options",
        "Differences between parsers, or between automatic and manual annotation, look like differences between "
        "corpora. --mixed merges such stores anyway, and records the annotators of each.",
        bad="$ fictc store merge ewt parsed-by-stanza --output both",
        good="$ fictc store merge ewt parsed-by-stanza --output both --mixed",
    ),
    Code(
        "FICT790",
        "disk-full",
        "no space left to write {path} ({free} free)",
        "The disk or the quota is full, or a file would exceed the maximum size. Incomplete files were removed. When "
        "there is space again, the same `fictc run` resumes, including the cells that failed for this reason.",
        bad="$ fictc import babylm -o on-a-full-disk/babylm",
        good="$ fictc import babylm -o on-a-large-disk/babylm",
    ),
    Code(
        "FICT791",
        "not-writable",
        "{path} cannot be written: {reason}",
        "The folder does not exist, is read-only, or belongs to another user.",
        bad="$ fictc import treebank.conllu -o /ewt",
        good="$ fictc import treebank.conllu -o ewt",
    ),
    Code(
        "FICT792",
        "io-failed",
        "reading or writing failed: {reason}",
        "The operating system reported an error: a disk is full, a folder is read-only or missing, or a device failed. "
        "Output printed before the error is incomplete.",
        bad="$ fictc count passive.fict --corpus ewt > /mnt/full-disk/counts.txt",
        good="$ fictc count passive.fict --corpus ewt > counts.txt",
    ),
    Code(
        "FICT793",
        "memory-too-small",
        "not enough memory: {reason}",
        "The libraries that read a store need a few hundred megabytes of address space in addition to the memory of a "
        "query. `ulimit -v`, a container or a cluster job may allow less. `--memory` and `--threads` limit the memory "
        "of a query.",
        bad="$ ulimit -v 500000; fictc count passive.fict --corpus ewt",
        good="$ ulimit -v 4000000; fictc count passive.fict --corpus ewt",
    ),
    Code(
        "FICT795",
        "spark-missing",
        "cannot use Spark: {reason}",
        "The engines `spark` and `spark-duckdb` need the package pyspark and Java 17 or newer. The default engine, "
        "DuckDB, which runs in the process of fictc, needs neither.",
        bad="$ fictc count nouns.fict --corpus ewt --engine spark",
        good="$ fictc count nouns.fict --corpus ewt",
    ),
)
