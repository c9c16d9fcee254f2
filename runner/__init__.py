"""From a manifest to a report. Importing the package adds its diagnostics to the catalogue."""

from __future__ import annotations

import runner.diagnostics as _diagnostics  # noqa: F401

DISTRIBUTION = "fictc"  # `fictc.installed` looks for this line: another distribution may have a package `runner`
