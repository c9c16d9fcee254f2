"""FICT6xx: experiment manifests."""

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
        "the manifest is no valid TOML: {reason}",
        "The text breaks a rule of TOML itself, before any key is looked at: a quote, a bracket or an equals sign.",
        bad=('[experiment]\nname = "small'),
        good=('[experiment]\nname = "small"'),
    ),
    Code(
        "FICT602",
        "manifest-unknown-key",
        "unknown key `{key}` in {where}",
        "Keys that mean nothing are errors, so that a misspelt setting is never silently ignored.",
        bad=('[experiment]\nname = "small"\nsedes = [1, 2]'),
        good=('[experiment]\nname = "small"\nseeds = [1, 2]'),
    ),
    Code(
        "FICT603",
        "manifest-missing-key",
        "the key `{key}` is missing in {where}",
        "A required key has no value.",
        bad=('[[condition]]\nremove = ["${filters}/fict15/agr-pp-mod.fict"]'),
        good=('[[condition]]\nname = "no-pp"\nremove = ["${filters}/fict15/agr-pp-mod.fict"]'),
    ),
    Code(
        "FICT604",
        "manifest-value",
        "wrong value for `{key}`: {reason}",
        "A value has the wrong type or lies outside what the key allows.",
        bad='seeds = "1, 2"',
        good="seeds = [1, 2]",
    ),
    Code(
        "FICT605",
        "manifest-name",
        "unknown {kind} `{name}`",
        "A name in the manifest (a condition, a preset, a convention, a filter) names nothing.",
        bad=('[[model]]\npreset = "lstm-218"'),
        good=('[[model]]\npreset = "lstm-128"'),
    ),
    Code(
        "FICT606",
        "manifest-duplicate",
        "the {kind} `{name}` is defined twice",
        "Conditions, models, suites and the filters of an order are told apart by their names.",
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
        "A path in the manifest leads nowhere. Paths are relative to the manifest; `${{data}}` stands for --data.",
        bad='remove = ["${filters}/fict15/agr-pp-mud.fict"]',
        good='remove = ["${filters}/fict15/agr-pp-mod.fict"]',
    ),
    Code(
        "FICT608",
        "manifest-outside",
        "the path `{path}` lies outside the allowed folders",
        "A manifest may read the folders of the project, the shipped filters and --data; others by --allow.",
        bad=('[corpus]\ntrain = ["../secret.conllu"]'),
        good=('[corpus]\ntrain = ["train.conllu"]'),
    ),
    Code(
        "FICT609",
        "manifest-data",
        "the manifest uses ${{data}}, and no --data folder was given",
        "Committed manifests name data that is not in the repository only as ${{data}}.",
        bad="$ fictc plan experiment.toml",
        good="$ fictc plan experiment.toml --data treebanks",
    ),
    Code(
        "FICT610",
        "manifest-missing-feature",
        "filter {filter} asks for the feature {feature}, which {corpus} never has",
        "The filter would match nothing for a reason that is not linguistic. "
        "`allow-missing = true` on the condition lets it through.",
        bad=('[[condition]]\nname = "no-reflexives"\nremove = ["${filters}/fict15/binding-c-command.fict"]'),
        good=(
            "[[condition]]\n"
            'name = "no-reflexives"\n'
            "allow-missing = true\n"
            'remove = ["${filters}/fict15/binding-c-command.fict"]'
        ),
    ),
    Code(
        "FICT611",
        "names-differ-by-case",
        "the {kind} names `{name}` and `{other}` are one file where case does not count",
        "Files and folders are called by these names. On Windows and macOS `No-Obj` and `no-obj` are one folder, so "
        "that a run could not be copied there.",
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
        "the filter `{name}` cannot name a file: {reason}",
        "`fictc apply --each` writes a file for each filter and calls it by the filter's name, which must mean "
        "the same file on Linux, macOS and Windows.",
        bad="$ fictc apply con.fict --corpus store --each --output corpora",
        good="$ fictc apply contrast.fict --corpus store --each --output corpora",
    ),
)
