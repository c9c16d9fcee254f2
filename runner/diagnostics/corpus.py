"""FICT70x–73x: errors, warnings and hints about corpus files."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import DOGS_BARK, Code
from fictdsl.diagnostics.diagnostic import Severity

CODES: tuple[Code, ...] = (
    Code(
        "FICT700",
        "corpus-unreadable",
        "{path} cannot be read: {reason}",
        "A corpus is one or more readable regular files, plain or compressed. The input files of an experiment must "
        "not change while they are read, since results are identified by a hash of their content.",
        bad="$ fictc import treebnak.conllu -o ewt",
        good="$ fictc import treebank.conllu -o ewt",
    ),
    Code(
        "FICT701",
        "corpus-encoding",
        "the byte {byte} at position {position} of the line is not UTF-8",
        "CoNLL-U and raw text are read as UTF-8. A file in another encoding must be converted first.",
        bad="$ fictc import latin1.conllu -o ewt",
        good="$ iconv -f latin1 -t utf-8 latin1.conllu > utf8.conllu",
    ),
    Code(
        "FICT702",
        "conllu-columns",
        "{found} instead of 10",
        "A line of a tree has ten columns, separated by tabs.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT703",
        "conllu-id",
        "the id is `{found}` where {expected} was expected",
        "Words are numbered 1, 2, 3 … without gaps. The id of a multiword token is `1-2`, that of an empty node `1.1`.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n3\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT704",
        "conllu-duplicate-id",
        "the id {found} occurs twice in this sentence; it was first given in line {first}",
        "If two words have the same id, heads that refer to it are ambiguous.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n1\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT705",
        "conllu-range",
        "the multiword token {found} {reason}",
        "A range `a-b` comes directly before word a and covers at least two words of the sentence. Ranges do not "
        "overlap.",
        bad=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "1-2\tdogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"
        ),
        good=("1-2\tdogsbark\t_\t_\t_\t_\t_\t_\t_\t_\n" + DOGS_BARK),
    ),
    Code(
        "FICT706",
        "conllu-empty-node",
        "the empty node {found} {reason}",
        "Empty nodes `i.1`, `i.2` … come after word i, in order. They have no head and no relation in the basic tree.",
        bad=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2.1\tloudly\t_\t_\t_\t_\t_\t_\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"
        ),
        good=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
            "2.1\tloudly\t_\t_\t_\t_\t_\t_\t_\t_"
        ),
    ),
    Code(
        "FICT707",
        "conllu-head-missing",
        "word {word} has no head (`_`)",
        "Every word has a head: the id of another word, or 0 for the root.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t_\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT708",
        "conllu-head",
        "the head of word {word} is `{found}`, which is not a word id",
        "HEAD is 0 or the id of a word of the same sentence. It cannot be a range or an empty node.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\tbark\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT709",
        "conllu-empty-column",
        "the column {column} is empty",
        "A column without a value contains `_`; no column may be empty.",
        bad=("1\tdogs\tdog\tNOUN\t\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT710",
        "not-raw-text",
        "{path} is {kind}, not raw text",
        "`fictc annotate` parses every line of a file as text, tags and numbers included. Parsed corpora are imported, "
        "documents are read from JSON lines, and other formats must be converted to text first.",
        bad="$ fictc annotate corpus.conllu --models stanza -o wiki",
        good="$ fictc import corpus.conllu -o wiki",
    ),
    Code(
        "FICT711",
        "conllu-character",
        "the character {found} is not allowed in a corpus",
        "Query engines cannot store NUL in a text column.",
        bad=("1\tdo\x00gs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT712",
        "conllu-head-range",
        "the head {found} is out of range: the sentence has {words}",
        "HEAD refers to a word that does not exist, often because lines are missing or the sentence is truncated.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t9\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT713",
        "conllu-self-loop",
        "word {word} is its own head",
        "A word cannot depend on itself.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t1\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT714",
        "conllu-cycle",
        "the heads form a cycle: {cycle}",
        "The chain of heads from each word must lead to the root.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t1\tccomp\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT715",
        "relations-outside-ud",
        "{count} of the corpus {have} a relation that Universal Dependencies does not define: {found}",
        "Filters for UD do not match these words, and `fictc lint` reports such relations in filters as errors.",
        Severity.HINT,
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubjpass\t_\t_\n2\tseen\tsee\tVERB\t_\t_\t0\troot\t_\t_"),
        good=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj:pass\t_\t_\n2\tseen\tsee\tVERB\t_\t_\t0\troot\t_\t_"),
    ),
    Code(
        "FICT716",
        "conllu-two-roots",
        "the sentence has {found} roots, words {words}; a tree has one",
        "A tree has exactly one word with head 0.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t0\troot\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT717",
        "conllu-root-label",
        "head 0 and the label `root` do not coincide in {found} of {file}; the first begins in line {line}",
        "In UD, the word with head 0 has the label `root`, and no other word has it. The sentence is imported "
        "unchanged; `deprel = root` does not match such roots.",
        Severity.HINT,
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\tparataxis\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT718",
        "conllu-feats",
        "`{found}` in FEATS is not `Name=Value`",
        "FEATS is `_`, or entries `Name=Value` separated by `|`.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber:Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT719",
        "conllu-duplicate-feature",
        "the feature {feature} occurs twice on one word",
        "Several values of one feature are written with commas: `Case=Acc,Dat`.",
        bad=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur|Number=Sing\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"
        ),
        good=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur,Sing\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
    ),
    Code(
        "FICT720",
        "conllu-deps",
        "`{found}` in DEPS is not `head:label`",
        "DEPS is `_`, or entries `head:label` separated by `|`.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t2\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
    ),
    Code(
        "FICT721",
        "conllu-deps-head",
        "DEPS has the head {found}, which is not a word or empty node of this sentence",
        "Enhanced edges connect words and empty nodes of one sentence, or start at 0.",
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t4:nsubj\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
    ),
    Code(
        "FICT722",
        "conllu-upos",
        "unknown UPOS {found}, {times} in {file}",
        "The 17 UPOS tags of UD are a closed set. The sentences are imported, but filters that test for the standard "
        "tag do not match these words.",
        Severity.WARNING,
        bad=("1\tdogs\tdog\tNNS\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
        good=("1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"),
    ),
    Code(
        "FICT723",
        "conllu-no-words",
        "comments without a sentence",
        "Comment lines must be followed by the lines of their tree, without an empty line between them.",
        bad=("# sent_id = 1\n\n" + DOGS_BARK),
        good=("# sent_id = 1\n" + DOGS_BARK),
    ),
    Code(
        "FICT724",
        "conllu-truncated",
        "the file ends inside this sentence",
        "The last sentence has no empty line after it and differs from its `# text`, so words may be missing. If it "
        "is complete, add an empty line.",
        bad=("# text = dogs bark loudly\n" + DOGS_BARK),
        good=("# text = dogs bark\n" + DOGS_BARK),
    ),
    Code(
        "FICT725",
        "conllu-repeated-id",
        "not unique: {count}, {across_files} of them in more than one file",
        "Repeated sent_ids are accepted. Sentences are identified by source and sentence number.",
        Severity.HINT,
        bad=(
            "# sent_id = 1\n"
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
            "\n"
            "# sent_id = 1\n" + DOGS_BARK
        ),
        good=(
            "# sent_id = 1\n"
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
            "\n"
            "# sent_id = 2\n" + DOGS_BARK
        ),
    ),
    Code(
        "FICT726",
        "conllu-bom",
        "{file} begins with a byte order mark, which was removed",
        "UTF-8 needs no byte order mark.",
        Severity.HINT,
        bad=("\ufeff# sent_id = 1\n" + DOGS_BARK),
        good=("# sent_id = 1\n" + DOGS_BARK),
    ),
    Code(
        "FICT727",
        "conllu-crlf",
        "{file} has Windows line endings, which are kept in exported CoNLL-U and removed from values",
        "CoNLL-U requires LF line endings.",
        Severity.HINT,
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\r\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\r"),
        good=(DOGS_BARK),
    ),
    Code(
        "FICT728",
        "conllu-final-newline",
        "{file} has no empty line after its last sentence, which agrees with its `# text` and was accepted",
        "CoNLL-U requires an empty line after every sentence.",
        Severity.HINT,
        bad="$ fictc import no-empty-line-at-its-end.conllu -o ewt",
        good="$ echo >> no-empty-line-at-its-end.conllu",
    ),
    Code(
        "FICT729",
        "conllu-blank-line",
        "{file} has {lines} of white space only, treated as empty",
        "Sentences are separated by an empty line.",
        Severity.HINT,
        bad=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
            " \n" + DOGS_BARK
        ),
        good=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n"
            "2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_\n"
            "\n" + DOGS_BARK
        ),
    ),
    Code(
        "FICT730",
        "corpus-empty",
        "{path} has no sentence",
        "There is nothing to import.",
        bad="$ fictc import empty.conllu -o ewt",
        good="$ fictc import treebank.conllu -o ewt",
    ),
    Code(
        "FICT731",
        "conllu-late-comment",
        "a comment is inside the tree",
        "Comment lines come before the first word of their sentence.",
        bad=(
            "1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n# the verb\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_"
        ),
        good=("# the verb is the second word\n" + DOGS_BARK),
    ),
    Code(
        "FICT732",
        "corpus-more-errors",
        "{count} in these files",
        "Only the first errors are listed.",
        bad="$ fictc import full-of-errors.conllu -o ewt",
        good="$ fictc import full-of-errors.conllu -o ewt --on-error skip",
    ),
    Code(
        "FICT733",
        "corpus-no-files",
        "no {kind} in {path}",
        "A folder is searched, including subfolders, for files with the extensions of corpus files, and a zip archive "
        "for *.conllu files. Hidden files and folders, whose names begin with a dot, are skipped.",
        bad="$ fictc import folder-of-texts -o ewt",
        good="$ fictc import folder-of-treebanks -o ewt",
    ),
    Code(
        "FICT734",
        "corpus-rejected",
        "left out {count} without a valid tree; see {path}",
        "With --on-error skip, invalid sentences are written to a separate file, each with the reason.",
        Severity.WARNING,
        bad="$ fictc import some-errors.conllu -o ewt --on-error skip",
        good="$ fictc import corrected.conllu -o ewt",
    ),
    Code(
        "FICT735",
        "corpus-feature-case",
        "feature names differ only by case: {names}",
        "They are treated as different features; one of them may be misspelt.",
        Severity.WARNING,
        bad=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\tnumber=Plur\t0\troot\t_\t_"),
        good=("1\tdogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\tNumber=Plur\t0\troot\t_\t_"),
    ),
    Code(
        "FICT736",
        "conllu-word-limit",
        "the sentence has {found} words; at most {limit} are allowed",
        "A sentence of this length usually means that the empty lines of the file are missing.",
        bad="$ fictc import without-empty-lines.conllu -o ewt",
        good="$ fictc import treebank.conllu -o ewt",
    ),
    Code(
        "FICT737",
        "corpus-file-twice",
        "the file {path} is given twice",
        "The sentences of a file that is imported twice would be counted twice.",
        bad="$ fictc import ud ud/en_ewt-ud-dev.conllu -o ewt",
        good="$ fictc import ud -o ewt",
    ),
    Code(
        "FICT738",
        "corpus-source-twice",
        "{path} contains a second file named `{name}`",
        "A sentence is identified by its source and its number in the source, so the names of sources must be unique. "
        "A zip archive can contain several files of the same name, which makes the name ambiguous.",
        bad="$ fictc import archive-with-a-file-twice.zip -o ewt",
        good="$ fictc import archive.zip -o ewt",
    ),
    Code(
        "FICT739",
        "input-too-large",
        "{place}: {reason}",
        "A line has at most 16 MiB; a sentence, or a paragraph of raw text, at most 64 MiB. Decompression stops at "
        "more than 1 GiB and more than 200 times the compressed size, which text does not reach. A file beyond these "
        "limits has lost its line endings, or is malicious.",
        bad="$ fictc import without-line-ends.conllu.gz -o ewt",
        good="$ fictc import treebank.conllu.gz -o ewt",
    ),
    Code(
        "FICT860",
        "conllu-inner-bom",
        "{file} has {count} before sentences, removed",
        "Files that were joined may each begin with a byte order mark. UTF-8 needs none.",
        Severity.HINT,
        bad=(DOGS_BARK + "\n\n\ufeff# sent_id = 2\n" + DOGS_BARK),
        good=(DOGS_BARK + "\n\n# sent_id = 2\n" + DOGS_BARK),
    ),
    Code(
        "FICT861",
        "conllu-empty-text",
        "{file} has {count} `# text =` without a text, treated as absent",
        "The text of such a sentence is made of its forms and `SpaceAfter`.",
        Severity.HINT,
        bad=("# text = \n" + DOGS_BARK),
        good=("# text = dogs bark\n" + DOGS_BARK),
    ),
    Code(
        "FICT862",
        "conllu-text-mismatch",
        "{file} has {count} with other words in `# text` than in the column FORM",
        "Queries read the words; `export`, `corpora` and training read the text.",
        Severity.WARNING,
        bad=("# text = cats bark\n" + DOGS_BARK),
        good=("# text = dogs bark\n" + DOGS_BARK),
    ),
    Code(
        "FICT863",
        "conllu-withheld",
        "{file} has {count} with `_` in place of every form",
        "The texts of some treebanks are withheld. With `--no-text`, the store has no forms and no texts, so that no "
        "command takes `_` for a word; queries for trees, tags and features work.",
        Severity.WARNING,
        bad="1\t_\t_\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n2\t_\t_\tVERB\t_\t_\t0\troot\t_\t_",
        good=DOGS_BARK,
    ),
    Code(
        "FICT864",
        "conllu-plus",
        "{file} is CoNLL-U Plus, read as CoNLL-U: {difference}",
        "In CoNLL-U Plus, the first line names the columns. The standard columns are read in any order; one that the "
        "file lacks is `_`. Every other column becomes an entry of MISC, such as `PARSEME:MWE=1:VID`, which filters "
        'test as `misc."PARSEME:MWE"`. `_` and `*` are no entry, and `|` in a value is written `\\p`.',
        Severity.HINT,
        bad=(
            "# global.columns = ID FORM UPOS HEAD DEPREL PARSEME:MWE\n"
            "1\tdogs\tNOUN\t2\tnsubj\t*\n2\tbark\tVERB\t0\troot\t1:VID"
        ),
        good=DOGS_BARK,
    ),
    Code(
        "FICT865",
        "conllu-plus-header",
        "`global.columns` {reason}",
        "The first line of CoNLL-U Plus names each column once. ID and FORM are required.",
        bad="# global.columns = ID UPOS HEAD DEPREL\n1\tNOUN\t2\tnsubj\n2\tVERB\t0\troot",
        good="# global.columns = ID FORM UPOS HEAD DEPREL\n1\tdogs\tNOUN\t2\tnsubj\n2\tbark\tVERB\t0\troot",
    ),
    Code(
        "FICT866",
        "conllu-plus-columns",
        "{found} instead of the {expected} that `global.columns` names",
        "A row of CoNLL-U Plus has the columns that the first line names, separated by tabs. The import stops at "
        "another row, with `--on-error skip` too, because its values cannot be assigned to columns.",
        bad="# global.columns = ID FORM UPOS HEAD DEPREL\n1\tdogs\tNOUN\t2\n2\tbark\tVERB\t0\troot",
        good="# global.columns = ID FORM UPOS HEAD DEPREL\n1\tdogs\tNOUN\t2\tnsubj\n2\tbark\tVERB\t0\troot",
    ),
)
