"""FICT770–774: downloads of data sets."""

from __future__ import annotations

from fictdsl.diagnostics.codes.code import Code

CODES: tuple[Code, ...] = (
    Code(
        "FICT770",
        "fetch-no-hash",
        "no sha256 is known for {name}, so it is not downloaded",
        "Downloads are verified against a registry of checksums. Data sets without a checksum are not downloaded.",
        bad="$ fictc fetch ud-gum",
        good="$ fictc fetch ud-gum --registry registry-with-hashes.toml",
    ),
    Code(
        "FICT771",
        "fetch-mismatch",
        "{name} from {url} is not the file that the registry describes: its sha256 is {found}, expected {expected}",
        "The file was changed in transit or at its source. Nothing was saved.",
        bad="$ fictc fetch blimp --mirror https://example.org/another-version",
        good="$ fictc fetch blimp",
    ),
    Code(
        "FICT772",
        "fetch-failed",
        "{url} could not be downloaded: {reason}",
        "The server did not answer or refused the file, or the file is too large or took too long. Nothing was saved.",
        bad="$ fictc fetch blimp --mirror https://nobody.example.org",
        good="$ fictc fetch blimp",
    ),
    Code(
        "FICT773",
        "fetch-unknown",
        "unknown data set `{name}`",
        "`fictc fetch --help` lists the available data sets.",
        bad="$ fictc fetch blmip",
        good="$ fictc fetch blimp",
    ),
    Code(
        "FICT774",
        "fetch-registry",
        "the registry {path} cannot be used: {reason}",
        "A registry is a TOML file with one table for each data set and a sha256 for each file.",
        bad=('[mine]\nbase = "https://example.org/mine"\n[mine.files]\n"a.txt" = "abc"'),
        good=(
            "[mine]\n"
            'base = "https://example.org/mine"\n'
            "[mine.files]\n"
            '"a.txt" = "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806"'
        ),
    ),
)
