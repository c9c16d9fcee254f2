"""FICT600–615: experiment manifests."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT600",
        "manifest-unreadable",
        "the manifest {path} cannot be read: {reason}",
        "A manifest is one UTF-8 TOML file.",
        bad="$ fictc plan experimnet.toml",
        good="$ fictc plan experiment.toml",
    ),
    Code(
        "FICT601",
        "manifest-toml",
        "the manifest is not valid TOML: {reason}",
        "The text has a syntax error, such as a missing quote, bracket or equals sign.",
        bad=('[experiment]\nname = "small'),
        good=('[experiment]\nname = "small"'),
    ),
    Code(
        "FICT602",
        "manifest-unknown-key",
        "unknown key `{key}` in {where}",
        "Unknown keys are errors, so that a misspelt setting is never silently ignored.",
        bad=('[experiment]\nname = "small"\nsedes = [1, 2]'),
        good=('[experiment]\nname = "small"\nseeds = [1, 2]'),
    ),
    Code(
        "FICT603",
        "manifest-missing-key",
        "the key `{key}` is missing in {where}",
        "A table lacks a required key.",
        bad=('[[condition]]\nremove = ["${filters}/fict15/agr-pp-mod.fict"]'),
        good=('[[condition]]\nname = "no-pp"\nremove = ["${filters}/fict15/agr-pp-mod.fict"]'),
    ),
    Code(
        "FICT604",
        "manifest-value",
        "wrong value for `{key}`: {reason}",
        "A value has the wrong type, or is outside the allowed range.",
        bad='seeds = "1, 2"',
        good="seeds = [1, 2]",
    ),
    Code(
        "FICT605",
        "manifest-name",
        "unknown {kind} `{name}`",
        "A name in the manifest (of a condition, a preset, a convention or a filter) is not defined.",
        bad=('[[model]]\npreset = "lstm-218"'),
        good=('[[model]]\npreset = "lstm-128"'),
    ),
    Code(
        "FICT606",
        "manifest-duplicate",
        "the {kind} `{name}` is defined twice",
        "Conditions, models, suites and the filters in `order` are identified by their names.",
        bad=(
            "[[condition]]\n"
            'name = "no-pp"\n'
            'remove = ["${filters}/fict15/agr-pp-mod.fict"]\n'
            "\n"
            "[[condition]]\n"
            'name = "no-pp"\n'
            'remove = ["${filters}/fict15/passive.fict"]'
        ),
        good=(
            "[[condition]]\n"
            'name = "no-pp"\n'
            'remove = ["${filters}/fict15/agr-pp-mod.fict"]\n'
            "\n"
            "[[condition]]\n"
            'name = "no-passive"\n'
            'remove = ["${filters}/fict15/passive.fict"]'
        ),
    ),
    Code(
        "FICT607",
        "manifest-path",
        "no {kind} at `{path}`",
        "A path in the manifest does not exist. Paths are relative to the manifest; `${data}` is the --data folder.",
        bad='remove = ["${filters}/fict15/agr-pp-mud.fict"]',
        good='remove = ["${filters}/fict15/agr-pp-mod.fict"]',
    ),
    Code(
        "FICT608",
        "manifest-outside",
        "the path `{path}` is outside the allowed folders",
        "A manifest can read the folders of the project, the shipped filters and --data. --allow adds other folders.",
        bad=('[corpus]\ntrain = ["../secret.conllu"]'),
        good=('[corpus]\ntrain = ["train.conllu"]'),
    ),
    Code(
        "FICT609",
        "manifest-data",
        "the manifest uses ${{data}}, but no --data folder was given",
        "Manifests refer to data outside the repository as ${data}, so that they do not depend on one machine.",
        bad="$ fictc plan experiment.toml",
        good="$ fictc plan experiment.toml --data treebanks",
    ),
    Code(
        "FICT610",
        "manifest-missing-feature",
        "filter {filter} uses the feature {feature}, which does not occur in {corpus}",
        "No word of the corpus has this feature, so a test of it has the same result for every word. The name may be "
        "misspelt: `fictc lint FILTER --corpus STORE` suggests a feature of the corpus. If the corpus lacks the "
        "annotation, `allow-missing = true` in the condition allows that.",
        bad="match { N[Numbr = Plur] }",
        good="match { N[Number = Plur] }",
    ),
    Code(
        "FICT611",
        "names-differ-by-case",
        "the {kind} names `{name}` and `{other}` are the same file name on case-insensitive file systems",
        "Files and folders have these names. On Windows and macOS, `No-Obj` and `no-obj` are the same folder, so the "
        "run could not be copied there.",
        bad=(
            '[[condition]]\nname = "no-pp"\nremove = ["${filters}/fict15/agr-pp-mod.fict"]\n\n'
            '[[condition]]\nname = "NO-PP"\nremove = ["${filters}/fict15/passive.fict"]'
        ),
        good=(
            '[[condition]]\nname = "no-pp"\nremove = ["${filters}/fict15/agr-pp-mod.fict"]\n\n'
            '[[condition]]\nname = "no-passive"\nremove = ["${filters}/fict15/passive.fict"]'
        ),
    ),
    Code(
        "FICT612",
        "bad-file-name",
        "the filter name `{name}` is not a valid file name: {reason}",
        "`fictc apply --each` writes a file for each filter, named after the filter. The name must be valid on Linux, "
        "macOS and Windows.",
        bad="$ fictc apply con.fict --corpus store --each --output corpora",
        good="$ fictc apply contrast.fict --corpus store --each --output corpora",
    ),
    Code(
        "FICT614",
        "filter-without-matches",
        "{kind} {filter} matches no sentence of the training corpus",
        "The corpus of the condition would be unchanged, and the experiment would compare equal models. `fictc plan` "
        "reports this if an earlier run has imported the corpus; otherwise `fictc run` reports it before training. "
        "`fictc lint FILTER --corpus STORE` names the values that the corpus lacks, such as a misspelt lemma, and "
        "`fictc show FILTER --corpus STORE --near-miss` the conditions without which there would be matches. If no "
        "match is expected, `allow-empty = true` in the condition allows it.",
        bad="match { V[lemma = giev] }",
        good="match { V[lemma = give] }",
    ),
    Code(
        "FICT615",
        "manifest-unknown-target",
        "{owner} targets `{target}`, which no suite has",
        "`targets` names the paradigms that the report compares first, as SUITE/PARADIGM. The suite is one of the "
        "manifest's, or a benchmark that fictc knows. A target that the manifest does not score causes only a warning.",
        bad=('[[condition]]\nname = "no-dogs"\nremove = ["dogs.fict"]\ntargets = ["blimp/pasive_1"]'),
        good=('[[condition]]\nname = "no-dogs"\nremove = ["dogs.fict"]\ntargets = ["blimp/passive_1"]'),
    ),
)
