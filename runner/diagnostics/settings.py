"""FICT62x: the settings of a project, in `fictc.toml` or `pyproject.toml`, and the baseline of its lints."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT620",
        "settings-unreadable",
        "the settings {path} cannot be read: {reason}",
        "Settings stand in a UTF-8 TOML file, `fictc.toml` or `pyproject.toml`.",
        bad="$ fictc config show --config gone.toml",
        good="$ fictc config show --config fictc.toml",
    ),
    Code(
        "FICT621",
        "settings-toml",
        "the settings are no valid TOML: {reason}",
        "The text breaks a rule of TOML itself, before any key is looked at: a quote, a bracket or an equals sign.",
        bad='[lint]\nignore = ["FICT520"\nstrict = true',
        good='[lint]\nignore = ["FICT520"]\nstrict = true',
    ),
    Code(
        "FICT622",
        "settings-unknown-key",
        "unknown key `{key}` in {where}",
        "Keys that mean nothing are errors, so that a misspelt setting is never silently ignored.",
        bad='[lint]\nignor = ["FICT520"]',
        good='[lint]\nignore = ["FICT520"]',
    ),
    Code(
        "FICT623",
        "settings-value",
        "wrong value for `{key}`: {reason}",
        "A value has another type than the key takes.",
        bad='[lint]\nignore = "FICT520"',
        good='[lint]\nignore = ["FICT520"]',
    ),
    Code(
        "FICT624",
        "lint-selector",
        "`{found}` means no lint",
        "Lints are chosen by code (`FICT505`), by the beginning of codes (`FICT5`) or by name (`name-used-once`). "
        "Errors are always reported.",
        bad='[lint]\nselect = ["FICT5"]\nignore = ["missing-abot"]',
        good='[lint]\nselect = ["FICT5"]\nignore = ["missing-about"]',
    ),
    Code(
        "FICT625",
        "baseline-unreadable",
        "the baseline {path} cannot be read: {reason}",
        "A baseline is the JSON that `fictc lint --write-baseline` writes: the findings a project lives with for now.",
        bad="$ fictc lint one.fict --baseline one.fict",
        good="$ fictc lint one.fict --baseline known.json",
    ),
)
