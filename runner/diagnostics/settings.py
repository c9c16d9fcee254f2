"""FICT62x: the settings of a project, in `fictc.toml` or `pyproject.toml`, and its lint baseline."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT620",
        "settings-unreadable",
        "the settings file {path} cannot be read: {reason}",
        "Settings are in a UTF-8 TOML file, `fictc.toml` or `pyproject.toml`.",
        bad="$ fictc config show --config gone.toml",
        good="$ fictc config show --config fictc.toml",
    ),
    Code(
        "FICT621",
        "settings-toml",
        "the settings file is not valid TOML: {reason}",
        "The text has a syntax error, such as a missing quote, bracket or equals sign.",
        bad='[lint]\nignore = ["FICT520"\nstrict = true',
        good='[lint]\nignore = ["FICT520"]\nstrict = true',
    ),
    Code(
        "FICT622",
        "settings-unknown-key",
        "unknown key `{key}` in {where}",
        "Unknown keys are errors, so that a misspelt setting is never silently ignored.",
        bad='[lint]\nignor = ["FICT520"]',
        good='[lint]\nignore = ["FICT520"]',
    ),
    Code(
        "FICT623",
        "settings-value",
        "wrong value for `{key}`: {reason}",
        "A value has the wrong type.",
        bad='[lint]\nignore = "FICT520"',
        good='[lint]\nignore = ["FICT520"]',
    ),
    Code(
        "FICT624",
        "lint-selector",
        "`{found}` matches no lint rule",
        "Lint rules are selected by code (`FICT505`), by a prefix of codes (`FICT5`) or by name (`name-used-once`). "
        "Errors are always reported.",
        bad='[lint]\nselect = ["FICT5"]\nignore = ["missing-abot"]',
        good='[lint]\nselect = ["FICT5"]\nignore = ["missing-about"]',
    ),
    Code(
        "FICT625",
        "baseline-unreadable",
        "the baseline {path} cannot be read: {reason}",
        "A baseline is a JSON file that `fictc lint --write-baseline` writes. It lists the findings that a project "
        "accepts for now.",
        bad="$ fictc lint one.fict --baseline one.fict",
        good="$ fictc lint one.fict --baseline known.json",
    ),
)
